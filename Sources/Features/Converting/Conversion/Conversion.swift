package import BAPackKit
package import SourceDiagnostics
package import SystemIO

/// The result of a conversion: manifests in the form that an author would write, other files, and
/// findings.
///
/// If the findings contain an error, a part of the input is missing from the result.
package struct Conversion: Sendable {
  /// The manifests, in the order of the input.
  package var manifests: [ConvertedManifest] = []
  /// Other files that are written next to the manifests.
  package var otherFiles: [OtherFile] = []
  /// The parts of the input that cannot be converted, each at its place in the input.
  package var findings = Ledger()
  /// The options that an input of this kind supports.
  var supportedParts: Set<ConversionOptions.Part> = []

  /// A text file that is written unchanged.
  package struct OtherFile: Sendable {
    /// The file's name, without folders.
    package var name: String
    package var bytes: [UInt8]
  }

  /// Creates an empty conversion.
  package init() {}

  /// Appends another conversion to this one.
  package mutating func add(_ other: Conversion) {
    manifests += other.manifests
    for var file in other.otherFiles {
      let name = FilePath(file.name)
      var number = 1
      while otherFiles.contains(where: { $0.name == file.name }) {
        number += 1
        file.name = name.text.replacing(".", with: "-\(number).")
      }
      otherFiles.append(file)
    }
    findings.add(contentsOf: other.findings)
    supportedParts.formUnion(other.supportedParts)
  }
}

/// A manifest that a conversion creates.
package struct ConvertedManifest: Sendable {
  /// The manifest's contents; its source root is set when the output folder is known.
  package var manifest: Manifest
  /// The folder that the selectors start from, as a path of this process.
  ///
  /// If it is unknown here, it is nil and represents the folder in which the manifest is used.
  package var sourceRoot: FilePath?
  /// The files that the input selects, in the order of the input; nil if they are not available.
  package var files: [MeantFile]?
  /// Reads the input a second time, independently of the selectors, for a comparison; nil if
  /// `files` already lists the files that the input names.
  package var secondReading: (@Sendable () -> [MeantFile])?
  /// Files and folders that exist but cannot be read, so that no pack contains them.
  package var unread: [String] = []
  /// The place in the input that describes the pack.
  package var place: InputPlace

  /// A place in an input.
  package struct InputPlace: Sendable {
    package var source: SourceText
    package var span: SourceSpan?

    package init(_ source: SourceText, _ span: SourceSpan?) {
      self.source = source
      self.span = span
    }
  }

  /// A file that the input selects.
  package struct MeantFile: Sendable, Hashable {
    /// The file's path below the source root.
    package var source: FilePath
    /// The file's path in the pack.
    package var destination: FilePath
  }

  package init(
    _ manifest: Manifest, sourceRoot: FilePath?, files: [MeantFile]?, at place: InputPlace
  ) {
    self.manifest = manifest
    self.sourceRoot = sourceRoot
    self.files = files
    self.place = place
  }

  /// The name of the manifest file, made from the pack's ID.
  package var name: String { manifest.assetPackID + ".json" }
}

package struct ConversionOptions: Sendable {
  /// The kind of the input; nil detects it from the contents.
  package var kind: InputKind?
  /// The ID of the pack; nil creates one from the input.
  package var assetPackID: String?
  /// The download policy; nil uses the policy of the input.
  package var downloadPolicy: DownloadPolicy?
  /// The platforms of the packs; empty for all platforms.
  package var platforms: [Platform] = []
  /// The language of the packs.
  package var language: LanguageTag?
  /// The folder with the files, instead of the folder that the input names.
  package var contentRoot: FilePath?
  /// The files that will be written, which are never a part of the converted packs.
  package var outputs: [String] = []

  // MARK: On-Demand Resources

  /// The target whose resources become packs; nil for all.
  package var target: String?
  /// Whether files in the folder of a language become packs of that language.
  package var splitsLanguages = false
  /// The sources that are searched for calls: files or folders.
  package var scannedSources: [FilePath] = []

  /// Cancels reads and searches.
  package var work: Work

  package init(_ work: Work) { self.work = work }

  /// An option that only some kinds of input support.
  enum Part: CaseIterable {
    case contentRoot, target, languages, calls
  }

  /// The options that are set.
  var parts: [Part] {
    Part.allCases.filter { part in
      switch part {
      case .contentRoot: contentRoot != nil
      case .target: target != nil
      case .languages: splitsLanguages
      case .calls: !scannedSources.isEmpty
      }
    }
  }
}
