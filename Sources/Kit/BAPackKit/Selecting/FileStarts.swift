import ForeignArchives
import SystemIO

/// The results of inspecting the first bytes of the files in an archive, during listing.
///
/// An archive is read only once before it is packed, so all data for the rules is collected then.
/// For most files, four bytes are sufficient.
struct FileStarts: Sendable {
  /// The kinds of files to detect.
  struct Kinds: OptionSet {
    let rawValue: Int
    static let macPrograms = Kinds(rawValue: 1)
    static let manifests = Kinds(rawValue: 2)
    static let pointers = Kinds(rawValue: 4)
  }

  /// The maximum number of manifests; each uses up to 64 KiB of memory.
  private static let mostManifests = 64

  private let kinds: Kinds
  /// The entries that are programs for macOS, by their index.
  private(set) var macPrograms: Set<Int> = []
  /// The beginnings of packaging manifests, by the index of their entry.
  private(set) var manifests: [Int: [UInt8]] = [:]
  /// The entries that are pointers to files in other stores.
  private(set) var pointers: [Int: PointerFile] = [:]

  init(_ kinds: Kinds) { self.kinds = kinds }

  /// Inspects the start of a file, and returns the number of bytes that are needed in total.
  mutating func inspect(_ entry: ForeignEntry, _ start: [UInt8]) -> Int {
    var needed = 0
    let path = entry.path[...]
    if kinds.contains(.macPrograms) {
      let magic = 4
      needed = start.count < magic || MachOHeader.mayBegin(start) ? MacProgram.startSize : 0
      if start.isEmpty { needed = magic }
      if start.count >= MacProgram.least, MachOHeader.isForMacOS(start) {
        macPrograms.insert(entry.index)
      }
    }
    if kinds.contains(.manifests), manifests.count < Self.mostManifests,
      PackagingManifest.mayBe(path, size: entry.size ?? 0)
    {
      needed = max(needed, PackagingManifest.startSize)
      if PackagingManifest.holdsKeys(start) { manifests[entry.index] = start }
    }
    if kinds.contains(.pointers), PointerFile.mayBe(path, size: entry.size ?? 0) {
      needed = max(needed, PointerFile.startSize)
      if let kind = PointerFile.kind(of: path, start) { pointers[entry.index] = kind }
    }
    return needed
  }
}
