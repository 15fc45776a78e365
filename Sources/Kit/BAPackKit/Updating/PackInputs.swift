import AssetArchive
import BlockCodecs
import SystemIO

/// The file status that detects changes: if it is equal, so are the contents, except within one
/// tick of the clock (``isSettled(at:)``).
///
/// The device number is not included, because it may change when the system restarts.
package struct FileWitness: Sendable, Equatable {
  package var size: UInt64
  package var modified: Moment
  /// The time of the last change of contents, name or permissions, which programs cannot set.
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

  /// The maximum resolution of timestamps of file systems in seconds: FAT has two seconds.
  static let tick: Int64 = 2

  /// Whether every modification of the file after `moment` results in another timestamp.
  func isSettled(at moment: Moment) -> Bool {
    changed < moment.adding(seconds: -Self.tick)
  }
}

/// The input that determines the bytes of an archive, without the contents of files.
package struct PackInputs: Sendable, Equatable {
  /// A setting, a version or the manifest's content, with a name and a value.
  package struct Setting: Sendable, Equatable {
    package var name: Name
    package var value: [UInt8]

    package enum Name: UInt8, Sendable {
      case program = 1
      case encoder, timestamp, metadata, manifest
    }
  }

  package var settings: [Setting]
  /// The source root, if it is an archive; nil for a folder.
  var archive: FileWitness?
  /// The files and folders in order, encoded as bytes for fast comparison.
  var entries: [UInt8] = []

  /// Creates the inputs that are known before the search for files.
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

  /// Adds the selected files of a folder.
  mutating func add(_ selection: Selection, _ metadata: PackSettings.Metadata) {
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

  /// Returns the first difference from the inputs of an earlier run; nil if they are equal.
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

  /// Returns the files whose contents must be compared: files with changed times or numbers.
  ///
  /// Returns nil if that is insufficient, because paths, kinds or sizes differ. Only times and
  /// numbers change after a new checkout, or when a change was undone. Each file is given by its
  /// index among the entries, and by its index among the files.
  func filesToCompare(since former: PackInputs) -> [(entry: Int, file: Int)]? {
    guard former.settings == settings, !keepsMetadata, archive == nil, former.archive == nil,
      let before = Entry.table(former.entries), let now = Entry.table(entries),
      before.count == now.count
    else { return nil }
    var filesToCompare: [(entry: Int, file: Int)] = []
    var file = 0
    for (index, (old, new)) in zip(before, now).enumerated() {
      guard old.sign == new.sign, old.path == new.path else { return nil }
      if new.sign != Entry.folder {
        if !old.facts.elementsEqual(new.facts) {
          guard old.facts.prefix(8).elementsEqual(new.facts.prefix(8)) else { return nil }
          filesToCompare.append((index, file))
        }
        file += 1
      }
    }
    return filesToCompare
  }

  /// Whether the archive contains the times and permissions of files, so that equal contents are
  /// insufficient.
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

/// The reason for packing an archive.
package enum PackReason: Sendable, Equatable {
  /// The archive does not exist.
  case absent
  /// The archive has no record, or its record is damaged.
  case record
  /// The version of ba-package, the codec, the level, the block size or other settings differ.
  case program, compression, timestamp, metadata
  /// The content of the manifest differs.
  case manifest
  /// The source root is a modified or another archive, or the kind of the source root changed.
  case sourceRoot
  /// A file or folder at this path was added, removed or changed.
  case added(AssetPath)
  case removed(AssetPath)
  case resized(AssetPath)
  case written(AssetPath)
  /// The archive was modified after it was written.
  case output
  /// The record has a time in the future, so times are unusable.
  case clock
}

extension PackReason: CustomStringConvertible {
  /// The reason as text after 'because'.
  package var description: String {
    switch self {
    case .absent: "it does not exist"
    case .record: "it has no record"
    case .program: "it was made by another version of ba-package"
    case .compression: "its compression settings differ"
    case .timestamp: "its timestamp differs"
    case .metadata: "its settings for owners, permissions and times differ"
    case .manifest: "its manifest has changed"
    case .sourceRoot: "its source root has changed"
    case .added(let path): "'\(path.shown)' is new"
    case .removed(let path): "'\(path.shown)' was removed"
    case .resized(let path): "'\(path.shown)' has another size"
    case .written(let path): "'\(path.shown)' has changed"
    case .output: "the archive was modified"
    case .clock: "the clock was set back"
    }
  }
}

/// A file or folder among the bytes of ``PackInputs``: its kind, its path, and six words.
private enum Entry {
  static let folder: UInt8 = 0
  static let file: UInt8 = 1
  /// The kind of an executable file, which the archive records.
  static let executable: UInt8 = 2
  /// The size of the values after the path.
  static let factCount = 6 * 8

  /// Returns the first difference between two lists.
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
    var reader = RecordParser(bytes)
    var rows: [Row] = []
    while !reader.isAtEnd {
      guard let sign = reader.byte(), let path = reader.counted(),
        let facts = reader.next(factCount)
      else { return nil }
      rows.append((sign, AssetPath(unchecked: path), facts))
    }
    return rows
  }
}
