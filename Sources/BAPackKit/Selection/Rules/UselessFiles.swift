import SourceDiagnostics
import SystemIO

/// Files that are there, and that no app can use.
enum UselessFiles {
  static let empty = Rule(
    "files.empty-file", .always(.warning),
    what: "A picture, sound, film, model, font or JSON file is empty.",
    why: """
      No reader takes a file of 0 bytes for one of these. A build step was interrupted, a disk was full, \
      or the file was never fetched.
      """,
    example: .init(
      wrong: "Textures/hero.png with 0 bytes", right: "Textures/hero.png with its contents"))

  static let working = Rule(
    "files.working-file", .always(.note),
    what: """
      A folder or a pattern takes in what people and editors work with and no app reads: layered \
      pictures, scenes of a modelling program, projects of a sound editor, notes of a game engine.
      """,
    why: "They are often larger than what is made from them, and every device would download them.",
    example: .init(
      wrong: #""fileSelectors": [{"directory": "Textures"}]"#,
      right: #""fileSelectors": [{"directory": "Textures"}, {"fileExclusion": "*.psd"}]"#))

  /// Formats of which every file has at least a few bytes.
  private static let filledFormats = extensions(
    """
    png jpg jpeg heic heif gif webp tif tiff bmp tga exr hdr ktx ktx2 astc dds pvr basis svg pdf avif \
    wav wave aif aiff caf mp3 m4a aac ogg opus flac mid midi mp4 m4v mov webm mkv \
    usd usda usdc usdz reality glb gltf obj fbx dae scn ply stl abc \
    json plist mlmodel mlmodelc mlpackage onnx tflite safetensors gguf ttf otf woff woff2 metallib
    """)

  /// Formats of programs that make assets.
  private static let workingFormats = extensions(
    """
    psd psb xcf kra kra~ ora clip ai afphoto afdesign aseprite ase sketch \
    blend blend1 blend2 max ma mb c4d ztl zpr spp sbs sbsar hip hipnc lxo \
    als aup aup3 logicx flp rpp cpr ptx prproj aep drp veg \
    meta import uasset umap tres tmp bak orig rej autosave
    """)

  private static func extensions(_ words: String) -> Set<UInt128> {
    Set(words.split(separator: " ").map { key(Array($0.utf8)[...]) })
  }

  /// An extension of up to sixteen bytes in lower case as one number; 0 for none.
  private static func key(_ letters: ArraySlice<UInt8>) -> UInt128 {
    guard letters.count <= 16 else { return 0 }
    return letters.reduce(0) { $0 << 8 | UInt128($1 &- 0x41 < 26 ? $1 | 0x20 : $1) }
  }

  private static func fileExtension(of path: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard let dot = path.lastIndex(of: UInt8(ascii: ".")), dot > path.startIndex,
      path[dot - 1] != slash, !path[dot...].contains(slash)
    else { return [] }
    return path[(dot + 1)...]
  }

  private struct Found: Hashable {
    var suffix: ArraySlice<UInt8>
    var selector: Int
  }

  /// Reports each empty file, and working files once for each kind and selector.
  static func check(
    _ selection: Selection, _ document: ManifestDocument, _ findings: inout SelectionFindings
  ) {
    var found: [Found: (first: Int, count: Int)] = [:]
    for index in selection.indices where selection.isFile(at: index) {
      let path = selection.destinationBytes(at: index)
      let suffix = fileExtension(of: path)
      let key = key(suffix)
      if selection.size(at: index) == 0, filledFormats.contains(key) || isInModel(path) {
        let selector = selection.selector(around: index)
        findings.add(
          empty.finding(
            .warning, "'\(path: shownBytes(path))' is empty", at: findings.source(of: selector)))
      }
      guard key != 0, workingFormats.contains(key) else { continue }
      let selector = selection.selector(around: index)
      guard document.fileSelectors.indices.contains(selector),
        JunkFiles.takesMany(document.fileSelectors[selector])
      else { continue }
      found[Found(suffix: suffix, selector: selector), default: (index, 0)].count += 1
    }
    for (kind, place) in found.sorted(by: { $0.value.first < $1.value.first }) {
      let path = shownBytes(selection.destinationBytes(at: place.first))
      let others = place.count - 1
      let subject: Diagnostic.Message =
        others == 0
        ? "'\(path: path)' is selected, which no app reads"
        : "'\(path: path)' and \(others) more of its kind are selected, which no app reads"
      findings.add(
        working.finding(
          .note, subject, at: findings.source(of: kind.selector),
          fixes: [findings.exclude("*." + String(decoding: kind.suffix, as: UTF8.self))]))
    }
  }

  /// Whether a file is a part of a compiled model, whatever it is called.
  private static func isInModel(_ path: ArraySlice<UInt8>) -> Bool {
    path.split(separator: slash).dropLast().contains {
      $0.suffix(9).elementsEqual(".mlmodelc".utf8)
    }
  }
}
