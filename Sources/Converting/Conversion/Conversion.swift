package import BAPackKit
package import SourceDiagnostics
package import SystemIO

/// What an input becomes: manifests as an author would write them, other files, and what was found.
///
/// Where there is an error among the findings, a part of the input is missing from the rest.
package struct Conversion: Sendable {
  /// The manifests, in the order of the input.
  package var manifests: [ConvertedManifest] = []
  /// Other files that belong beside the manifests.
  package var otherFiles: [OtherFile] = []
  /// What cannot be carried over, each at its place in the input.
  package var findings = Ledger()
  /// The options that an input of this kind can fulfil.
  var heeded: Set<ConversionOptions.Part> = []

  /// A text that is written as it is.
  package struct OtherFile: Sendable {
    /// Its name, without folders.
    package var name: String
    package var bytes: [UInt8]

    package init(name: String, bytes: [UInt8]) {
      self.name = name
      self.bytes = bytes
    }
  }

  /// Nothing yet.
  package init() {}

  /// Adds another conversion behind this one.
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
    heeded.formUnion(other.heeded)
  }
}

/// A manifest that a conversion makes.
package struct ConvertedManifest: Sendable {
  /// What it says; its source root is chosen where it lands.
  package var manifest: Manifest
  /// The folder that its selectors start from, as this process reaches it; nil if nobody knows it
  /// here, and then it is the folder in which the manifest is used.
  package var sourceRoot: FilePath?
  /// The files that the input meant, in the order of the input; nil where they are not at hand.
  package var files: [MeantFile]?
  /// Reads the input a second time, in another way than the selectors were made, for a comparison;
  /// nil where `files` are what the input names.
  package var secondReading: (@Sendable () -> [MeantFile])?
  /// What is there and could not be looked at, so that it is in no pack.
  package var unread: [String] = []
  /// Where the input speaks of it.
  package var place: Place

  /// A place in an input.
  package struct Place: Sendable {
    package var source: SourceText
    package var span: SourceSpan?

    package init(_ source: SourceText, _ span: SourceSpan?) {
      self.source = source
      self.span = span
    }
  }

  /// A file as the input meant it.
  package struct MeantFile: Sendable, Hashable {
    /// Its path below the source root.
    package var source: FilePath
    /// Its path in the pack.
    package var destination: FilePath

    package init(source: FilePath, destination: FilePath) {
      self.source = source
      self.destination = destination
    }
  }

  package init(
    _ manifest: Manifest, sourceRoot: FilePath?, files: [MeantFile]?, at place: Place
  ) {
    self.manifest = manifest
    self.sourceRoot = sourceRoot
    self.files = files
    self.place = place
  }

  /// The name of its file: its ID.
  package var name: String { manifest.assetPackID + ".json" }
}

/// What is asked of a conversion beside its input.
package struct ConversionOptions: Sendable {
  /// What the input is; nil tells it from its contents.
  package var kind: InputKind?
  /// The ID of the pack; nil makes one from the input.
  package var assetPackID: String?
  /// When devices download; nil lets the input say so.
  package var downloadPolicy: DownloadPolicy?
  /// Where packs are offered; empty means everywhere.
  package var platforms: [Platform] = []
  /// The language of the packs.
  package var language: LanguageTag?
  /// The folder that the files are in, instead of the one that the input names.
  package var contentRoot: FilePath?
  /// What will be written, and so is never a part of what is converted.
  package var outputs: [String] = []

  // MARK: On-Demand Resources

  /// The target whose resources become packs; nil for all.
  package var target: String?
  /// Whether files in the folder of a language become packs of that language.
  package var splitsLanguages = false
  /// Sources to look for calls in: files or folders.
  package var scannedSources: [FilePath] = []

  /// Ends reads and searches.
  package var work: Work

  package init(_ work: Work) { self.work = work }

  /// A wish that only some kinds of inputs can fulfil.
  enum Part: CaseIterable {
    case contentRoot, target, languages, calls
  }

  /// Those that were given.
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
