@testable import BAPackKit
import SourceDiagnostics

/// The surroundings of the example of a rule, with which tests check that the rule reports the
/// mistake and not the correction.
///
/// An example without a trial is a member of a manifest, or a whole manifest.
enum Trial: Sendable {
  /// Both are members of a manifest, or whole manifests, that are not shown as they are.
  case made(wrong: [UInt8], right: [UInt8])
  /// Both are members of a manifest that selects from these files; `correct` are the files for the
  /// correction, if they differ.
  case files([File], correct: [File]? = nil)
  /// The manifests of an app, of which the texts are members, and the files that all of them select
  /// from.
  case app(
    wrong: [String], right: [String], files: [File] = [], primaryLanguage: LanguageTag? = nil)
  /// Finished packs.
  case packs(wrong: Pack, right: Pack)
  /// Both are members of a download manifest, or whole ones; `…` stands for the other members of a
  /// pack.
  case downloadManifest
  /// The IDs of a project's packs, and of those that were collected.
  case collected(of: [String], wrong: [String], right: [String])
  /// Both are members of a project file.
  case project
  /// Both are members of a project file, and these are the packs that are held against its budgets.
  case budget(wrong: BudgetHoldings, right: BudgetHoldings)
  /// Both are members of a record, or whole ones.
  case record
  /// What is published, or was.
  case publishing(wrong: Publishing, right: Publishing)
  /// Files given as archives of packs; nil stands for a real one.
  case archive(wrong: [UInt8]?, right: [UInt8]?)
  /// Both are members of an unmanaged manifest; `…` stands for the other members of an asset. Files
  /// and a property list are there if they are given, and others for the correction, if they
  /// differ.
  case unmanagedManifest(
    files: [File]?, correctFiles: [File]?, plist: String?, correctPlist: String?)

  /// An unmanaged manifest, by itself or beside files.
  static func unmanaged(files: [File]? = nil, correct: [File]? = nil) -> Trial {
    .unmanagedManifest(files: files, correctFiles: correct, plist: nil, correctPlist: nil)
  }

  /// An unmanaged manifest beside a property list.
  static func unmanaged(plist: String, correct: String) -> Trial {
    .unmanagedManifest(files: nil, correctFiles: nil, plist: plist, correctPlist: correct)
  }
}

extension Trial {
  /// All trials, by the ID of the rule.
  static let byRule = ofManifestRules.merging(ofPackRules) { $1 }
    .merging(ofPublicationRules) { $1 }

  /// Something in a source root; a string is the path of a file.
  enum File: Sendable, ExpressibleByStringLiteral {
    case file(String, [UInt8] = [UInt8(ascii: "x")])
    case folder(String)
    case link(String, to: String)
    case pipe(String)
    case hole(String, size: Int)
    /// A file that the system refuses to open.
    case refused(String)

    init(stringLiteral path: String) { self = .file(path) }
  }

  /// A finished pack, made by hand.
  struct Pack: Sendable {
    /// The entries after the root.
    var entries: [Entry]
    /// How the pack is laid out in its file.
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

  /// An entry of a pack; a string is the path of a file, or of a folder if it ends with '/'.
  enum Entry: Sendable, ExpressibleByStringLiteral {
    case file(String, [UInt8] = [UInt8(ascii: "x")])
    case folder(String)
    case link(String, to: String)
    /// A file that claims to have this size.
    case claiming(String, Int)
    /// A file whose length includes the whole file that follows it.
    case swallowing(String, String)
    /// A file of one byte, with a field that gives this size.
    case recording(String, size: UInt8)
    /// A file with a field that packs do not have.
    case extended(String)
    /// `Manifest.json` with these selectors.
    case manifest(String)

    init(stringLiteral path: String) {
      self = path.hasSuffix("/") ? .folder(String(path.dropLast())) : .file(path)
    }
  }

  /// A publication, before it is changed or checked.
  struct Publishing: Sendable {
    /// What is done.
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
  /// A pack as it is in the download manifests of examples.
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
  /// The pack's archive.
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
  /// A record of these versions of one pack, each with the first digit of its digest.
  static func example(_ versions: (Int, Character)..., urlTemplate: String? = nil) -> Self {
    PublicationRecord(
      platform: nil, urlTemplate: urlTemplate,
      entries: versions.map {
        Entry(id: "tutorial", version: $0.0, sha256: String(repeating: $0.1, count: 64))
      })
  }
}

extension BudgetHoldings {
  /// Packs, all of which a player downloads again.
  static func example(_ packs: Pack...) -> Self {
    BudgetHoldings(
      packs, update: Dictionary(packs.map { ($0.id, $0.archiveSize ?? 0) }) { first, _ in first })
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
