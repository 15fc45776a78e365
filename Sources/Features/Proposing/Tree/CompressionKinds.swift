import SystemIO

/// The sizes of files after compression by their kinds: as samples were measured, or as data.
enum CompressionKinds {
  /// Extensions of formats that are compressed themselves, in lower case.
  private static let compressed: Set<String> = MediaKinds.videos.union(VariantNames.textures).union(
    [
      "gif", "avif", "ogg", "oga", "opus", "mp3", "m4a", "aac", "flac", "wma", "wem", "zip", "7z",
      "gz", "xz", "bz2",
      "zst", "rar", "jar", "pk3", "pk4", "love", "wz", "crn", "basis", "woff", "woff2", "pdf",
    ])
  /// Extensions of other texts, in lower case; they are compressed to a quarter.
  private static let texts: Set<String> = LanguageFrames.texts.union(
    LeftOutRules.scripts.extensions
  )
  .union([
    "svg", "obj", "mtl", "gltf", "dae", "usda", "ply", "plist", "md", "list", "lst", "vert",
    "frag", "glsl", "metal", "tmx",
  ])

  /// Returns the estimated size of each file of a tree after compression.
  static func estimates(of tree: AssetTree) -> [UInt64] {
    var shares: [[UInt8]: Double] = [:]
    return tree.files.indices.map { file in
      let suffix = Array(fileExtension(of: tree.name(ofFile: file)).prefix(16))
      let kind = lowered(suffix[...])
      let share = shares[suffix] ?? tree.shareOfKinds[kind] ?? share(ofKind: kind)
      shares[suffix] = share
      return UInt64(Double(tree.files[file].size) * share)
    }
  }

  /// Returns the size of a file of a kind after compression, divided by that before it.
  private static func share(ofKind kind: String) -> Double {
    if compressed.contains(kind) { return 1 }
    if MediaKinds.sounds.contains(kind) { return 0.75 }
    return texts.contains(kind) ? 0.25 : 0.5
  }

  static func isCompressed(_ kind: String) -> Bool { compressed.contains(kind) }
}
