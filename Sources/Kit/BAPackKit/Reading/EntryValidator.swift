import AssetArchive
import SystemIO

/// A fault of an entry, or of its place among other entries.
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
  /// A short description for lists.
  var phrase: String {
    if case .otherKind(let kind) = self { "is \(kind.phrase)" } else { description }
  }

  var description: String {
    switch self {
    case .otherKind: "\(phrase); a pack contains only files and folders"
    case .unsafePath(let fault): "has an unsafe path: it \(fault)"
    case .notUTF8: "has a path that is not UTF-8"
    case .outsideContents: "is outside 'Contents'"
    case .duplicate: "is a duplicate"
    case .noParent(let parent): "is in '\(parent.shown)', which has no earlier entry"
    case .belowFile(let parent): "is below '\(parent.shown)', which is not a folder"
    case .folderWithContents: "is a folder with contents (a DAT field)"
    case .fileWithoutContents: "is a file without contents (no DAT field)"
    case .notAFolder(let kind): "is \(kind.phrase), but must be a folder"
    case .largerThanArchive(let size): "has the size \(size), which exceeds the archive"
    case .tooMany: "exceeds the maximum of \(EntryValidator.mostEntries) entries"
    }
  }
}

/// A validator of the entries of a pack, in order, including their relation to earlier entries.
///
/// Memory is a few bytes for each path, regardless of its length.
struct EntryValidator {
  /// The maximum number of entries, so that an archive of headers only cannot exhaust the memory.
  static let mostEntries = 8_000_000

  /// The digests of earlier paths, and whether they are folders.
  private var seen: [PathDigest: Bool] = [:]
  /// The folder of the last entry, usually also of the next one.
  private var lastFolder: PackPath?
  /// The decoded size of all blocks of the archive.
  private let decodedSize: UInt64
  /// Whether entries other than `Contents` and the manifest are allowed; in asset packs they are
  /// not.
  private let allowsOthers: Bool

  init(decodedSize: UInt64, allowsOthers: Bool = false) {
    self.decodedSize = decodedSize
    self.allowsOthers = allowsOthers
  }

  /// Returns the faults of the next entry; empty for nearly all entries.
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
      // Only a metadata entry has no path. No further checks apply to it.
      if entry.storedPath == .root { return faults }
    }
    if let fault = entry.storedPath.fault { return faults + [.unsafePath(fault)] }
    guard let path = entry.storedPath.path else { return faults }
    let isPlain = path.bytes.allSatisfy { $0 < 0x80 }
    if !isPlain, String(validating: path.bytes, as: UTF8.self) == nil { faults.append(.notUTF8) }
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
  init(_ fault: EntryFault, of entry: PackEntry, archive name: String) {
    self.init(
      .malformed(offset: entry.fileOffset), reading: name,
      "the entry '\(entry.archivePath)' \(fault) (at byte \(entry.fileOffset) of the file)",
      remedies: fault == .outsideContents ? [.takeRawEntries] : [])
  }

  /// Returns an error for an archive of Apple's format that is not an asset pack, with a remedy.
  package static func notAnAssetPack(
    _ name: String, entries count: Int
  ) -> PackError {
    let entries = "\(count) \(count == 1 ? "entry" : "entries")"
    return PackError(
      .notAnAssetPack,
      "'\(name)' is not an asset pack: 'Contents' is missing; "
        + "it has \(count == 0 ? "no entries" : entries)",
      remedy: count == 0 ? nil : .takeRawEntries)
  }
}
