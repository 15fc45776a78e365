package import BAPackKit
import SystemIO

/// The sizes of files in archives: those in today's archives, or estimates.
package struct StoredSizes: Sendable {
  private typealias Sums = (size: UInt64, stored: UInt64)

  /// The place of each file in today's archives.
  private var places: [PathDigest: (size: UInt64, stored: UInt64)] = [:]
  /// The sums of the files with a suffix in today's archives.
  private var sums: [String: Sums] = [:]
  /// The bytes of today's archives that no file takes.
  private var frames: [PackID: UInt64] = [:]
  /// Whether the sizes of today's archives are known.
  let areMeasured: Bool

  /// The size of an archive without its files, if it is unknown.
  private static let smallestFrame: UInt64 = 500

  package init(of packs: Inventory) {
    for pack in packs.packs {
      guard let contents = pack.contents, let size = pack.downloadSize else { continue }
      var taken: UInt64 = 0
      for file in 0..<contents.count {
        guard let stored = contents.share(at: file)?.stored else { continue }
        let path = contents[file]
        places[PathDigest(path.bytes)] = (contents.size(at: file), stored)
        var sum = sums[fileSuffix(of: path)] ?? (0, 0)
        sum.size.addSaturated(contents.size(at: file))
        sum.stored.addSaturated(stored)
        sums[fileSuffix(of: path)] = sum
        taken.addSaturated(stored)
      }
      frames[pack.id] = size > taken ? size - taken : 0
    }
    areMeasured = !places.isEmpty
  }

  /// The size of the archive of a pack without its files.
  func frame(of pack: PackID) -> UInt64 { frames[pack] ?? Self.smallestFrame }

  /// The estimate for a file with any contents.
  package struct Estimate: Sendable {
    fileprivate var known: (size: UInt64, stored: UInt64)?
    fileprivate var ratio: Double

    /// Returns the size in an archive of contents of this size.
    package func stored(_ size: UInt64) -> UInt64 {
      if let known, known.size == size { return known.stored }
      // A pointer of Git LFS can contain any size.
      return UInt64(min(Double(size) * ratio, 0x1p62))
    }
  }

  package func estimate(ofFileAt path: AssetPath) -> Estimate {
    let known = places[PathDigest(path.bytes)]
    if let known, known.size > 0 {
      return Estimate(known: known, ratio: Double(known.stored) / Double(known.size))
    }
    let suffix = fileSuffix(of: path)
    if let sum = sums[suffix], sum.size > 0 {
      return Estimate(known: known, ratio: Double(sum.stored) / Double(sum.size))
    }
    // Other files are usually half as large in an archive.
    let isCompressed = AssetKind.formats[suffix]?.packing != nil
    return Estimate(known: known, ratio: isCompressed ? 1 : 0.5)
  }
}
