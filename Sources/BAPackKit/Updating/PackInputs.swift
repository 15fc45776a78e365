import AssetArchive
import BlockCodecs
import SystemIO

/// What the system says about a file: as long as all of it stays, so do the contents, except within
/// one tick of the clock (``isSettled(at:)``).
///
/// The device is left out: it may get another number with every start of a machine.
package struct FileWitness: Sendable, Equatable {
  package var size: UInt64
  package var modified: Moment
  /// When its contents, its name or its permissions last changed: unlike `modified` nobody can set
  /// it.
  package var changed: Moment
  package var number: UInt64

  package init(_ status: FileStatus) {
    size = status.size
    modified = status.modified
    changed = status.changed
    number = status.identity.number
  }

  init(size: UInt64, modified: Moment, changed: Moment, number: UInt64) {
    self.size = size
    self.modified = modified
    self.changed = changed
    self.number = number
  }

  /// How coarse the clock of a file system may be: FAT counts every other second.
  static let tick: Int64 = 2

  /// Whether whatever is written to the file after `moment` gives it another time.
  func isSettled(at moment: Moment) -> Bool {
    changed < moment.adding(seconds: -Self.tick)
  }
}

/// All that decides the bytes of an archive, as far as it can be told without reading a file.
package struct PackInputs: Sendable, Equatable {
  /// Settings, versions and the meaning of the manifest: each a name and a value.
  package struct Setting: Sendable, Equatable {
    package var name: Name
    package var value: [UInt8]

    package enum Name: UInt8, Sendable {
      case program = 1
      case encoder, timestamp, metadata, manifest
    }
  }

  package var settings: [Setting]
  /// The archive that is the source root; nil for a folder.
  var archive: FileWitness?
  /// The files and folders in their order, in one piece: thousands of them are compared as bytes.
  var entries: [UInt8] = []

  /// What is known before any file was looked for.
  init(
    _ manifest: Manifest, _ settings: PackSettings, packedBy program: String
  ) throws(Failure) {
    let blocks = settings.blocks
    var digest = try Digest(.sha256)
    manifest.archivedJSON().withRawSpan { digest.update($0) }
    self.settings = [
      Setting(name: .program, value: Array(program.utf8)),
      Setting(
        name: .encoder,
        value: try blocks.algorithm.encoderFingerprint(
          effort: blocks.effort, blockSize: blocks.blockSize)),
      Setting(
        name: .timestamp,
        value: Array("\(settings.timestamp.seconds).\(settings.timestamp.nanoseconds)".utf8)),
      Setting(name: .metadata, value: Array("\(settings.metadata)".utf8)),
      Setting(name: .manifest, value: digest.finish()),
    ]
  }

  init(settings: [Setting], archive: FileWitness?, entries: [UInt8]) {
    self.settings = settings
    self.archive = archive
    self.entries = entries
  }

  /// Takes in what selectors chose from a folder.
  mutating func take(_ selection: Selection, _ metadata: PackSettings.Metadata) {
    entries.removeAll(keepingCapacity: true)
    entries.reserveCapacity(selection.records.count * 64 + selection.paths.bytes.count)
    for record in selection.records {
      let isExecutable = record.permissions & 0o100 != 0
      entries.append(
        record.kind != .file ? Entry.folder : isExecutable ? Entry.executable : Entry.file)
      entries.append(counted: selection.paths.bytes[record.destination])
      if record.kind == .file {
        entries.append(FileWitness(record))
      } else if metadata == .preserved, record.hasSource {
        entries.append(word: UInt64(record.permissions))
        entries.append(word: UInt64(record.userID) << 32 | UInt64(record.groupID))
        entries.append(record.modified)
        for _ in 0..<2 { entries.append(word: 0) }
      } else {
        for _ in 0..<6 { entries.append(word: 0) }
      }
    }
  }

  /// The first thing in which these inputs differ from those of an earlier run; nil if they are
  /// equal.
  func difference(from former: PackInputs) -> PackReason? {
    for (old, new) in zip(former.settings, settings) where old != new {
      switch new.name {
      case .program: return .program
      case .encoder: return .compression
      case .timestamp: return .timestamp
      case .metadata: return .metadata
      case .manifest: return .manifest
      }
    }
    if former.archive != archive { return .sourceRoot }
    if former.entries == entries { return nil }
    return Entry.difference(entries, from: former.entries) ?? .record
  }

  /// Which files have to be looked into to know whether anything has changed: those of which the
  /// system says other times or another number than before, where paths, kinds and sizes are the
  /// same; nil where that does not tell.
  ///
  /// So it is after a checkout of its own, and where something was undone. Each is given by its
  /// place among the entries, and among the files.
  func doubtful(since former: PackInputs) -> [(entry: Int, file: Int)]? {
    guard former.settings == settings, !keepsMetadata, archive == nil, former.archive == nil,
      let before = Entry.table(former.entries), let now = Entry.table(entries),
      before.count == now.count
    else { return nil }
    var doubtful: [(entry: Int, file: Int)] = []
    var file = 0
    for (index, (old, new)) in zip(before, now).enumerated() {
      guard old.sign == new.sign, old.path == new.path else { return nil }
      if new.sign != Entry.folder {
        if !old.facts.elementsEqual(new.facts) {
          guard old.facts.prefix(8).elementsEqual(new.facts.prefix(8)) else { return nil }
          doubtful.append((index, file))
        }
        file += 1
      }
    }
    return doubtful
  }

  /// Whether times and permissions of files stand in the archive: then other contents are not all
  /// that counts.
  private var keepsMetadata: Bool {
    settings.first { $0.name == .metadata }?.value
      != Array("\(PackSettings.Metadata.fixed)".utf8)
  }
}

extension FileWitness {
  init(_ record: SelectionRecord) {
    size = record.size
    modified = record.modified
    changed = record.changed
    number = record.identity.number
  }
}

/// Why an archive has to be made.
package enum PackReason: Sendable, Equatable {
  /// There is no archive.
  case absent
  /// There is none of our records beside the archive, or one that is damaged.
  case record
  /// Another version of the program, another codec, level or block size, and so on.
  case program, compression, timestamp, metadata
  /// The manifest means something else.
  case manifest
  /// The source root is an archive and was replaced or written to, or it has become one.
  case sourceRoot
  /// A file or folder is new, gone or another one: its path.
  case added(AssetPath)
  case removed(AssetPath)
  case resized(AssetPath)
  case written(AssetPath)
  /// The archive is not as it was written.
  case output
  /// The clock says that the record is from the future: times mean nothing.
  case clock
}

extension PackReason: CustomStringConvertible {
  /// The reason, in words that follow 'because'.
  package var description: String {
    switch self {
    case .absent: "there is none yet"
    case .record: "no record says what it was made of"
    case .program: "another version of this program made it"
    case .compression: "it was compressed in another way"
    case .timestamp: "its entries had another time"
    case .metadata: "owners, permissions and times were treated in another way"
    case .manifest: "its manifest means something else"
    case .sourceRoot: "its source root is another archive"
    case .added(let path): "'\(path.shown)' is new"
    case .removed(let path): "'\(path.shown)' is gone"
    case .resized(let path): "'\(path.shown)' has another size"
    case .written(let path): "'\(path.shown)' has changed"
    case .output: "somebody has changed it"
    case .clock: "the clock was set back"
    }
  }
}

/// One file or folder among the bytes of ``PackInputs``: a sign, its path, and six words.
private enum Entry {
  static let folder: UInt8 = 0
  static let file: UInt8 = 1
  /// A file that its owner may execute: that stands in the archive.
  static let executable: UInt8 = 2
  /// What stands behind the path.
  static let factCount = 6 * 8

  /// The first difference between two lists.
  static func difference(_ new: [UInt8], from old: [UInt8]) -> PackReason? {
    guard let before = table(old), let now = table(new) else { return nil }
    let known = Dictionary(before.map { ($0.path, $0) }) { first, _ in first }
    for entry in now {
      let path = entry.path
      guard let former = known[path] else { return .added(path) }
      if former.sign != entry.sign { return .written(path) }
      if former.facts.elementsEqual(entry.facts) { continue }
      let keepsSize = former.facts.prefix(8).elementsEqual(entry.facts.prefix(8))
      return keepsSize || entry.sign == folder ? .written(path) : .resized(path)
    }
    let present = Set(now.map(\.path))
    return before.first { !present.contains($0.path) }.map { .removed($0.path) }
  }

  typealias Row = (sign: UInt8, path: AssetPath, facts: ArraySlice<UInt8>)

  static func table(_ bytes: [UInt8]) -> [Row]? {
    var reader = WordReader(bytes)
    var rows: [Row] = []
    while !reader.isAtEnd {
      guard let sign = reader.byte(), let path = reader.counted(),
        let facts = reader.take(factCount)
      else { return nil }
      rows.append((sign, AssetPath(unchecked: path), facts))
    }
    return rows
  }
}
