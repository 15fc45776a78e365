import BAPackKit
import SourceDiagnostics
import SystemIO

/// The results of the last verification of each pack.
///
/// With them, a server does not read unchanged files again. They are a cache: the server verifies a
/// pack again if the cache file does not contain the pack or is invalid.
package struct KnownPacks: Sendable {
  private var document: KnownPacksDocument
  private let file: StateFile<KnownPacksDocument>?
  private var hasChanged = false

  /// Creates an empty cache without a file.
  package init() {
    document = KnownPacksDocument(program: "")
    file = nil
  }

  /// Reads a file; ignores packs that another version of the program verified.
  package init(keptIn path: String, by program: String) {
    let file = StateFile<KnownPacksDocument>(path)
    self.file = file
    let found = file.readCache()
    document =
      if let found, found.program == program { found } else { KnownPacksDocument(program: program) }
  }

  /// Returns the pack at a path, if the file is unchanged since its verification.
  func archive(at path: String, _ status: FileStatus) -> PublishedArchive? {
    guard let pack = document.packs[path], pack.stamp == .init(status),
      let manifest = ManifestDocument(parsing: Array(pack.manifest.utf8), named: path).manifest
    else { return nil }
    return PublishedArchive(
      path: path, manifest: manifest, size: status.size, installedSize: pack.installedSize,
      sha256: pack.sha256)
  }

  /// Records a pack whose reading started at `begin`.
  ///
  /// A file that changed shortly before `begin` is not recorded. The resolution of file timestamps
  /// is limited, so a second change could leave the same timestamp.
  mutating func record(
    _ archive: PublishedArchive, _ status: FileStatus, readFrom begin: Moment
  ) {
    guard max(status.modified, status.changed).adding(seconds: 2) <= begin else { return }
    document.packs[archive.path] = KnownPacksDocument.Pack(
      path: archive.path, stamp: .init(status), sha256: archive.sha256,
      installedSize: archive.installedSize,
      manifest: String(decoding: archive.manifest.archivedJSON(), as: UTF8.self))
    hasChanged = true
  }

  /// Writes the file, if there are changes.
  mutating func save() throws(Failure) {
    guard hasChanged, let file else { return }
    document.shorten()
    try file.replaceCache(by: document)
    hasChanged = false
  }
}

/// The file that contains the verified packs.
struct KnownPacksDocument: JSONStateDocument, StateCache, Described {
  /// The version of the program that verified the packs.
  var program: String
  /// The packs, by path.
  var packs: [String: Pack] = [:]

  struct Pack: Equatable, Sendable, Described {
    var path = ""
    var stamp = Stamp()
    var sha256 = ""
    var installedSize: UInt64 = 0
    /// The manifest in the pack, as JSON.
    var manifest = ""

    static let table = Table("a pack", blank: Pack()) {
      Key("path", \.path, .text, "The path of the archive.")
      Key("file", \.stamp, .stamp, "The attributes of the file, in decimal digits.")
      Key("sha256", \.sha256, .text, "The SHA-256 digest of the archive.")
      Key("installedSize", \.installedSize, .digits, "The size of the installed files in bytes.")
      Key("manifest", \.manifest, .text, "The manifest in the archive.")
    }
  }

  /// The file attributes that show whether a file is unchanged.
  struct Stamp: Equatable, Sendable {
    var identity = FileIdentity(device: 0, number: 0)
    var size: UInt64 = 0
    var modified = Moment(seconds: 0)
    var changed = Moment(seconds: 0)

    init() {}

    init(_ status: FileStatus) {
      identity = status.identity
      size = status.size
      modified = status.modified
      changed = status.changed
    }

    init?(_ numbers: [UInt64]) {
      guard numbers.count == 7,
        let modified = Moment(
          seconds: Int64(bitPattern: numbers[3]), stored: numbers[4]),
        let changed = Moment(
          seconds: Int64(bitPattern: numbers[5]), stored: numbers[6])
      else { return nil }
      identity = FileIdentity(device: numbers[0], number: numbers[1])
      size = numbers[2]
      self.modified = modified
      self.changed = changed
    }

    var numbers: [UInt64] {
      [
        identity.device, identity.number, size, UInt64(bitPattern: modified.seconds),
        UInt64(modified.nanoseconds), UInt64(bitPattern: changed.seconds),
        UInt64(changed.nanoseconds),
      ]
    }
  }

  static let noun = "list of verified packs"
  static let largest = 64 << 20
  static let rules = StateRules(.owner, isSynced: false)
  static let format = 1
  static let layout = JSONWriter.Layout.compact
  /// The largest number of packs; it limits the size of the file.
  private static let most = 4096

  static let table = Table(
    "a list of verified packs", blank: KnownPacksDocument(program: "")
  ) {
    Key("program", \.program, .text, "The version of the program that verified the packs.")
    Key("packs", \.packs, .byPath, "The verified packs.")
  }

  init(program: String) { self.program = program }

  /// Removes the oldest entries, if there are too many.
  mutating func shorten() {
    guard packs.count > Self.most else { return }
    let kept = packs.sorted { $0.value.stamp.changed > $1.value.stamp.changed }
    packs = Dictionary(uniqueKeysWithValues: kept.prefix(Self.most).map { ($0.key, $0.value) })
  }
}

extension JSONForm<[String: KnownPacksDocument.Pack]> {
  /// A list in the order of the paths.
  fileprivate static var byPath: JSONForm {
    .mapped(
      .list(of: .object), write: { $0.values.sorted { $0.path < $1.path } },
      read: { Dictionary($0.map { ($0.path, $0) }, uniquingKeysWith: { $1 }) })
  }
}

extension JSONForm<KnownPacksDocument.Stamp> {
  /// A list of numbers, read without the general form of a list.
  ///
  /// Most values of the file are in stamps. The general form needs half of the time of reading.
  fileprivate static var stamp: JSONForm {
    let list = JSONForm<[UInt64]>.list(of: .digits)
    return JSONForm(list.shape, write: { list.value($0.numbers) }) { node in
      var numbers: [UInt64] = []
      numbers.reserveCapacity(node.count)
      for element in node.elements {
        guard let number = element.string.flatMap({ UInt64($0) }) else { return nil }
        numbers.append(number)
      }
      return KnownPacksDocument.Stamp(numbers)
    }
  }
}

extension JSONForm<UInt64> {
  /// A number in a string: many JSON parsers lose precision above 2^53.
  fileprivate static var digits: JSONForm {
    .text(expecting: "a whole number in a string", pattern: "^[0-9]+$", write: { "\($0)" }) {
      UInt64($0)
    }
  }
}
