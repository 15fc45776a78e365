import BAPackKit
import SourceDiagnostics
import SystemIO

/// What was found out about packs when they were last verified, so that a server need not read them
/// again as long as they are the same files.
///
/// It only saves time: whatever is missing or strange in its file is found out anew.
package struct KnownPacks {
  private var entries: [String: Entry] = [:]
  private var hasChanged = false
  private var place: (path: String, program: String)?

  private struct Entry {
    var status: Stamp
    var sha256: String
    var installedSize: UInt64
    /// The manifest in the pack, as text.
    var manifest: String
  }

  /// What tells whether a file is still the same.
  private struct Stamp: Equatable {
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
      guard numbers.count == 7, let modified = Moment(numbers[3], numbers[4]),
        let changed = Moment(numbers[5], numbers[6])
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

  /// Knows nothing.
  package init() {}

  /// The pack at a path, if it is the file that is known.
  func archive(at path: String, _ status: FileStatus) -> PublishedArchive? {
    guard let entry = entries[path], entry.status == Stamp(status),
      let manifest = ManifestDocument(parsing: Array(entry.manifest.utf8), named: path).manifest
    else { return nil }
    return PublishedArchive(
      path: path, manifest: manifest, size: status.size, installedSize: entry.installedSize,
      sha256: entry.sha256)
  }

  /// Remembers a pack that was read from `begin` on.
  ///
  /// A file that changed just before could change again without another time: file systems count time
  /// in steps.
  mutating func remember(
    _ archive: PublishedArchive, _ status: FileStatus, readFrom begin: Moment
  ) {
    let newest = max(status.modified, status.changed)
    guard newest.adding(seconds: 2) <= begin else { return }
    entries[archive.path] = Entry(
      status: Stamp(status), sha256: archive.sha256, installedSize: archive.installedSize,
      manifest: String(decoding: archive.manifest.archivedJSON(), as: UTF8.self))
    hasChanged = true
  }
}

extension Moment {
  fileprivate init?(_ seconds: UInt64, _ nanoseconds: UInt64) {
    self.init(seconds: Int64(bitPattern: seconds), stored: nanoseconds)
  }
}

// MARK: - The file

extension KnownPacks {
  private static let format = 1
  private static let largest = 64 << 20
  /// Of more packs the record would be larger than what it saves.
  private static let most = 4096

  /// Reads what was remembered; packs that another version of the program verified are unknown.
  package init(keptIn path: String, by program: String) {
    place = (path, program)
    guard let file = try? FileDescriptor.open(path, for: .reading),
      let bytes = try? file.readToEnd(atMost: Self.largest), bytes.count < Self.largest,
      let root = JSONDocument(parsing: SourceText(bytes, named: path)).root,
      root["format"]?.number == "\(Self.format)", root["program"]?.string == program,
      let packs = root["packs"]
    else { return }
    for pack in packs.elements {
      guard let place = pack["path"]?.string, let numbers = pack["file"]?.elements,
        let stamp = Stamp(numbers.compactMap { $0.string.flatMap { UInt64($0) } }),
        let sha256 = pack["sha256"]?.string,
        let unpacked = pack["installedSize"]?.string.flatMap({ UInt64($0) }),
        let manifest = pack["manifest"]?.string
      else { continue }
      entries[place] = Entry(
        status: stamp, sha256: sha256, installedSize: unpacked, manifest: manifest)
    }
  }

  /// Writes it down, if there is something new and a place for it.
  mutating func keep() throws(Failure) {
    guard hasChanged, let (path, program) = place else { return }
    if entries.count > Self.most {
      // The oldest files go first.
      let kept = entries.sorted { $0.value.status.changed > $1.value.status.changed }
      entries = Dictionary(uniqueKeysWithValues: kept.prefix(Self.most).map { ($0.key, $0.value) })
    }
    let packs = entries.sorted { $0.key < $1.key }.map { path, entry -> JSONValue in
      .object([
        .init("path", .string(path)),
        // Numbers as text: JSON's lose digits above 2^53 in many hands.
        .init("file", .array(entry.status.numbers.map { .string("\($0)") })),
        .init("sha256", .string(entry.sha256)),
        .init("installedSize", .string("\(entry.installedSize)")),
        .init("manifest", .string(entry.manifest)),
      ])
    }
    let value = JSONValue.object([
      .init("format", .integer(Self.format)), .init("program", .string(program)),
      .init("packs", .array(packs)),
    ])
    let file = try AtomicFile(path, replacing: true, makingFolder: true)
    try file.setPermissions(0o600)
    try file.write(JSONWriter.bytes(value, .compact))
    try file.publish(syncing: false)
    hasChanged = false
  }
}
