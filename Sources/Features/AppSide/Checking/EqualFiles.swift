import BAPackKit
import SystemIO

/// The files that are in an app and in a pack, with the same bytes.
struct EqualFiles {
  /// The paths in the product, sorted.
  private(set) var files: [String] = []
  /// Their size in bytes.
  private(set) var size: UInt64 = 0
  /// The IDs of the packs, in their order.
  private(set) var packs: [String] = []

  /// Compares files of equal size; only packs with such files are decoded.
  init(
    in product: AppProduct, _ outlines: [PackOutline], _ work: Work
  ) throws(PackError) {
    let inside = product.app.folder.components
    var bySize: [UInt64: [FilePath]] = [:]
    for (path, size) in product.tree.sizes {
      guard let size, size >= AppContentRules.leastComparedSize,
        path.components.prefix(inside.count).elementsEqual(inside)
      else { continue }
      bySize[size, default: []].append(path)
    }
    var wanted: Set<FilePath> = []
    var candidates: [PackOutline] = []
    for outline in outlines {
      let sizes = Set((0..<outline.contents.count).map { outline.contents.size(at: $0) })
      let own = sizes.compactMap { bySize[$0] }.flatMap(\.self)
      if !own.isEmpty { candidates.append(outline) }
      wanted.formUnion(own)
    }
    guard !wanted.isEmpty else { return }
    var byDigest: [[UInt8]: [FilePath]] = [:]
    for (path, digest) in try product.tree.digests(of: wanted, work) {
      byDigest[digest, default: []].append(path)
    }
    var found: Set<FilePath> = []
    for outline in candidates {
      let contents = try PackOutline(reading: outline.path, .digests, work).contents
      for index in 0..<contents.count {
        guard let digest = contents.digest(at: index), let own = byDigest[Array(digest)] else {
          continue
        }
        found.formUnion(own)
        if !own.isEmpty, packs.last != outline.id.text { packs.append(outline.id.text) }
      }
    }
    let sorted = found.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    files = sorted.map { FilePath(joining: $0.components.dropFirst(inside.count)).text }
    size = sorted.reduce(0) { $0.addingSaturated((product.tree.sizes[$1] ?? nil) ?? 0) }
  }
}
