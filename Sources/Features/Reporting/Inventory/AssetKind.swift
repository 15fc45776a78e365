package import BAPackKit
import SystemIO

/// The kind of a file, based on its file name extension.
package enum AssetKind: String, Sendable, CaseIterable {
  case images, audio, video, models, textures, fonts, data, programs, other

  /// A short name of the kind, for headings and legends.
  package var phrase: String {
    switch self {
    case .images: "Images"
    case .audio: "Audio"
    case .video: "Video"
    case .models: "Models and scenes"
    case .textures: "Textures"
    case .fonts: "Fonts"
    case .data: "Text and data"
    case .programs: "Programs and shaders"
    case .other: "Other files"
    }
  }

  package init(ofFileAt path: AssetPath) {
    self = Self.formats[fileSuffix(of: path)]?.kind ?? .other
  }

  /// The properties of files with a file name extension.
  package struct Format: Sendable {
    package let kind: AssetKind
    /// The reason why these files are hardly compressible: the format and its contents; nil if they
    /// are compressible.
    package let packing: String?
  }

  /// The known file name extensions, in lowercase and without the dot.
  package static let formats: [String: Format] = {
    var formats: [String: Format] = [:]
    func add(_ kind: AssetKind, _ suffixes: String, _ packing: String? = nil) {
      for suffix in suffixes.split(separator: " ") {
        formats[String(suffix)] = Format(kind: kind, packing: packing)
      }
    }
    add(.images, "png apng", "PNG contains compressed pixels")
    add(.images, "jpg jpeg jpe jp2", "JPEG uses lossy compression")
    add(.images, "heic heif avif webp gif jxl", "the format compresses its pixels")
    add(.images, "bmp tga tif tiff psd svg ico icns exr hdr raw ppm dng pdf")
    add(.audio, "mp3 m4a aac ogg oga opus wma ac3 amr", "audio with lossy compression")
    add(.audio, "flac alac", "audio with lossless compression")
    add(.audio, "wav wave aif aiff caf mid midi bnk wem fsb bank mod xm it s3m")
    add(.video, "mp4 m4v mov webm mkv avi wmv ogv mpg mpeg usm bik bk2", "video is compressed")
    add(.models, "usdz", "a ZIP archive of compressed images")
    add(.models, "glb drc", "geometry that may be compressed, and images")
    add(
      .models, "obj fbx gltf dae usd usda usdc abc stl ply blend scn scnz unity prefab uasset umap")
    add(.models, "anim mesh skel animation reality rcproject tscn escn")
    add(.textures, "basis ktx2", "a compressed texture")
    add(.textures, "ktx dds pvr astc atf crn tex texture etc pkm")
    add(.fonts, "woff woff2", "a compressed font")
    add(.fonts, "ttf otf ttc fnt dfont eot")
    add(
      .data, "zip gz tgz bz2 xz zst lz4 7z rar br lzma aar aea ipa apk jar pak lzfse",
      "a compressed archive")
    add(
      .data,
      """
      json json5 jsonc xml plist strings stringsdict xcstrings txt md csv tsv yaml yml toml ini \
      cfg conf html htm css po pot mo xliff srt vtt ass atlas fbs proto pb bin dat db sqlite \
      sqlite3 realm nib map lvl level tmx tmj tsx ink yarn bytes pck assets bundle unity3d
      """)
    add(.data, "mlmodelc mlmodel mlpackage tflite onnx gguf safetensors pt weights")
    add(
      .programs,
      """
      js mjs lua py wasm swift c h cpp cs metal metallib air glsl vert frag hlsl spv cso fx shader \
      wgsl dll dylib so dex
      """)
    return formats
  }()
}

/// Returns the file name extension in lowercase and without the dot; empty if there is none, or if
/// it is long.
package func fileSuffix(of path: AssetPath) -> String {
  let path = path.bytes
  let end = path.suffix(24)
  guard let point = end.lastIndex(of: dot), point > path.startIndex, path[point - 1] != slash,
    !path[point...].contains(slash)
  else { return "" }
  return shownBytes(path[(point + 1)...]).lowercased()
}
