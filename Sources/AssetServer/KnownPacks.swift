import BAPackKit
import SourceDiagnostics
import SystemIO

/// The results of the last verification of each pack.
///
/// With them, a server does not read unchanged files again. They only save time: the server
/// verifies a pack again if its entry in the file is missing or invalid.
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
  mutating func remember(
    _ archive: PublishedArchive, _ status: FileStatus, readFrom begin: Moment
  ) {
    guard max(status.modified, status.changed).adding(seconds: 2) <= begin else { return }
    document.packs[archive.path] = KnownPacksDocument.Pack(
      stamp: .init(status), sha256: archive.sha256, installedSize: archive.installedSize,
      manifest: String(decoding: archive.manifest.archivedJSON(), as: UTF8.self))
    hasChanged = true
  }

  /// Writes the file, if there are changes.
  mutating func keep() throws(Failure) {
    guard hasChanged, let file else { return }
    document.shorten()
    try file.replaceCache(by: document)
    hasChanged = false
  }
}

/// The file that contains the verified packs.
struct KnownPacksDocument: JSONStateDocument, StateCache {
  /// The version of the program that verified the packs.
  var program: String
  /// The packs, by path.
  var packs: [String: Pack] = [:]

  struct Pack: Equatable, Sendable {
    var stamp: Stamp
    var sha256: String
    var installedSize: UInt64
    /// The manifest in the pack, as text.
    var manifest: String
  }

  /// The file attributes that show whether a file is unchanged.
  struct Stamp: Equatable, Sendable {
    var identity: FileIdentity
    var size: UInt64
    var modified: Moment
    var changed: Moment

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

  static let noun = "record of verified packs"
  static let largest = 64 << 20
  static let rules = StateRules(.owner, isSynced: false)
  static let format = 1
  static let layout = JSONWriter.Layout.compact
  /// The largest number of packs; it limits the size of the file.
  private static let most = 4096

  init(program: String) { self.program = program }

  init(_ root: JSONNode, format _: Int) throws(StateFault) {
    guard let program = root["program"]?.string, let packs = root["packs"], packs.kind == .array
    else { throw .damaged("'program' or 'packs' is missing") }
    self.program = program
    for pack in packs.elements {
      guard let place = pack["path"]?.string, let numbers = pack["file"]?.elements,
        let stamp = Stamp(numbers.compactMap { $0.string.flatMap { UInt64($0) } }),
        let sha256 = pack["sha256"]?.string,
        let unpacked = pack["installedSize"]?.string.flatMap({ UInt64($0) }),
        let manifest = pack["manifest"]?.string
      else { continue }
      self.packs[place] = Pack(
        stamp: stamp, sha256: sha256, installedSize: unpacked, manifest: manifest)
    }
  }

  /// Removes the oldest entries, if there are too many.
  mutating func shorten() {
    guard packs.count > Self.most else { return }
    let kept = packs.sorted { $0.value.stamp.changed > $1.value.stamp.changed }
    packs = Dictionary(uniqueKeysWithValues: kept.prefix(Self.most).map { ($0.key, $0.value) })
  }

  var members: [JSONValue.Member] {
    let packs = packs.sorted { $0.key < $1.key }.map { path, pack -> JSONValue in
      .object([
        .init("path", .string(path)),
        // Numbers are strings: many JSON parsers lose precision above 2^53.
        .init("file", .array(pack.stamp.numbers.map { .string("\($0)") })),
        .init("sha256", .string(pack.sha256)),
        .init("installedSize", .string("\(pack.installedSize)")),
        .init("manifest", .string(pack.manifest)),
      ])
    }
    return [.init("program", .string(program)), .init("packs", .array(packs))]
  }
}
