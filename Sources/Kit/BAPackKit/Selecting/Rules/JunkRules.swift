import SourceDiagnostics
import SystemIO

/// The rules for the names and sizes of selected files.
enum JunkRules {
  static let all: [Rule] = [
    junk, emptyFile, workingFile,
  ]

  static let junk = Rule(
    "files.junk", .always(.warning),
    what: """
      A folder or a pattern selects files that are unlikely to be assets, such as files of Finder, \
      Windows Explorer, editors or version control, manifests, and packs.
      """,
    why: """
      'directory' selects every file in its folder, including names that begin with a dot. \
      Every device would download them, and some contain private data of your computer.
      """,
    example: .init(
      wrong: #""fileSelectors": [{"directory": "Textures"}]"#,
      right: #""fileSelectors": [{"directory": "Textures"}, {"fileExclusion": ".DS_Store"}]"#))

  /// The names of junk files, as exclusion patterns.
  static let patterns = [
    ".DS_Store", "._*", "__MACOSX", "[Tt]humbs.db", "[Dd]esktop.ini", ".git", ".gitignore",
    ".gitattributes", ".gitkeep", "*.sw[op]", "*~", ".#*", "#*#", "*.[aA][aA][rR]",
  ]

  /// Reports junk files, once for each pattern and selector.
  ///
  /// Files that a selector names are not reported.
  static func junk(
    _ selection: Selection, manifest: FileIdentity?, _ document: ManifestDocument,
    _ findings: inout Ledger
  ) {
    var found: [FoundJunk: (first: Int, files: FileGroup)] = [:]
    // Entries of a junk folder are not counted again.
    var junkFolder: ArraySlice<UInt8>?
    let setting = document.policy.setting(for: junk.id)
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
        document.fileSelectors[selector].parts.kind.selectsMany
      else { continue }
      let kind = FoundJunk(
        pattern: pattern, selector: selector, isManifest: isManifest, setting: setting(path))
      found[kind, default: (index, junkFiles)].files.add(path.shown)
    }
    for (kind, place) in found.sorted(by: { $0.value.first < $1.value.first }) {
      let path = selection.pathInContents(at: place.first)
      findings.add(junk(kind, place.files, path.shown, document.locations).about(path))
    }
  }

  private struct FoundJunk: Hashable {
    var pattern: String
    var selector: Int
    var isManifest: Bool
    var setting: Int?
  }

  private static let junkFiles = FileGroup(
    one: " is selected, but is unlikely to be an asset",
    several: " are selected, but are unlikely to be assets")

  private static func junk(
    _ kind: FoundJunk, _ files: FileGroup, _ path: String, _ places: ManifestLocations
  ) -> Finding {
    let place = places.source(of: kind.selector)
    if kind.isManifest {
      return junk.finding(
        "'\(path: path)' is this manifest, but it is selected", at: place,
        fixes: [places.exclude(path: kind.pattern)])
    }
    var finding = junk.finding(files.message, at: place, fixes: [places.exclude(kind.pattern)])
    finding.fileGroups = [files]
    return finding
  }

  /// Reports a file with the two keys that only packaging manifests contain.
  static func junk(
    manifest entry: Selection.Entry, _ document: ManifestDocument,
    _ findings: inout Ledger
  ) {
    guard let selector = entry.selector, document.fileSelectors[selector].parts.kind.selectsMany
    else { return }
    findings.add(
      junk.finding(
        "'\(path: entry.destination.text)' is a packaging manifest, but it is selected",
        at: document.locations.source(of: selector),
        fixes: [document.locations.exclude(path: (entry.source ?? entry.destination).text)]
      ).about(AssetPath(unchecked: entry.destination.bytes)))
  }

  private static let parsed = patterns.compactMap { text in
    (try? NamePattern(parsing: FileName(text))).map { (text, $0) }
  }

  private static func pattern(matching name: ArraySlice<UInt8>) -> String? {
    parsed.first { $0.1.matches(name, dotIsOrdinary: true) }?.0
  }

  // Excludes nearly all names quickly.
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

  static let emptyFile = Rule(
    "files.empty-file", .always(.warning),
    what: "An image, audio, video, model, font or JSON file is empty.",
    why: """
      A file of 0 bytes is not valid in these formats. Possible causes: an interrupted build step, \
      a full disk, or a file that was not fetched.
      """,
    example: .init(
      wrong: "Textures/hero.png with 0 bytes", right: "Textures/hero.png with its contents"))

  static let workingFile = Rule(
    "files.working-file", .always(.note),
    what: """
      A folder or a pattern selects source files of editors, which apps do not read: layered \
      images, scenes of modeling programs, projects of audio editors, metadata of game engines.
      """,
    why: "They are often larger than the exported assets, and every device would download them.",
    example: .init(
      wrong: #""fileSelectors": [{"directory": "Textures"}]"#,
      right: #""fileSelectors": [{"directory": "Textures"}, {"fileExclusion": "*.psd"}]"#))

  /// Formats without valid empty files.
  private static let filledFormats = extensions(
    """
    png jpg jpeg heic heif gif webp tif tiff bmp tga exr hdr ktx ktx2 astc dds pvr basis svg pdf \
    avif wav wave aif aiff caf mp3 m4a aac ogg opus flac mid midi mp4 m4v mov webm mkv usd usda \
    usdc usdz reality glb gltf obj fbx dae scn ply stl abc json plist mlmodel mlmodelc mlpackage \
    onnx tflite safetensors gguf ttf otf woff woff2 metallib
    """)

  /// Formats of programs for creating assets.
  private static let workingFormats = extensions(
    """
    psd psb xcf kra kra~ ora clip ai afphoto afdesign aseprite ase sketch \
    blend blend1 blend2 max ma mb c4d ztl zpr spp sbs sbsar hip hipnc lxo \
    als aup aup3 logicx flp rpp cpr ptx prproj aep drp veg \
    meta import uasset umap tres tmp bak orig rej autosave
    """)

  private static func extensions(_ list: String) -> Set<UInt128> {
    Set(list.split(separator: " ").map { key(Array($0.utf8)[...]) })
  }

  /// Returns an extension of at most 16 bytes in lower case as a number; 0 if there is none.
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
    var setting: Int?
  }

  private static let workingFiles = FileGroup(
    one: " is selected, but apps do not read this format",
    several: " are selected, but apps do not read this format")

  /// Reports each empty file, and source files once for each format and selector.
  static func uselessFiles(
    _ selection: Selection, _ document: ManifestDocument, _ findings: inout Ledger
  ) {
    var found: [FoundWork: (first: Int, files: FileGroup)] = [:]
    let setting = document.policy.setting(for: workingFile.id)
    for index in selection.indices where selection.isFile(at: index) {
      let path = selection.pathInContents(at: index)
      let suffix = fileExtension(of: path)
      let key = key(suffix)
      if selection.size(at: index) == 0, filledFormats.contains(key) || isInModel(path) {
        let selector = selection.selector(around: index)
        findings.add(
          emptyFile.finding(
            "'\(path: path.shown)' is empty",
            at: document.locations.source(of: selector)
          ).about(path))
      }
      guard key != 0, workingFormats.contains(key) else { continue }
      let selector = selection.selector(around: index)
      guard document.fileSelectors.indices.contains(selector),
        document.fileSelectors[selector].parts.kind.selectsMany
      else { continue }
      let kind = FoundWork(suffix: suffix, selector: selector, setting: setting(path))
      found[kind, default: (index, workingFiles)].files.add(path.shown)
    }
    for (kind, place) in found.sorted(by: { $0.value.first < $1.value.first }) {
      let suffix = String(decoding: kind.suffix, as: UTF8.self)
      var finding = workingFile.finding(
        place.files.message, at: document.locations.source(of: kind.selector),
        fixes: [document.locations.exclude("*." + suffix)])
      finding.fileGroups = [place.files]
      findings.add(finding.about(selection.pathInContents(at: place.first)))
    }
  }

  /// Whether a file is part of a compiled model.
  private static func isInModel(_ path: AssetPath) -> Bool {
    path.bytes.split(separator: slash).dropLast().contains {
      $0.suffix(9).elementsEqual(".mlmodelc".utf8)
    }
  }
}
