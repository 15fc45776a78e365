import AssetArchive
import Glibc
import SourceDiagnostics
import SystemIO

/// The rules for the files and folders that selectors name.
enum SourceRules {
  static let all: [Rule] = [
    sourceRoot, missing, wrongKind, link, specialFile, unreadable, emptyFolder, empty,
  ]

  static let sourceRoot = Rule(
    "files.source-root",
    .usually(.error, .note, when: "another finding about 'sourceRoot' exists"),
    what: "The folder or archive in 'sourceRoot' cannot be opened.",
    why: """
      'sourceRoot' is relative to the folder of the manifest, not to the current folder. It is the \
      path of a folder, or of an archive such as a .zip.
      """,
    example: .init(
      wrong: #""sourceRoot": "../asets""#, right: #""sourceRoot": "../assets""#))

  /// Reports that the files were not checked.
  ///
  /// Without a readable source root, all files would appear to be missing.
  static func sourceRoot(unreadAt span: SourceSpan) -> Finding {
    sourceRoot.exception(
      "the files are not checked because 'sourceRoot' is invalid", at: span)
  }

  static func sourceRoot(
    _ error: PackError, at span: SourceSpan, of document: ManifestDocument
  ) -> Finding {
    let existing = error.kind == .system(ENOENT) ? OtherRoot.existing(for: document) : nil
    return sourceRoot.finding(
      .init(whole: error.message), at: span,
      notes: ["the path is relative to the folder of the manifest"],
      fixes: existing.map { [document.locations.rewrite(span, $0)] } ?? [])
  }

  static let missing = Rule(
    "files.missing",
    what: "A file or folder that a selector names does not exist in the source root.",
    why: """
      The app would fail on a device when it requests the file. Paths are relative to the source \
      root: an option of the command, else 'sourceRoot' of the manifest, else that of the project \
      file, else the folder of the project file, else the current folder.
      """,
    remedies: [.specifySourceRoot],
    example: .init(
      wrong: #""fileSelectors": [{"file": "Textures/hero.pgn"}]"#,
      right: #""fileSelectors": [{"file": "Textures/hero.png"}]"#))

  static func missing(
    _ path: String, isFolder: Bool, root: String, nearest: String?, at span: SourceSpan?,
    _ places: ManifestLocations
  ) -> Finding {
    // A path with pattern characters gets a hint about patterns. A similar name would be a second
    // hint.
    let nearest = SelectorRules.globSign(in: path) == nil ? nearest : nil
    let names = NameRules.distinguishable(path, nearest ?? "")
    var notes: [Finding.Message] = ["paths are relative to the source root, '\(path: root)'"]
    // The fix looks like the path.
    if let nearest, names.second != nearest {
      notes.insert("'\(path: names.second)' exists", at: 0)
    }
    return missing.finding(
      "there is no \(isFolder ? "folder" : "file") '\(names.first)'", at: span, notes: notes,
      fixes: nearest.map { [places.rewrite(span, $0)] } ?? [])
  }

  /// Returns one finding for all missing files if they exist in another folder.
  static func missing(
    _ first: Absent, and more: Int, root: String, other: OtherRoot, _ places: ManifestLocations
  ) -> Finding {
    let place = other.path.shown
    let path = String(decoding: FilePath(joining: first.path).bytes, as: UTF8.self)
    let remedy: Finding.Message =
      other.setting.map { "set 'sourceRoot' to '\(path: $0)', or run ba-package there" }
      ?? "use that as the source root"
    var notes: [Finding.Message] = ["paths are relative to the source root, '\(path: root)'"]
    if more > 0 {
      notes.insert(more == 1 ? "1 more exists there" : "\(more) more exist there", at: 0)
    }
    return missing.finding(
      "there is no \(first.expectsFolder ? "folder" : "file") '\(path)', but it exists in "
        + "'\(path: place)': \(remedy)",
      at: places.source(of: first.selector), notes: notes,
      fixes: other.setting.map { [setRoot($0, places)] } ?? [])
  }

  private static func setRoot(_ path: String, _ locations: ManifestLocations) -> Fix {
    let value = JSONWriter.string(.string(path), .compact)
    var edits: [Fix.Edit] = []
    if let written = locations.sourceRoot {
      edits = [Fix.Edit(written, value)]
    } else if let list = locations.fileSelectors {
      edits = [
        Fix.Edit(SourceSpan(list.end, list.end), ", \"\(ManifestKeys.sourceRoot.name)\": " + value)
      ]
    }
    return Fix("set 'sourceRoot' to '\(path: path)'", .unsafe, edits: edits)
  }

  static let wrongKind = Rule(
    "files.wrong-kind",
    what: "A selector for a file names a folder, or one for a folder names a file.",
    why: "'file' selects one file; 'directory' selects a folder with all files below it.",
    example: .init(
      wrong: #""fileSelectors": [{"file": "Textures"}]"#,
      right: #""fileSelectors": [{"directory": "Textures"}]"#))

  static func wrongKind(
    folder path: String, at span: SourceSpan?, whole: SourceSpan?
  ) -> Finding {
    wrongKind.finding(
      "'\(path: path)' is a folder", at: span, fixes: [replacing(whole, .directory, path)])
  }

  static func wrongKind(
    file path: String, at span: SourceSpan?, whole: SourceSpan?
  ) -> Finding {
    wrongKind.finding(
      "'\(path: path)' is a file", at: span, fixes: [replacing(whole, .file, path)])
  }

  static func wrongKind(rootAt span: SourceSpan?) -> Finding {
    wrongKind.finding(
      "'fileDestination' must be the path of a file, but '.' is the root of the pack",
      at: span)
  }

  /// Returns a suggestion that is not applied, because the right key depends on the rest of the
  /// pair.
  private static func replacing(_ whole: SourceSpan?, _ kind: SelectorKind, _ path: String) -> Fix {
    Fix("write {\"\(kind.source.name)\": \"\(path: path)\"}", .shownOnly)
  }

  static let link = Rule(
    "files.link",
    what: """
      A symbolic link is absolute, leaves the source root, has a missing target, or is a loop.
      """,
    why: """
      A pack contains files, not links, so links are followed. Each step of a link must be within \
      the source root, so that the pack contains no files from outside it.
      """,
    example: .init(
      wrong: #""fileSelectors": [{"directory": "Textures"}]"#,
      right: #""fileSelectors": [{"directory": "Textures"}, {"fileExclusion": "Textures/latest"}]"#)
  )

  static func link(
    _ path: String, _ fault: LookupFault, at span: SourceSpan?, _ fix: Fix?
  ) -> Finding {
    let reason: Finding.Message =
      switch fault {
      case .absoluteLink(let target): "has the absolute target '\(path: shownBytes(target))'"
      case .leavesRoot(let target): "leaves the source root: '\(path: shownBytes(target))'"
      case .dangling(let target) where PointerFile.isAnnexLink(to: Array(target)):
        "points to a file that git-annex has not fetched: run git annex get"
      case .dangling(let target): "has a missing target: '\(path: shownBytes(target))'"
      case .loop, .missing, .notFolder, .system: "is a loop"
      }
    return link.finding(
      "the link '\(path: path)' \(reason)", at: span, fixes: fix.map { [$0] } ?? [])
  }

  static let specialFile = Rule(
    "files.special-file",
    what: "A device, a pipe or a socket is selected.",
    why: "It has no contents that could be packed.",
    example: .init(
      wrong: #""fileSelectors": [{"directory": "run"}]"#,
      right: #""fileSelectors": [{"directory": "run"}, {"fileExclusion": "run/control"}]"#))

  static func specialFile(_ path: String, _ kind: FileKind, at span: SourceSpan?) -> Finding {
    let name =
      switch kind {
      case .characterDevice, .blockDevice: "a device"
      case .pipe: "a pipe"
      case .socket: "a socket"
      case .file, .directory, .symbolicLink, .unknown: "not a file"
      }
    return specialFile.finding("'\(path: path)' is \(name)", at: span)
  }

  static let unreadable = Rule(
    "files.unreadable",
    what: "A selected file or folder is not readable, or its entry in an archive is unusable.",
    why: "Packing would fail, or would omit selected files.",
    example: .init(
      wrong: #""fileSelectors": [{"directory": "Saves"}]"#,
      right: #""fileSelectors": [{"directory": "Saves"}, {"fileExclusion": "Saves/private"}]"#))

  /// Returns a finding about a system error that the user can correct; nil for others.
  static func unreadable(
    _ path: String, _ error: Failure, at span: SourceSpan?
  ) -> Finding? {
    switch error.code {
    case EACCES, EPERM:
      unreadable.finding(
        "cannot read '\(path: path)': \(error.reason)", at: span,
        fixes: [Fix("make it readable, or exclude it with a 'fileExclusion'", .shownOnly)])
    case ENOKEY:
      // An encrypted entry of an archive.
      unreadable.finding(
        "cannot read '\(path: path)': it is encrypted in the archive", at: span,
        fixes: [
          Fix(
            "create the archive again without a password, or exclude the file with a "
              + "'fileExclusion'", .shownOnly)
        ])
    case EBADMSG: unreadable(path, flaw: "is damaged", at: span)
    default: nil
    }
  }

  /// Returns a finding about an archive entry that is damaged or has an impossible path.
  static func unreadable(_ path: String, flaw: String, at span: SourceSpan?) -> Finding {
    // If the path is too long for a pack, `\(…)` shows only its beginning.
    let name: Finding.Message =
      path.utf8.count <= PackPath.longest ? "'\(path: path)' " : "'\(path)' "
    return unreadable.finding(
      name + Finding.Message(whole: flaw), at: span,
      fixes: [
        Fix("create the archive again, or exclude the entry with a 'fileExclusion'", .shownOnly)
      ])
  }

  static let emptyFolder = Rule(
    "files.empty-folder", .always(.warning),
    what: "A folder that a selector names contains no files.",
    why: """
      The pack will contain at most the empty folder. Possible causes: a build step that has not \
      run yet, or large files that were not fetched.
      """,
    example: .init(
      wrong: #""fileSelectors": [{"directory": "build/empty"}]"#,
      right: #""fileSelectors": [{"directory": "build/assets"}]"#))

  static func emptyFolder(_ path: String, at span: SourceSpan?) -> Finding {
    emptyFolder.finding("there is no file in '\(path: path)'", at: span)
  }

  static let empty = Rule(
    "files.empty", .always(.warning),
    what: "The pack contains no files after exclusions.",
    why: "A pack without files can be built, uploaded and downloaded, but is useless.",
    example: .init(
      wrong: #""fileSelectors": [{"directory": "Audio"}, {"fileExclusion": "Audio"}]"#,
      right: #""fileSelectors": [{"directory": "Audio"}, {"fileExclusion": "Audio/drafts"}]"#))

  static func empty(at span: SourceSpan?) -> Finding {
    empty.finding("the pack contains no files", at: span)
  }
}
