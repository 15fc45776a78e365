import AssetArchive
import SourceDiagnostics
import SystemIO
import TerminalText

/// The rules about the paths of files in a pack.
enum NameRules {
  static let all: [Rule] = [
    name, twoSources, fileAndFolder, similarNames,
  ]

  /// A path that archives or devices do not support.
  static let name = Rule(
    "files.name",
    what: """
      The path of a selected file is not UTF-8, contains a control character or a component '.' or \
      '..', has more than 1,023 bytes in the archive, or has a component of more than 255 bytes.
      """,
    why: """
      Apps cannot open such paths, or some file systems do not support them. The length includes \
      the prefix 'Contents/'.
      """,
    example: .init(
      wrong: #""fileSelectors": [{"fileSource": "a.txt", "fileDestination": "a\u0007.txt"}]"#,
      right: #""fileSelectors": [{"fileSource": "a.txt", "fileDestination": "a.txt"}]"#))

  static func name(_ path: [UInt8], _ fault: PathFault, at span: SourceSpan?) -> Finding {
    let shown = shownBytes(path)
    let message: Finding.Message =
      switch fault {
      case .notUTF8, .controlCharacter: "the name '\(path: shown)' \(fault)"
      case .dotComponent, .parentComponent: "the path '\(path: shown)' has a component '.' or '..'"
      case .empty: "a path in the pack is empty"
      case .tooLong(let count):
        "the path '\(shown)' has \(count) bytes in the archive; the limit is \(PackPath.longest)"
      case .longComponent(let count):
        "the path '\(shown)' has a component of \(count) bytes; the limit is "
          + "\(PackPath.longestName)"
      case .nul, .absolute, .trailingSlash, .emptyComponent: "the path '\(path: shown)' \(fault)"
      }
    return name.finding(message, at: span)
  }

  static let twoSources = Rule(
    "files.two-sources",
    what: "Two source files have the same path in the pack.",
    why: "The pack can contain only one file with this path.",
    example: .init(
      wrong: """
        "fileSelectors": [
          {"file": "icon.png"},
          {"fileSource": "draft.png", "fileDestination": "icon.png"}
        ]
        """,
      right: """
        "fileSelectors": [
          {"file": "icon.png"},
          {"fileSource": "draft.png", "fileDestination": "draft.png"}
        ]
        """))

  static func twoSources(
    _ path: String, first: String, second: String, at span: SourceSpan?, other: SourceSpan?
  ) -> Finding {
    twoSources.finding(
      "two sources for '\(path: path)': '\(path: first)' and '\(path: second)'", at: span,
      labels: other.map { [.init($0, "'\(path: first)' comes from here")] } ?? [])
  }

  static let fileAndFolder = Rule(
    "files.file-and-folder",
    what: "The same path in the pack is a file and a folder.",
    why: "No file system supports this, so the pack could not be extracted.",
    example: .init(
      wrong: """
        "fileSelectors": [
          {"fileSource": "a.txt", "fileDestination": "Data"},
          {"fileSource": "b.txt", "fileDestination": "Data/b.txt"}
        ]
        """,
      right: """
        "fileSelectors": [
          {"fileSource": "a.txt", "fileDestination": "Data/a.txt"},
          {"fileSource": "b.txt", "fileDestination": "Data/b.txt"}
        ]
        """))

  static func fileAndFolder(
    _ path: String, file: String, below: String, at span: SourceSpan?, other: SourceSpan?
  ) -> Finding {
    fileAndFolder.finding(
      "'\(path: path)' is a file (from '\(path: file)') and a folder (from '\(path: below)')",
      at: span,
      labels: other.map { [.init($0, "the other path comes from here")] } ?? [])
  }

  /// Paths that differ only by case or Unicode normalization.
  static let similarNames = Rule(
    "files.similar-names", .always(.warning),
    what: "Two paths in the pack differ only by case or by Unicode normalization.",
    why: """
      Some file systems of Apple's platforms treat such paths as one path. Then some devices keep \
      only one of the two files.
      """,
    example: .init(
      wrong: #""fileSelectors": [{"file": "Icon.png"}, {"file": "icon.png"}]"#,
      right: #""fileSelectors": [{"file": "icon.png"}]"#))

  /// Reports entries that may be the same file on a device, but not again the contents of two such
  /// folders.
  static func similarNames(
    _ selection: Selection, _ places: ManifestLocations, _ findings: inout Ledger
  ) {
    let count = selection.count
    var capacity = 16
    while capacity < count * 2 { capacity *= 2 }
    var table = [UInt32](repeating: .max, count: capacity)
    var hashes = [UInt64](repeating: 0, count: count)
    for index in 0..<count {
      let hash = foldedHash(selection.pathInContents(at: index))
      hashes[index] = hash
      var slot = Int(truncatingIfNeeded: hash) & (capacity - 1)
      while table[slot] != .max {
        let other = Int(table[slot])
        if hashes[other] == hash, let finding = similarNames(other, index, selection, places) {
          findings.add(finding)
          break
        }
        slot = (slot + 1) & (capacity - 1)
      }
      if table[slot] == .max { table[slot] = UInt32(index) }
    }
  }

  private static func similarNames(
    _ first: Int, _ second: Int, _ selection: Selection, _ places: ManifestLocations
  ) -> Finding? {
    let left = selection.pathInContents(at: first)
    let right = selection.pathInContents(at: second)
    guard isSame(left, right) else { return nil }
    let names = distinguishable(left.shown, right.shown)
    let difference: Finding.Message = names.lookAlike ? "Unicode normalization" : "case"
    let (one, other) = (names.first, names.second)
    return similarNames.finding(
      "'\(path: one)' and '\(path: other)' differ only by \(difference)",
      at: places.destination(of: selection.selector(around: second)),
      labels: places.destination(of: selection.selector(around: first))
        .map { [.init($0, "'\(path: one)' comes from here")] } ?? []
    ).about(right)
  }

  /// Returns two paths in a form that shows their difference: if they look the same, their last
  /// components as code points.
  static func distinguishable(
    _ first: String, _ second: String
  ) -> (first: String, second: String, lookAlike: Bool) {
    // Strings that differ only by normalization are equal in Swift.
    guard first == second, !first.utf8.elementsEqual(second.utf8) else {
      return (first, second, false)
    }
    func spelt(_ path: String) -> String {
      let bytes = Array(path.utf8)
      let name = bytes.lastIndex(of: slash).map { $0 + 1 } ?? 0
      return String(decoding: bytes[..<name], as: UTF8.self)
        + codePoints(String(decoding: bytes[name...], as: UTF8.self))
    }
    let (one, other) = (spelt(first), spelt(second))
    // The difference may be in the name of a folder.
    return one == other ? (codePoints(first), codePoints(second), true) : (one, other, true)
  }

  /// The path comparison of macOS, which treats the most names as equal.
  private static let forms = PathForms(on: .macOS)

  /// Returns a hash of the unchanged folder and of the folded name.
  private static func foldedHash(_ path: AssetPath) -> UInt64 {
    let (folder, name) = path.parts
    let hash = fingerprint(forms.fingerprint(of: AssetPath(unchecked: name)), followedBy: folder)
    // Mixes the bits, so that similar names have distant places in the table.
    return hash ^ hash >> 29
  }

  private static func isSame(_ left: AssetPath, _ right: AssetPath) -> Bool {
    let (left, right) = (left.parts, right.parts)
    return left.folder == right.folder
      && forms.areAlike(AssetPath(unchecked: left.name), AssetPath(unchecked: right.name))
  }
}
