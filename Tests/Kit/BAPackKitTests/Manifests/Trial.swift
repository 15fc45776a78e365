@testable import BAPackKit
import SourceDiagnostics

/// The inputs for testing the example of a rule.
///
/// An example without a trial is a member of a manifest, or a complete manifest.
enum Trial: Sendable {
  /// The texts replace the example: members of a manifest, or complete manifests.
  case made(wrong: [UInt8], right: [UInt8])
  /// The texts are members of a manifest that selects from these files; `correct` contains the
  /// files for the correction, if they differ.
  case files([File], correct: [File]? = nil)
  /// The manifests of an app with the texts as members, and the files that they select from.
  case app(
    wrong: [String], right: [String], files: [File] = [], primaryLanguage: LanguageTag? = nil)
  /// The texts are lists of files, whose sources are those of the correction.
  case list
  /// Packs.
  case packs(wrong: Pack, right: Pack)
  /// The texts are members of a download manifest, or complete ones; `…` is the other members of a
  /// pack.
  case downloadManifest
  /// The IDs of the packs of a project, and of the collected packs.
  case collected(of: [String], wrong: [String], right: [String])
  /// The texts are members of a project file.
  case project
  /// The texts are members of a project file with exceptions for a warning about a path.
  case exception(Finding.ID, path: String)
  /// The texts are members of a project file, whose budgets are compared with these packs.
  case budget(wrong: BudgetHoldings, right: BudgetHoldings)
  /// The texts are members of a record, or complete records.
  case record
  /// Publications.
  case publishing(wrong: Publishing, right: Publishing)
  /// Files in the place of archives; nil is a valid archive.
  case archive(wrong: [UInt8]?, right: [UInt8]?)
  /// The texts are members of an unmanaged manifest; `…` is the other members of an asset. The
  /// files and the property list are optional; those for the correction are given if they differ.
  case unmanagedManifest(
    files: [File]?, correctFiles: [File]?, plist: String?, correctPlist: String?)

  /// Returns a trial of an unmanaged manifest with optional files.
  static func unmanaged(files: [File]? = nil, correct: [File]? = nil) -> Trial {
    .unmanagedManifest(files: files, correctFiles: correct, plist: nil, correctPlist: nil)
  }

  /// Returns a trial of an unmanaged manifest with a property list.
  static func unmanaged(plist: String, correct: String) -> Trial {
    .unmanagedManifest(files: nil, correctFiles: nil, plist: plist, correctPlist: correct)
  }
}

extension Trial {
  /// All trials, by the ID of the rule.
  static let byRule = ofManifestRules.merging(ofPackRules) { $1 }
    .merging(ofFileLists) { $1 }
    .merging(ofPublicationRules) { $1 }

  /// An item in a source root; a string literal is the path of a file.
  enum File: Sendable, ExpressibleByStringLiteral {
    case file(String, [UInt8] = [UInt8(ascii: "x")])
    case folder(String)
    case link(String, to: String)
    case pipe(String)
    case hole(String, size: Int)
    /// A file that cannot be opened.
    case refused(String)

    init(stringLiteral path: String) { self = .file(path) }
  }

  /// A pack that is written without the library.
  struct Pack: Sendable {
    /// The entries after the root.
    var entries: [Entry]
    /// The format of the archive.
    enum Shape: Sendable {
      case whole, cutOff, shortBlock
    }
    var shape = Shape.whole
    /// The selectors of the manifest that the pack is compared with, and the files.
    var selectors: String?
    var files: [File] = []
    /// Whether another digest is expected.
    var isOtherFile = false

    init(
      _ entries: Entry..., shape: Shape = .whole, isOtherFile: Bool = false,
      comparedWith selectors: String? = nil, _ files: [File] = []
    ) {
      self.entries = entries
      self.shape = shape
      self.isOtherFile = isOtherFile
      self.selectors = selectors
      self.files = files
    }
  }

  /// An entry of a pack; a string literal is the path of a file, or of a folder if it ends with
  /// '/'.
  enum Entry: Sendable, ExpressibleByStringLiteral {
    case file(String, [UInt8] = [UInt8(ascii: "x")])
    case folder(String)
    case link(String, to: String)
    /// A file with a wrong size.
    case claiming(String, Int)
    /// A file whose length includes the next file.
    case swallowing(String, String)
    /// A file of one byte, with a field for this size.
    case recording(String, size: UInt8)
    /// A file with an unusual field.
    case extended(String)
    /// `Manifest.json` with these selectors.
    case manifest(String)

    init(stringLiteral path: String) {
      self = path.hasSuffix("/") ? .folder(String(path.dropLast())) : .file(path)
    }
  }

  /// A publication, before it is changed or checked.
  struct Publishing: Sendable {
    /// The operation.
    enum Step: Sendable {
      case check, create
      case update(removing: [PackID])
    }

    var step = Step.check
    var packs: [PublishedPack] = [.example]
    var record: PublicationRecord?
    var archives: [PublishedArchive]?
    var previous: [PublishedPack]?
    var plist: String?

    init(_ step: Step = .check, _ change: (inout Publishing) -> Void = { _ in }) {
      self.step = step
      change(&self)
    }
  }
}

extension PublishedPack {
  /// Returns a pack of the download manifests of examples.
  static var example: PublishedPack { example(version: 4) }

  static func example(
    _ id: PackID = "tutorial", version: Int, size: UInt64 = 596, name: String? = nil,
    policy: DownloadPolicy = .onDemand
  ) -> PublishedPack {
    PublishedPack(
      id: id, url: "https://downloads.example.com/\(name ?? "\(id).aar")", version: version,
      downloadSize: size, downloadPolicy: policy)
  }
}

extension PublishedArchive {
  /// Returns the archive of the pack.
  static var example: PublishedArchive { example() }

  static func example(
    _ id: PackID = "tutorial", digest: Character = "a", policy: DownloadPolicy = .onDemand,
    platforms: [Platform] = [], userInfo: JSONValue? = nil
  ) -> PublishedArchive {
    PublishedArchive(
      path: "Packs/\(id).aar",
      manifest: Manifest(
        assetPackID: id.text, downloadPolicy: policy, fileSelectors: [.directory("Levels")],
        platforms: platforms, userInfo: userInfo),
      size: 596, installedSize: 2000, sha256: String(repeating: digest, count: 64))
  }
}

extension PublicationRecord {
  /// Returns a record with versions of one pack, each with the first digit of its digest.
  static func example(_ versions: (Int, Character)..., urlTemplate: String? = nil) -> Self {
    PublicationRecord(
      platform: nil, urlTemplate: urlTemplate,
      entries: versions.map {
        Entry(id: "tutorial", version: $0.0, sha256: String(repeating: $0.1, count: 64))
      })
  }
}

extension BudgetHoldings {
  /// Returns packs, all of which a device downloads again.
  static func example(_ packs: Pack...) -> Self {
    BudgetHoldings(
      packs,
      update: Update(
        Dictionary(packs.map { ($0.id, $0.archiveSize ?? 0) }) { first, _ in first }))
  }
}

extension BudgetHoldings.Pack {
  static func example(
    _ id: PackID, _ size: UInt64, files: [(path: String, size: UInt64)] = []
  ) -> Self {
    Self(id: id, policy: .essential(Set(InstallationEvent.allCases)), archiveSize: size) { take in
      for file in files { take(AssetPath(unchecked: file.path.utf8), file.size) }
    }
  }
}
