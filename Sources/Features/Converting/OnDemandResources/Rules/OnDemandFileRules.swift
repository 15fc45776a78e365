import AppSide
import BAPackKit
import SourceDiagnostics

/// Rules about the files of On-Demand Resources: their places, kinds and tags.
enum OnDemandFileRules {
  static let all: [Rule] = [
    place, outside, tooLarge, missing, letterCase, catalog, compiled, phase, dangling, unsupported,
    notMember, twoSets, samePath, unusedTag,
  ]

  // MARK: Places

  /// The location of each file must be known.
  static let place = Rule(
    "odr.place",
    what: "The location of a tagged file is unknown.",
    why: """
      The path of a file is composed of the paths of its groups. A file that is in no group, or \
      that Xcode creates during the build, has no known path.
      """,
    example: .init(
      wrong: exampleProject().replacing("children = (F);", with: "children = ();"),
      right: exampleProject()))

  static func ungrouped(_ path: String, at span: SourceSpan) -> Finding {
    place.finding(
      "'\(path: path)' is in no group, so its location is unknown", at: span,
      fixes: [Fix("add the file to a group of the project", .shownOnly)])
  }

  static func elsewhere(_ tree: String, at span: SourceSpan) -> Finding {
    place.finding(
      "the file is in '\(tree)', a folder that only Xcode can resolve", at: span, fixes: [fromBuild]
    )
  }

  static func noName(_ path: String, at span: SourceSpan) -> Finding {
    place.finding("'\(path: path)' is not a valid file name", at: span)
  }

  private static let fromBuild = Fix("convert the product of Xcode instead", .shownOnly)

  /// Files must be in the specified folder.
  static let outside = Rule(
    "odr.outside",
    what: "A tagged file is outside the project's folder.",
    why: """
      Files outside the specified folder are neither read nor packed. A project may refer to files \
      next to its folder; specify the folder that contains both.
      """,
    remedies: [.specifyContentRoot],
    example: .init(
      wrong: exampleProject().replacing("path = map.json", with: "path = \"../map.json\""),
      right: exampleProject()))

  static func outside(_ path: String, at span: SourceSpan?) -> Finding {
    outside.finding(
      "'\(path: path)' is outside the project's folder", at: span,
      fixes: [Fix([Remedy.specifyContentRoot])])
  }

  /// Folders must be within the limits.
  static let tooLarge = Rule(
    "odr.too-large",
    what: """
      A folder has too many files, is nested too deeply, or contains a folder that cannot be \
      opened.
      """,
    why: """
      A folder may contain at most \(ResourceFolder.mostFiles) files and \
      \(ResourceFolder.deepest) levels, which is far more than apps have. Circular links exceed \
      these limits. A pack with only some of the files would look correct.
      """,
    example: .init(
      wrong: exampleProject(files: ["Deep"]), right: exampleProject()))

  static func tooLarge(_ path: String, at span: SourceSpan?) -> Finding {
    tooLarge.finding(
      "cannot read the folder '\(path: path)': it has too many files, is nested too deeply, or "
        + "contains a folder that cannot be opened", at: span,
      fixes: [Fix("split the folder, or remove circular links", .shownOnly)])
  }

  /// Tagged files must exist.
  static let missing = Rule(
    "odr.missing-file",
    what: "A tagged file does not exist.",
    why: "Xcode would not build the app without the file. The pack of its tags is incomplete.",
    example: .init(
      wrong: exampleProject(files: ["map.json", "lost.json"]), right: exampleProject()))

  static func missing(_ path: String, at span: SourceSpan?) -> Finding {
    missing.finding(
      "'\(path: path)' does not exist, so it is missing from its pack", at: span,
      fixes: [Fix("restore the file, or remove it from the project", .shownOnly)])
  }

  /// Paths must be spelled as on disk.
  static let letterCase = Rule(
    "odr.letter-case", .always(.warning),
    what: """
      The spelling of a path in the project differs from the disk in case or Unicode \
      normalization.
      """,
    why: """
      A Mac opens the file nevertheless, even if 'é' is one character in the project and two \
      characters on disk. Here and on devices, both differences matter.
      """,
    example: .init(
      wrong: exampleProject(files: ["Map.json"]), right: exampleProject()))

  static func letterCase(_ path: String, onDisk name: String, at span: SourceSpan?) -> Finding {
    letterCase.finding(
      path == name
        ? "'\(path: path)' has a different Unicode normalization on disk; using the name on disk"
        : "'\(path: path)' is '\(path: name)' on disk; using the name on disk", at: span,
      fixes: [Fix("rename the file, or correct the project", .shownOnly)])
  }

  // MARK: Parts that cannot be converted

  /// A pack contains files, not items of catalogs.
  static let catalog = Rule(
    "odr.asset-catalog", .always(.warning),
    what: "An item of an asset catalog has tags.",
    why: """
      Xcode compiles catalogs into one file, which is read only from the app's bundle. A pack \
      cannot contain a part of it. The manifest of the tags selects the files of the item \
      instead, and the app must load them by their paths. 'MIGRATION.md' lists the paths.
      """,
    example: .init(
      wrong: exampleProject(files: ["map.json", "Art.xcassets"]), right: exampleProject()))

  static func catalog(_ item: CatalogItem) -> Finding {
    catalog.finding(
      """
      '\(path: item.path.shown)' of \(Finding.list(item.tags)) is in an asset catalog; the pack \
      contains the files of the item
      """, at: item.span,
      fixes: [Fix("load its files by their paths in the pack", .shownOnly)])
  }

  static func catalog(_ path: String, tags: [String], at span: SourceSpan?) -> Finding {
    catalog.finding(
      """
      '\(path: path)' of \(Finding.list(tags)) is an asset catalog; the pack contains the files \
      of its items
      """,
      at: span,
      fixes: [
        Fix("export its items to the folder that the manifest of the pack selects", .shownOnly)
      ])
  }

  /// Files must be equal in the project and in the app.
  static let compiled = Rule(
    "odr.compiled", .always(.warning),
    what: "Xcode compiles a tagged file.",
    why: """
      The app loads the compiled file, such as a nib of a xib or a 'mlmodelc' of a model. The \
      pack contains the source file, which the app cannot load instead.
      """,
    example: .init(
      wrong: exampleProject(files: ["menu.xib"]), right: exampleProject()))

  static func compiled(_ path: String, into result: String, at span: SourceSpan?) -> Finding {
    compiled.finding(
      "Xcode compiles '\(path: path)' to '.\(result)', but the pack contains the source file",
      at: span,
      fixes: [fromBuild])
  }

  /// Tags must be in the resources phase.
  static let phase = Rule(
    "odr.phase", .always(.warning),
    what: "Tags are set on a file that no target copies as a resource.",
    why: """
      Xcode reads tags only in the phase Copy Bundle Resources. In other phases they have no \
      effect.
      """,
    example: .init(
      wrong: exampleProject(files: ["map.json", "menu.json"]).replacing("(B, B1)", with: "(B)"),
      right: exampleProject()))

  static func phase(at span: SourceSpan) -> Finding {
    phase.finding(
      "these tags have no effect: no target copies the file as a resource", at: span,
      fixes: [Fix("remove the tags, or add the file to Copy Bundle Resources", .shownOnly)])
  }

  /// A build file must refer to a file.
  static let dangling = Rule(
    "odr.dangling", .always(.warning),
    what: "Tags are set on a file that the project no longer contains.",
    why: "Merges can leave such entries. They have no effect.",
    example: .init(
      wrong: exampleProject(files: ["map.json", "menu.json"])
        .replacing("fileRef = F1;", with: "fileRef = X;"),
      right: exampleProject()))

  static func dangling(at span: SourceSpan) -> Finding {
    dangling.finding(
      "these tags are set on a file that the project does not contain", at: span,
      fixes: [Fix("remove the entry from the project", .shownOnly)])
  }

  /// Only files, folders and localized files are supported.
  static let unsupported = Rule(
    "odr.reference", .always(.warning),
    what: "Tags are set on an object that is not a file of this project.",
    why: "A product of another project, or a version group, exists only after a build with Xcode.",
    example: .init(
      wrong: exampleProject(files: ["map.json", "Model"])
        .replacing("isa = PBXFileReference; path = Model;", with: "isa = XCVersionGroup;"),
      right: exampleProject()))

  static func unsupported(_ kind: String, at span: SourceSpan) -> Finding {
    unsupported.finding(
      "these tags are set on a '\(kind)', which is not a file", at: span, fixes: [fromBuild])
  }

  /// The exceptions of a synchronized folder must be consistent.
  static let notMember = Rule(
    "odr.not-member", .always(.warning),
    what: "A tagged file of a synchronized folder is not a member of the target.",
    why: "A file that no target copies is in no pack of the app.",
    example: .init(
      wrong: exampleWithFolder.replacing(
        "target = T;", with: "target = T; membershipExceptions = (menu.json);"),
      right: exampleWithFolder))

  static func notMember(_ path: String, of target: String, at span: SourceSpan) -> Finding {
    notMember.finding(
      "'\(path: path)' has tags, but it is not a member of '\(target)'", at: span,
      fixes: [Fix("remove its tags, or add it to the target", .shownOnly)])
  }

  // MARK: Between files

  /// A file must have one set of tags.
  static let twoSets = Rule(
    "odr.two-tag-sets", .always(.warning),
    what: "Two targets give a file different tags.",
    why: """
      The file is in one pack that has all of its tags, so a request for any of them includes the \
      file. If the targets are different apps, separate packs for each app may be smaller.
      """,
    example: .init(
      wrong: exampleProject(second: "(level2)"), right: exampleProject(second: "(level1)")))

  static func twoSets(
    _ path: String, at span: SourceSpan?, before: SourceSpan?
  ) -> Finding {
    twoSets.finding(
      "'\(path: path)' has different tags in another target", at: span,
      labels: before.map { [.init($0, "the other tags")] } ?? [],
      fixes: [Fix([Remedy.specifyTarget])])
  }

  /// Paths must be unique in all packs.
  static let samePath = Rule(
    "odr.same-path", .always(.warning),
    what: "Two files have the same path in packs, or paths that differ only in case.",
    why: """
      In the app's bundle, each tag had its own folder. All packs share one path namespace, and \
      which of two files the app gets is undefined. Therefore both files keep their paths in the \
      project. On most Macs, paths that differ only in case are the same path.
      """,
    example: .init(
      wrong: exampleProject(
        files: ["One/map.json", "Two/map.json"], tags: ["(level1)", "(level2)"]),
      right: exampleProject()))

  static func samePath(
    _ path: String, keeps source: String, at span: SourceSpan?, before: SourceSpan?
  ) -> Finding {
    samePath.finding(
      "the path '\(path: path)' is used twice; this file keeps the path '\(path: source)'",
      at: span,
      labels: before.map { [.init($0, "the other file")] } ?? [],
      fixes: [Fix("change the path that the app requests", .shownOnly)])
  }

  static func samePath(
    _ path: String, inOtherCaseThan other: String, at span: SourceSpan?, before: SourceSpan?
  ) -> Finding {
    samePath.finding(
      "'\(path: path)' differs from '\(path: other)' only in case", at: span,
      labels: before.map { [.init($0, "the other file")] } ?? [],
      fixes: [Fix("rename one of the files", .shownOnly)])
  }

  /// Each listed tag must be in use.
  static let unusedTag = Rule(
    "odr.unused-tag", .always(.warning),
    what: "A listed tag is unused.",
    why: "A request for the tag fails, because there is no pack.",
    example: .init(
      wrong: exampleProject(attributes: "attributes = { KnownAssetTags = (level1, levle2); };"),
      right: exampleProject(attributes: "attributes = { KnownAssetTags = (level1); };")))

  static func unusedTag(_ tag: String, at span: SourceSpan?) -> Finding {
    unusedTag.finding(
      "no file has the tag '\(tag)'", at: span,
      fixes: [Fix("remove the tag and the requests for it", .shownOnly)])
  }
}
