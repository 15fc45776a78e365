import BAPackKit
import SourceDiagnostics
import SystemIO

/// What was found out about packs when they were last verified, so that a server need not read them again as
/// long as they are the same files.
///
/// It only saves time: what is missing in its file, or is wrong there, is found out again.
package struct KnownPacks: Sendable {
  private var document: KnownPacksDocument
  private let file: StateFile<KnownPacksDocument>?
  private var hasChanged = false

  /// Knows nothing, and keeps nothing.
  package init() {
    document = KnownPacksDocument(program: "")
    file = nil
  }

  /// Reads a file; packs that another version of the program verified are unknown.
  package init(keptIn path: String, by program: String) {
    let file = StateFile<KnownPacksDocument>(path)
    self.file = file
    let found = file.readCache()
    document =
      if let found, found.program == program { found } else { KnownPacksDocument(program: program) }
  }

  /// The pack at a path, if it is the file that is known.
  func archive(at path: String, _ status: FileStatus) -> PublishedArchive? {
    guard let pack = document.packs[path], pack.stamp == .init(status),
      let manifest = ManifestDocument(parsing: Array(pack.manifest.utf8), named: path).manifest
    else { return nil }
    return PublishedArchive(
      path: path, manifest: manifest, size: status.size, installedSize: pack.installedSize,
      sha256: pack.sha256)
  }

  /// Remembers a pack that was read from `begin` on.
  ///
  /// A file that changed just before could change again without another time: file systems count time in
  /// steps.
  mutating func remember(
    _ archive: PublishedArchive, _ status: FileStatus, readFrom begin: Moment
  ) {
    guard max(status.modified, status.changed).adding(seconds: 2) <= begin else { return }
    document.packs[archive.path] = KnownPacksDocument.Pack(
      stamp: .init(status), sha256: archive.sha256, installedSize: archive.installedSize,
      manifest: String(decoding: archive.manifest.archivedJSON(), as: UTF8.self))
    hasChanged = true
  }

  /// Writes the file, if there is something new.
  mutating func keep() throws(Failure) {
    guard hasChanged, let file else { return }
    document.shorten()
    try file.replaceCache(by: document)
    hasChanged = false
  }
}

/// The file with what is known about packs.
struct KnownPacksDocument: JSONStateDocument, StateCache {
  /// The version of the program that verified the packs.
  var program: String
  /// The packs by their paths.
  var packs: [String: Pack] = [:]

  struct Pack: Equatable, Sendable {
    var stamp: Stamp
    var sha256: String
    var installedSize: UInt64
    /// The manifest in the pack, as text.
    var manifest: String
  }

  /// What shows whether a file is still the same.
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
  /// Of more packs the file would be larger than the time that it saves is worth.
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

  /// Forgets the oldest files, if there are too many.
  mutating func shorten() {
    guard packs.count > Self.most else { return }
    let kept = packs.sorted { $0.value.stamp.changed > $1.value.stamp.changed }
    packs = Dictionary(uniqueKeysWithValues: kept.prefix(Self.most).map { ($0.key, $0.value) })
  }

  var members: [JSONValue.Member] {
    let packs = packs.sorted { $0.key < $1.key }.map { path, pack -> JSONValue in
      .object([
        .init("path", .string(path)),
        // Numbers as text: many readers of JSON lose digits above 2^53.
        .init("file", .array(pack.stamp.numbers.map { .string("\($0)") })),
        .init("sha256", .string(pack.sha256)),
        .init("installedSize", .string("\(pack.installedSize)")),
        .init("manifest", .string(pack.manifest)),
      ])
    }
    return [.init("program", .string(program)), .init("packs", .array(packs))]
  }
}
