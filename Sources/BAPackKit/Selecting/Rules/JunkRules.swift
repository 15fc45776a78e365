import SourceDiagnostics
import SystemIO

/// Files that are selected but useless to an app, as their names and sizes show.
enum JunkRules {
  static let all: [Rule] = [
    junk, emptyFile, workingFile,
  ]

  /// What tools leave behind is no asset.
  static let junk = Rule(
    "files.junk", .always(.warning),
    what: """
      A folder or a pattern takes in something that is hardly an asset: files of the Finder, the \
      Explorer or an editor, a repository, a packaging manifest, a pack.
      """,
    why: """
      'directory' takes everything below it, files beginning with a dot too. Every device would \
      download them, and some tell more about a machine than they should.
      """,
    example: .init(
      wrong: #""fileSelectors": [{"directory": "Textures"}]"#,
      right: #""fileSelectors": [{"directory": "Textures"}, {"fileExclusion": ".DS_Store"}]"#))

  /// Names of junk, in the form of exclusions.
  static let patterns = [
    ".DS_Store", "._*", "__MACOSX", "[Tt]humbs.db", "[Dd]esktop.ini", ".git", ".gitignore",
    ".gitattributes", ".gitkeep", "*.sw[op]", "*~", ".#*", "#*#", "*.[aA][aA][rR]",
  ]

  /// Reports junk, once for each kind and selector; a single file that is named is meant.
  static func junk(
    _ selection: Selection, manifest: FileIdentity?, _ document: ManifestDocument,
    _ findings: inout Ledger
  ) {
    var found: [FoundJunk: (first: Int, count: Int)] = [:]
    // What is in a junk folder is not counted again.
    var junkFolder: ArraySlice<UInt8>?
    for index in selection.indices {
      let path = selection.pathInContents(at: index)
      if let junkFolder, path.bytes.starts(with: junkFolder) { continue }
      let record = selection.records[index]
      let name = path.parts.name
      let isManifest = record.kind == .file && record.hasSource && record.identity == manifest
      guard isManifest || mayBeJunk(name) else { continue }
      let matching = isManifest ? selection[index].source?.text : pattern(matching: name)
      guard let pattern = matching else { continue }
      if record.kind == .directory { junkFolder = path.bytes + [slash] }
      let selector = selection.selector(around: index)
      guard document.fileSelectors.indices.contains(selector),
        document.fileSelectors[selector].parts.kind.takesMany
      else { continue }
      let kind = FoundJunk(pattern: pattern, selector: selector, isManifest: isManifest)
      found[kind, default: (index, 0)].count += 1
    }
    for (kind, place) in found.sorted(by: { $0.value.first < $1.value.first }) {
      let path = selection.pathInContents(at: place.first).shown
      findings.add(junk(kind, place.count, path, document.locations))
    }
  }

  private struct FoundJunk: Hashable {
    var pattern: String
    var selector: Int
    var isManifest: Bool
  }

  private static func junk(
    _ kind: FoundJunk, _ count: Int, _ path: String, _ places: ManifestLocations
  ) -> Finding {
    let message: Finding.Message =
      if kind.isManifest {
        "'\(path: path)' is this manifest, and is selected"
      } else if count == 1 {
        "'\(path: path)' is selected and is hardly an asset"
      } else {
        "'\(path: path)' and \(count - 1) more like it are selected and are hardly assets"
      }
    return junk.finding(
      message, at: places.source(of: kind.selector),
      fixes: [
        kind.isManifest ? places.exclude(path: kind.pattern) : places.exclude(kind.pattern)
      ])
  }

  /// A file with the two keys that only packaging manifests have together.
  static func junk(
    manifest entry: Selection.Entry, _ document: ManifestDocument,
    _ findings: inout Ledger
  ) {
    guard let selector = entry.selector, document.fileSelectors[selector].parts.kind.takesMany
    else { return }
    findings.add(
      junk.finding(
        "'\(path: entry.destination.text)' is a packaging manifest, and is selected",
        at: document.locations.source(of: selector),
        fixes: [document.locations.exclude(path: (entry.source ?? entry.destination).text)]))
  }

  private static let parsed = patterns.compactMap { text in
    (try? NamePattern(parsing: FileName(text))).map { (text, $0) }
  }

  private static func pattern(matching name: ArraySlice<UInt8>) -> String? {
    parsed.first { $0.1.matches(name, dotIsOrdinary: true) }?.0
  }

  /// A quick check, because nearly all names are none of these.
  private static func mayBeJunk(_ name: ArraySlice<UInt8>) -> Bool {
    switch name.first {
    case UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "#"): return true
    default: break
    }
    switch name.last {
    case UInt8(ascii: "~"), UInt8(ascii: "b"), UInt8(ascii: "i"), UInt8(ascii: "p"),
      UInt8(ascii: "o"), UInt8(ascii: "r"), UInt8(ascii: "R"):
      return true
    default: return false
    }
  }

  /// A file of a format that has contents has some.
  static let emptyFile = Rule(
    "files.empty-file", .always(.warning),
    what: "A picture, sound, film, model, font or JSON file is empty.",
    why: """
      No reader takes a file of 0 bytes for one of these. A build step was interrupted, a disk was \
      full, or the file was never fetched.
      """,
    example: .init(
      wrong: "Textures/hero.png with 0 bytes", right: "Textures/hero.png with its contents"))

  /// What assets are made from is no asset.
  static let workingFile = Rule(
    "files.working-file", .always(.note),
    what: """
      A folder or a pattern takes in what people and editors work with and no app reads: layered \
      pictures, scenes of a modelling program, projects of a sound editor, notes of a game engine.
      """,
    why: "They are often larger than what is made from them, and every device would download them.",
    example: .init(
      wrong: #""fileSelectors": [{"directory": "Textures"}]"#,
      right: #""fileSelectors": [{"directory": "Textures"}, {"fileExclusion": "*.psd"}]"#))

  /// Formats in which every file has at least a few bytes.
  private static let filledFormats = extensions(
    """
    png jpg jpeg heic heif gif webp tif tiff bmp tga exr hdr ktx ktx2 astc dds pvr basis svg pdf \
    avif wav wave aif aiff caf mp3 m4a aac ogg opus flac mid midi mp4 m4v mov webm mkv usd usda \
    usdc usdz reality glb gltf obj fbx dae scn ply stl abc json plist mlmodel mlmodelc mlpackage \
    onnx tflite safetensors gguf ttf otf woff woff2 metallib
    """)

  /// Formats of programs that are used to make assets.
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

  /// An extension of up to sixteen bytes, in lower case, as one number; 0 for none.
  private static func key(_ letters: ArraySlice<UInt8>) -> UInt128 {
    guard letters.count <= 16 else { return 0 }
    return letters.reduce(0) { $0 << 8 | UInt128($1 &- 0x41 < 26 ? $1 | 0x20 : $1) }
  }

  private static func fileExtension(of path: AssetPath) -> ArraySlice<UInt8> {
    let path = path.bytes
    guard let dot = path.lastIndex(of: UInt8(ascii: ".")), dot > path.startIndex,
      path[dot - 1] != slash, !path[dot...].contains(slash)
    else { return [] }
    return path[(dot + 1)...]
  }

  private struct FoundWork: Hashable {
    var suffix: ArraySlice<UInt8>
    var selector: Int
  }

  /// Reports each empty file, and working files once for each kind and selector.
  static func uselessFiles(
    _ selection: Selection, _ document: ManifestDocument, _ findings: inout Ledger
  ) {
    var found: [FoundWork: (first: Int, count: Int)] = [:]
    for index in selection.indices where selection.isFile(at: index) {
      let path = selection.pathInContents(at: index)
      let suffix = fileExtension(of: path)
      let key = key(suffix)
      if selection.size(at: index) == 0, filledFormats.contains(key) || isInModel(path) {
        let selector = selection.selector(around: index)
        findings.add(
          emptyFile.finding(
            "'\(path: path.shown)' is empty",
            at: document.locations.source(of: selector)))
      }
      guard key != 0, workingFormats.contains(key) else { continue }
      let selector = selection.selector(around: index)
      guard document.fileSelectors.indices.contains(selector),
        document.fileSelectors[selector].parts.kind.takesMany
      else { continue }
      found[FoundWork(suffix: suffix, selector: selector), default: (index, 0)].count += 1
    }
    for (kind, place) in found.sorted(by: { $0.value.first < $1.value.first }) {
      let path = selection.pathInContents(at: place.first).shown
      let others = place.count - 1
      let subject: Finding.Message =
        others == 0
        ? "'\(path: path)' is selected, which no app reads"
        : "'\(path: path)' and \(others) more of its kind are selected, which no app reads"
      findings.add(
        workingFile.finding(
          subject, at: document.locations.source(of: kind.selector),
          fixes: [
            document.locations.exclude("*." + String(decoding: kind.suffix, as: UTF8.self))
          ]))
    }
  }

  /// Whether a file is part of a compiled model, whatever its name is.
  private static func isInModel(_ path: AssetPath) -> Bool {
    path.bytes.split(separator: slash).dropLast().contains {
      $0.suffix(9).elementsEqual(".mlmodelc".utf8)
    }
  }
}
