import BAPackKit
import SystemIO

/// A file that exists more than once, in one pack or in several.
package struct Duplicate: Sendable, Equatable {
  /// The SHA-256 digest of its contents.
  package var digest: [UInt8]
  /// The size of the file.
  package var size: UInt64
  /// The places of the copies, in the order of packs and paths.
  package var copies: [Report.FilePlace]
  /// The bytes that all copies except the largest take.
  package var cost: UInt64

  /// Returns all files with equal contents, without empty files.
  package static func all(in inventory: Inventory) -> [Duplicate] {
    var firsts: [Key: Report.FilePlace] = [:]
    var groups: [Key: [Report.FilePlace]] = [:]
    for (pack, value) in inventory.packs.enumerated() {
      guard let contents = value.contents else { continue }
      for file in 0..<contents.count {
        guard contents.size(at: file) > 0 || !value.hasSizes,
          let key = contents.digest(at: file).map(Key.init)
        else { continue }
        let place = Report.FilePlace(pack: pack, file: file)
        if let first = firsts[key] {
          groups[key, default: [first]].append(place)
        } else {
          firsts[key] = place
        }
      }
    }
    return groups.map { key, copies in
      let costs = copies.map { inventory.packs[$0.pack].contents?.cost(at: $0.file) ?? 0 }
      let sum = costs.reduce(UInt64(0)) { $0.addingSaturated($1) }
      let first = inventory.packs[copies[0].pack].contents
      return Duplicate(
        digest: first?.digest(at: copies[0].file).map { Array($0) } ?? [],
        size: first?.size(at: copies[0].file) ?? 0, copies: copies, cost: sum - (costs.max() ?? 0))
    }.sorted {
      let (left, right) = ($0.copies[0], $1.copies[0])
      return ($1.cost, left.pack, left.file) < ($0.cost, right.pack, right.file)
    }
  }

  /// A digest that hashes quickly.
  private struct Key: Hashable {
    let words: SIMD4<UInt64>

    init(_ digest: ArraySlice<UInt8>) {
      var words = SIMD4<UInt64>()
      for (index, byte) in digest.prefix(32).enumerated() {
        words[index / 8] = words[index / 8] << 8 | UInt64(byte)
      }
      self.words = words
    }
  }
}

/// Files with the same extension that are hardly compressed, and the reason.
package struct UncompressedFiles: Sendable, Equatable {
  /// The file name extension without the dot; empty for names without one.
  package var suffix: String
  package var files = 0
  package var size: UInt64 = 0
  /// The bytes that the files take in archives.
  package var stored: UInt64 = 0
  /// The number of their bytes in uncompressed blocks.
  package var uncompressed: UInt64 = 0
  /// The reason, if it is known.
  package var reason: String

  /// The minimum size; smaller files are not compressible.
  private static let smallest: UInt64 = 128

  /// Returns the files that take at least 98 % of their size in an archive, or mostly uncompressed
  /// blocks.
  package static func all(in inventory: Inventory) -> [UncompressedFiles] {
    struct Key: Hashable {
      var suffix: String
      var isCompressed: Bool
    }
    var groups: [Key: UncompressedFiles] = [:]
    for pack in inventory.packs {
      guard let contents = pack.contents else { continue }
      let compression = pack.form?.container?.compression
      let isCompressed = pack.form == nil || (compression != nil && compression != "none")
      for file in 0..<contents.count {
        let size = contents.size(at: file)
        guard let share = contents.share(at: file), size >= smallest,
          share.uncompressed >= size - size / 2
            || share.stored >= size - size / 50 && !contents.isInSharedBlocks(at: file)
        else { continue }
        let key = Key(suffix: fileSuffix(of: contents[file]), isCompressed: isCompressed)
        var group =
          groups[key]
          ?? UncompressedFiles(
            suffix: key.suffix, reason: reason(suffix: key.suffix, isCompressed: isCompressed))
        group.files += 1
        group.size = group.size.addingSaturated(size)
        group.stored = group.stored.addingSaturated(share.stored)
        group.uncompressed = group.uncompressed.addingSaturated(share.uncompressed)
        groups[key] = group
      }
    }
    return groups.values.sorted {
      ($1.stored, $0.suffix, $0.reason) < ($0.stored, $1.suffix, $1.reason)
    }
  }

  private static func reason(suffix: String, isCompressed: Bool) -> String {
    if !isCompressed { return "the pack was created without compression" }
    return AssetKind.formats[suffix]?.packing
      ?? "no repetitions: it may be compressed or encrypted data, or noise"
  }
}
