import ForeignArchives
import SystemIO

/// What the first bytes of the files in an archive show, noted while the archive is listed.
///
/// A folder's files are opened when a rule needs them. An archive is read only once before it is
/// packed, so everything the rules may ask is noted then; for most files, four bytes are enough.
struct FileStarts: Sendable {
  /// What to look for.
  struct Signs: OptionSet {
    let rawValue: Int
    static let macPrograms = Signs(rawValue: 1)
    static let manifests = Signs(rawValue: 2)
    static let pointers = Signs(rawValue: 4)
  }

  /// More than a pack has among its files; each takes up to 64 KiB of memory.
  private static let mostManifests = 64

  private let signs: Signs
  /// The entries of the archive that are programs for macOS, by their index.
  private(set) var macPrograms: Set<Int> = []
  /// The beginnings of packaging manifests, by the index of their entry.
  private(set) var manifests: [Int: [UInt8]] = [:]
  /// The entries that are pointers to a file in another place.
  private(set) var pointers: [Int: PointerFile] = [:]

  init(_ signs: Signs) { self.signs = signs }

  /// Examines the start of a file that was read so far; returns how many bytes it needs in all.
  mutating func inspect(_ entry: ForeignEntry, _ start: [UInt8]) -> Int {
    var needed = 0
    let path = entry.path[...]
    if signs.contains(.macPrograms) {
      let magic = 4
      needed = start.count < magic || MachOHeader.mayBegin(start) ? MacProgram.startSize : 0
      if start.isEmpty { needed = magic }
      if start.count >= MacProgram.least, MachOHeader.isForMacOS(start) {
        macPrograms.insert(entry.index)
      }
    }
    if signs.contains(.manifests), manifests.count < Self.mostManifests,
      PackagingManifest.mayBe(path, size: entry.size ?? 0)
    {
      needed = max(needed, PackagingManifest.startSize)
      if PackagingManifest.holdsKeys(start) { manifests[entry.index] = start }
    }
    if signs.contains(.pointers), PointerFile.mayBe(path, size: entry.size ?? 0) {
      needed = max(needed, PointerFile.startSize)
      if let kind = PointerFile.kind(of: path, start) { pointers[entry.index] = kind }
    }
    return needed
  }
}
