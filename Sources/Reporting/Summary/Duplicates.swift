import BAPackKit
import SystemIO

/// A file that is there more than once, in one pack or in several.
package struct Duplicate: Sendable, Equatable {
  /// The SHA-256 of its contents.
  package var digest: [UInt8]
  /// Its size.
  package var size: UInt64
  /// Where it is, in order of packs and paths.
  package var copies: [Report.FilePlace]
  /// What all copies but the largest take.
  package var cost: UInt64

  /// All files with equal contents; those without bytes are left out.
  package static func all(in inventory: Inventory) -> [Duplicate] {
    var firsts: [Key: Report.FilePlace] = [:]
    var groups: [Key: [Report.FilePlace]] = [:]
    for (pack, value) in inventory.packs.enumerated() {
      guard let contents = value.contents else { continue }
      for file in 0..<contents.count {
        guard contents.size(at: file) > 0 || !value.knowsSizes,
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

/// Files with one end of their names that did not get smaller, and why.
package struct UncompressedFiles: Sendable, Equatable {
  /// The end of the names, without its dot; empty for names without one.
  package var suffix: String
  package var files = 0
  /// The size of the files.
  package var size: UInt64 = 0
  /// What they take in archives.
  package var stored: UInt64 = 0
  /// How many of their bytes are in blocks that are not compressed.
  package var uncompressed: UInt64 = 0
  /// Why, as far as that is known.
  package var reason: String

  /// Smaller files have nothing in them that could be said more briefly.
  private static let smallest: UInt64 = 128

  /// Files of which an archive has at least 98 % of the size, or most in blocks without
  /// compression.
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
    if !isCompressed { return "the pack was made without compression" }
    return AssetKind.formats[suffix]?.packing
      ?? "nothing in it repeats: it may be compressed or encrypted already, or be noise"
  }
}
