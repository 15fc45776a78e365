import SystemIO

/// The files of a pack by their paths as an app sees them: one piece of memory, sorted by bytes.
///
/// It takes the bytes of the paths and 12 more a file: 1,000,000 files of 60 bytes take 72 MB.
package struct PackContents: Sendable, Equatable {
  /// All paths, one behind the other.
  private var paths: [UInt8] = []
  /// Where each path ends.
  private var ends: [UInt32] = []
  private var sizes: [UInt64] = []
  /// The size of all files together.
  package private(set) var unpackedSize: UInt64 = 0

  /// A pack without files.
  package init() {}

  /// The contents of a pack that is described by hand.
  package init(_ files: [String: UInt64]) {
    for (path, size) in files.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
      append(Array(path.utf8)[...], size: size)
    }
  }

  /// How many files there are.
  package var count: Int { ends.count }

  /// Adds a file; ``sort()`` follows when all are there.
  mutating func append(_ path: ArraySlice<UInt8>, size: UInt64) {
    paths.append(contentsOf: path)
    ends.append(UInt32(truncatingIfNeeded: paths.count))
    sizes.append(size)
    unpackedSize = unpackedSize.addingSaturated(size)
  }

  /// Whether another path fits: places have 32 bits.
  func hasRoom(for path: ArraySlice<UInt8>) -> Bool {
    paths.count + path.count <= Int(UInt32.max)
  }

  /// Puts the paths in order, where an archive has them in another one.
  mutating func sort() {
    let isSorted = (1..<max(1, count)).allSatisfy {
      !self[$0].lexicographicallyPrecedes(self[$0 - 1])
    }
    if isSorted { return }
    let order = ends.indices.sorted { self[$0].lexicographicallyPrecedes(self[$1]) }
    var sorted = PackContents()
    for index in order { sorted.append(self[index], size: sizes[index]) }
    self = sorted
  }

  /// The path of a file.
  package subscript(index: Int) -> ArraySlice<UInt8> {
    paths[(index == 0 ? 0 : Int(ends[index - 1]))..<Int(ends[index])]
  }

  /// The size of a file.
  package func size(at index: Int) -> UInt64 { sizes[index] }

  /// Where a path stands; nil if no file has it.
  package func index(of path: [UInt8]) -> Int? {
    let index = firstIndex(notBefore: path)
    return index < count && self[index].elementsEqual(path) ? index : nil
  }

  /// Whether a path is that of a folder with files in it.
  package func hasFolder(_ path: [UInt8]) -> Bool {
    let folder = path + [UInt8(ascii: "/")]
    let index = firstIndex(notBefore: folder)
    return index < count && self[index].starts(with: folder)
  }

  private func firstIndex(notBefore path: [UInt8]) -> Int {
    var range = 0..<count
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      if self[middle].lexicographicallyPrecedes(path) {
        range = middle + 1..<range.upperBound
      } else {
        range = range.lowerBound..<middle
      }
    }
    return range.lowerBound
  }

}

/// A number for bytes: different ones mean different bytes, equal ones hardly ever do (FNV-1a).
func fingerprint(of bytes: some Sequence<UInt8>) -> UInt64 {
  bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
}
