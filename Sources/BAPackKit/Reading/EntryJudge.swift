import AssetArchive
import SystemIO

/// What is wrong with an entry, or with its place among the others.
enum EntryFault: Error, Equatable {
  case otherKind(PackEntry.Kind)
  case unsafePath(PathFault)
  case notUTF8
  case outsideContents
  case duplicate
  case noParent(PackPath)
  case belowFile(PackPath)
  case folderWithContents
  case fileWithoutContents
  /// The root of the archive, or `Contents`, is not a folder.
  case notAFolder(PackEntry.Kind)
  case largerThanArchive(UInt64)
  case tooMany
}

extension EntryFault: CustomStringConvertible {
  /// The same in a few words, for a list.
  var phrase: String {
    if case .otherKind(let kind) = self { "is \(kind.phrase)" } else { description }
  }

  var description: String {
    switch self {
    case .otherKind: "\(phrase); a pack holds only files and folders"
    case .unsafePath(let fault): "has an unsafe path: it \(fault)"
    case .notUTF8: "has a path that is not UTF-8"
    case .outsideContents: "lies outside 'Contents'"
    case .duplicate: "is there twice"
    case .noParent(let parent): "lies in '\(parent.shown)', which has no entry before it"
    case .belowFile(let parent): "lies below '\(parent.shown)', which is no folder"
    case .folderWithContents: "is a folder with contents (a DAT field)"
    case .fileWithoutContents: "is a file without contents (no DAT field)"
    case .notAFolder(let kind): "is \(kind.phrase), and must be a folder"
    case .largerThanArchive(let size): "claims \(size) bytes, more than the archive holds"
    case .tooMany: "is one more than the \(EntryJudge.mostEntries) that a pack may have"
    }
  }
}

/// Checks the entries of a pack one after the other: each by itself, and against those before it.
///
/// Memory is a few bytes for each path seen so far, however long it is.
struct EntryJudge {
  /// More than any pack has; so an archive that has nothing but headers cannot fill the memory.
  static let mostEntries = 8_000_000

  /// The paths seen so far, and whether they are folders.
  private var seen: [PathDigest: Bool] = [:]
  /// The folder of the last entry: nearly always that of the next one, too.
  private var lastFolder: PackPath?
  /// The decoded size of all blocks of the archive.
  private let decodedSize: UInt64
  /// Whether other entries than `Contents` and the manifest are allowed; in asset packs they are
  /// not.
  private let allowsOthers: Bool

  init(decodedSize: UInt64, allowsOthers: Bool = false) {
    self.decodedSize = decodedSize
    self.allowsOthers = allowsOthers
  }

  /// What is wrong with the next entry; the list is empty for nearly all.
  mutating func faults(of entry: PackEntry) -> [EntryFault] {
    var faults: [EntryFault] = []
    if (entry.size ?? 0) > decodedSize - min(decodedSize, entry.streamOffset) {
      faults.append(.largerThanArchive(entry.size ?? 0))
    }
    switch entry.kind {
    case .file: if entry.size == nil { faults.append(.fileWithoutContents) }
    case .directory: if entry.size != nil { faults.append(.folderWithContents) }
    default:
      faults.append(.otherKind(entry.kind))
      // Only a metadata entry has no path; nothing else is checked then.
      if entry.storedPath == .root { return faults }
    }
    if let fault = entry.storedPath.fault { return faults + [.unsafePath(fault)] }
    guard let path = entry.storedPath.path else { return faults }
    if String(validating: path.bytes, as: UTF8.self) == nil { faults.append(.notUTF8) }
    if !allowsOthers && !(path == .root || entry.isInContents || entry.isManifest) {
      faults.append(.outsideContents)
    }
    faults += placeFaults(of: entry, at: path)
    return faults
  }

  private mutating func placeFaults(of entry: PackEntry, at path: PackPath) -> [EntryFault] {
    guard seen.count < Self.mostEntries else { return [.tooMany] }
    guard seen.updateValue(entry.kind == .directory, forKey: PathDigest(path.bytes)) == nil else {
      return [.duplicate]
    }
    guard let parent = path.parent else {
      let mustBeFolder = path == .root || (path == .contents && !allowsOthers)
      return mustBeFolder && entry.kind == .file ? [.notAFolder(entry.kind)] : []
    }
    if parent == lastFolder { return [] }
    switch seen[PathDigest(parent.bytes)] {
    case nil: return [.noParent(parent)]
    case .some(false): return [.belowFile(parent)]
    case .some(true):
      lastFolder = parent
      return []
    }
  }
}

extension PackError {
  /// What is wrong with an entry, as the reason to refuse its pack.
  init(_ fault: EntryFault, of entry: PackEntry, archive name: String) {
    self.init(
      .malformed(offset: entry.fileOffset), reading: name,
      "the entry '\(entry.archivePath)' \(fault) (at byte \(entry.fileOffset) of the file)",
      remedies: fault == .outsideContents ? [.takeRawEntries] : [])
  }

  /// The failure that says that this archive of Apple's format is no asset pack, and what can be
  /// done with it.
  package static func notAnAssetPack(
    _ name: String, entries count: Int
  ) -> PackError {
    let entries = "\(count) \(count == 1 ? "entry" : "entries")"
    return PackError(
      .notAnAssetPack,
      "'\(name)' is not an asset pack: no Contents; "
        + "it has \(count == 0 ? "no entries" : entries)",
      remedy: count == 0 ? nil : .takeRawEntries)
  }
}
