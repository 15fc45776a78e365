import SourceDiagnostics
import SystemIO

/// What tools leave behind is no asset.
enum JunkFiles {
  static let rule = Rule(
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

  /// Names that are junk, as an exclusion would be written.
  static let patterns = [
    ".DS_Store", "._*", "__MACOSX", "[Tt]humbs.db", "[Dd]esktop.ini", ".git", ".gitignore",
    ".gitattributes", ".gitkeep", "*.sw[op]", "*~", ".#*", "#*#", "*.[aA][aA][rR]",
  ]

  /// Reports junk, once for each kind and selector; what somebody names as a single file is meant.
  static func check(
    _ selection: Selection, manifest: FileIdentity?, _ document: ManifestDocument,
    _ findings: inout SelectionFindings
  ) {
    var found: [Found: (first: Int, count: Int)] = [:]
    // What lies in a folder that is junk is not counted again.
    var junkFolder: ArraySlice<UInt8>?
    for index in selection.indices {
      let path = selection.destinationBytes(at: index)
      if let junkFolder, path.starts(with: junkFolder) { continue }
      let record = selection.records[index]
      let name = path[(path.lastIndex(of: slash).map { $0 + 1 } ?? path.startIndex)...]
      let isManifest = record.kind == .file && record.hasSource && record.identity == manifest
      guard isManifest || mayBeJunk(name) else { continue }
      guard let pattern = isManifest ? selection[index].source : pattern(matching: name) else {
        continue
      }
      if record.kind == .directory { junkFolder = path + [slash] }
      let selector = selection.selector(around: index)
      guard document.fileSelectors.indices.contains(selector),
        takesMany(document.fileSelectors[selector])
      else { continue }
      let kind = Found(pattern: pattern, selector: selector, isManifest: isManifest)
      found[kind, default: (index, 0)].count += 1
    }
    for (kind, place) in found.sorted(by: { $0.value.first < $1.value.first }) {
      findings.add(
        finding(
          kind, place.count,
          shownBytes(
            selection.destinationBytes(at: place.first)), findings))
    }
  }

  private struct Found: Hashable {
    var pattern: String
    var selector: Int
    var isManifest: Bool
  }

  private static func finding(
    _ kind: Found, _ count: Int, _ path: String, _ findings: SelectionFindings
  ) -> Diagnostic {
    let message: Diagnostic.Message =
      if kind.isManifest {
        "'\(path: path)' is this manifest, and is selected"
      } else if count == 1 {
        "'\(path: path)' is selected and is hardly an asset"
      } else {
        "'\(path: path)' and \(count - 1) more like it are selected and are hardly assets"
      }
    return rule.finding(
      .warning, message, at: findings.source(of: kind.selector),
      fixes: [
        kind.isManifest ? findings.exclude(path: kind.pattern) : findings.exclude(kind.pattern)
      ])
  }

  private static let parsed = patterns.compactMap { text in
    (try? NamePattern(parsing: FileName(text))).map { (text, $0) }
  }

  private static func pattern(matching name: ArraySlice<UInt8>) -> String? {
    parsed.first { $0.1.matches(name, dotIsOrdinary: true) }?.0
  }

  /// A quick look, since nearly all names are none of these.
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

  static func takesMany(_ selector: FileSelector) -> Bool {
    switch selector {
    case .directory, .renamedDirectory, .filePattern: true
    case .file, .renamedFile, .exclusion: false
    }
  }
}
