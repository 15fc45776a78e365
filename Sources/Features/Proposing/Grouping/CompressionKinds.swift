import SystemIO

/// The sizes of files after compression, as far as their kinds tell, as data.
///
/// A proposal depends on names and sizes, so the contents are not compressed for its decisions.
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
    var quarters: [[UInt8]: UInt64] = [:]
    return tree.files.indices.map { file in
      let suffix = Array(fileExtension(of: tree.name(ofFile: file)).prefix(16))
      let share = quarters[suffix] ?? quartersOfSize(ofKind: lowered(suffix[...]))
      quarters[suffix] = share
      let size = tree.files[file].size
      return size / 4 * share + size % 4 * share / 4
    }
  }

  /// Returns the number of quarters of its size that a file of a kind has after compression.
  private static func quartersOfSize(ofKind kind: String) -> UInt64 {
    if compressed.contains(kind) { return 4 }
    if MediaKinds.sounds.contains(kind) { return 3 }
    return texts.contains(kind) ? 1 : 2
  }
}
