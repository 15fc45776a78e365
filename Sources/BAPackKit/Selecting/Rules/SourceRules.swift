import AssetArchive
import Glibc
import SourceDiagnostics
import SystemIO

/// What can be wrong with the files and folders that selectors name.
enum SourceRules {
  static let all: [Rule] = [
    sourceRoot, missing, wrongKind, link, specialFile, unreadable, emptyFolder, empty,
  ]

  /// The source root that a manifest names can be opened.
  static let sourceRoot = Rule(
    "files.source-root",
    .usually(.error, .note, when: "'sourceRoot' was found wrong already"),
    what: "The folder or archive that 'sourceRoot' names cannot be opened.",
    why: """
      'sourceRoot' starts from the folder that the manifest is in, not from the current one. It is \
      a folder, or an archive such as a .zip.
      """,
    example: .init(
      wrong: #""sourceRoot": "../asets""#, right: #""sourceRoot": "../assets""#))

  /// Reports that the files were not checked: without a readable source root all of them would seem
  /// to be missing.
  static func sourceRoot(unreadAt span: SourceSpan) -> Finding {
    sourceRoot.exception(
      "the files are not checked before 'sourceRoot' says where they are", at: span)
  }

  static func sourceRoot(_ error: PackError, at span: SourceSpan) -> Finding {
    sourceRoot.finding(.init(whole: error.message), at: span)
  }

  /// What a selector names is there.
  static let missing = Rule(
    "files.missing",
    what: "A file or folder that a selector names is not in the source root.",
    why: """
      An app that asks for the file would find out on a customer's device. Paths start at the \
      source root: one that is named, else the manifest's 'sourceRoot', else the current folder.
      """,
    remedies: [.nameSourceRoot],
    example: .init(
      wrong: #""fileSelectors": [{"file": "Textures/hero.pgn"}]"#,
      right: #""fileSelectors": [{"file": "Textures/hero.png"}]"#))

  static func missing(
    _ path: String, isFolder: Bool, root: String, nearest: String?, at span: SourceSpan?,
    _ places: ManifestLocations
  ) -> Finding {
    // A path that looks like a pattern already gets that hint; a similar name would be a second
    // one.
    let nearest = SelectorRules.globSign(in: path) == nil ? nearest : nil
    let names = NameRules.distinguishable(path, nearest ?? "")
    let question: Finding.Message =
      nearest == nil ? "" : "; did you mean '\(path: names.second)'?"
    return missing.finding(
      "there is no \(isFolder ? "folder" : "file") '\(names.first)'\(question)", at: span,
      notes: ["paths start at the source root, '\(path: root)'"],
      fixes: nearest.map { [places.rewrite(span, $0)] } ?? [])
  }

  /// One finding for everything that is missing, if another folder has it.
  static func missing(
    _ first: Absent, and more: Int, root: String, other: OtherRoot, _ places: ManifestLocations
  ) -> Finding {
    let place = other.path.shown
    let path = String(decoding: FilePath(joining: first.path).bytes, as: UTF8.self)
    let remedy: Finding.Message =
      other.setting.map { "set 'sourceRoot' to '\(path: $0)', or run there" }
      ?? "make that the source root"
    var notes: [Finding.Message] = ["paths start at the source root, '\(path: root)'"]
    if more > 0 {
      let others: Finding.Message =
        more == 1 ? "does 1 more that is" : "do \(more) more that are"
      notes.insert("so \(others) missing", at: 0)
    }
    return missing.finding(
      "there is no \(first.wantsFolder ? "folder" : "file") '\(path)', but it exists in "
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

  /// `file` names a file, `directory` names a folder.
  static let wrongKind = Rule(
    "files.wrong-kind",
    what: "A selector for a file names a folder, or one for a folder names a file.",
    why: "A folder is taken with everything below it, which 'file' does not ask for.",
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
      "'fileDestination' takes the path of a file, and '.' is the root of the pack",
      at: span)
  }

  /// Shown only: which key to use in a pair depends on the other half.
  private static func replacing(_ whole: SourceSpan?, _ kind: SelectorKind, _ path: String) -> Fix {
    Fix("write {\"\(kind.source.name)\": \"\(path: path)\"}", .shownOnly)
  }

  /// Symbolic links stay within the source root at every step.
  static let link = Rule(
    "files.link",
    what: "A symbolic link is absolute, leaves the source root, leads nowhere or in a circle.",
    why: """
      A pack holds files, not links, so links are followed; but only within the source root, at \
      every step, so that nothing gets into a pack that is not below the folder it is made from.
      """,
    example: .init(
      wrong: #""fileSelectors": [{"directory": "Textures"}]"#,
      right: #""fileSelectors": [{"directory": "Textures"}, {"fileExclusion": "Textures/latest"}]"#)
  )

  static func link(
    _ path: String, _ trouble: LookupFault, at span: SourceSpan?, _ fix: Fix?
  ) -> Finding {
    let reason: Finding.Message =
      switch trouble {
      case .absoluteLink(let target): "has the absolute target '\(path: shownBytes(target))'"
      case .leavesRoot(let target): "leaves the source root: '\(path: shownBytes(target))'"
      case .dangling(let target) where PointerFile.isAnnexLink(to: Array(target)):
        "stands for a file that git-annex keeps elsewhere: run git annex get"
      case .dangling(let target): "leads nowhere: '\(path: shownBytes(target))'"
      case .loop, .missing, .notFolder, .system: "leads in a circle"
      }
    return link.finding(
      "the link '\(path: path)' \(reason)", at: span, fixes: fix.map { [$0] } ?? [])
  }

  /// A pack holds files and folders.
  static let specialFile = Rule(
    "files.special-file",
    what: "A device, a pipe or a socket is selected.",
    why: "It has no contents of its own that could be packed.",
    example: .init(
      wrong: #""fileSelectors": [{"directory": "run"}]"#,
      right: #""fileSelectors": [{"directory": "run"}, {"fileExclusion": "run/control"}]"#))

  static func specialFile(_ path: String, _ kind: FileKind, at span: SourceSpan?) -> Finding {
    let name =
      switch kind {
      case .characterDevice, .blockDevice: "a device"
      case .pipe: "a pipe"
      case .socket: "a socket"
      case .file, .directory, .symbolicLink, .unknown: "no file"
      }
    return specialFile.finding("'\(path: path)' is \(name)", at: span)
  }

  /// What is selected can be read.
  static let unreadable = Rule(
    "files.unreadable",
    what: "A selected file or folder may not be read, or an archive holds it in no usable form.",
    why: "Packing would stop there, or would leave out what was selected.",
    example: .init(
      wrong: #""fileSelectors": [{"directory": "Saves"}]"#,
      right: #""fileSelectors": [{"directory": "Saves"}, {"fileExclusion": "Saves/private"}]"#))

  /// What the system refused, if a person can correct it; nil otherwise.
  static func unreadable(
    _ path: String, _ error: Failure, at span: SourceSpan?
  ) -> Finding? {
    switch error.code {
    case EACCES, EPERM:
      unreadable.finding(
        "cannot read '\(path: path)': \(error.reason)", at: span,
        fixes: [Fix("make it readable, or leave it out with a 'fileExclusion'", .shownOnly)])
    case ENOKEY:
      // An entry of an archive that needs a password.
      unreadable.finding(
        "cannot read '\(path: path)': it is encrypted in the archive", at: span,
        fixes: [
          Fix(
            "make the archive again without a password, or leave the file out with a "
              + "'fileExclusion'", .shownOnly)
        ])
    case EBADMSG: unreadable(path, flaw: "is damaged", at: span)
    default: nil
    }
  }

  /// An entry of an archive that is damaged, or whose path cannot exist.
  static func unreadable(_ path: String, flaw: String, at span: SourceSpan?) -> Finding {
    // Only the beginning of a path that is too long for a pack.
    let name: Finding.Message =
      path.utf8.count <= PackPath.longest ? "'\(path: path)' " : "'\(path)' "
    return unreadable.finding(
      name + Finding.Message(whole: flaw), at: span,
      fixes: [
        Fix("make the archive again, or leave it out with a 'fileExclusion'", .shownOnly)
      ])
  }

  /// A folder that is named has files in it.
  static let emptyFolder = Rule(
    "files.empty-folder", .always(.warning),
    what: "A folder that a selector names holds no file.",
    why: """
      The pack gets the empty folder, as was asked for. More often a build step has not run yet, \
      or large files were not checked out.
      """,
    example: .init(
      wrong: #""fileSelectors": [{"directory": "build/empty"}]"#,
      right: #""fileSelectors": [{"directory": "build/assets"}]"#))

  static func emptyFolder(_ path: String, at span: SourceSpan?) -> Finding {
    emptyFolder.finding("there is no file in '\(path: path)'", at: span)
  }

  /// A pack has something in it.
  static let empty = Rule(
    "files.empty", .always(.warning),
    what: "Nothing is left to pack after exclusions.",
    why: "A pack without files can be built, uploaded and downloaded, and helps nobody.",
    example: .init(
      wrong: #""fileSelectors": [{"directory": "Audio"}, {"fileExclusion": "Audio"}]"#,
      right: #""fileSelectors": [{"directory": "Audio"}, {"fileExclusion": "Audio/drafts"}]"#))

  static func empty(at span: SourceSpan?) -> Finding {
    empty.finding("nothing is left to pack", at: span)
  }
}
