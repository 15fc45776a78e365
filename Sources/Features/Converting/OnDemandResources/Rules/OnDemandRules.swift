// Long because all rules of one subject are in one file, each with an example that runs.
import AppSide
import BAPackKit
import SourceDiagnostics

/// Rules for the conversion of On-Demand Resources.
enum OnDemandRules {
  static let all: [Rule] = [
    unreadable, severalProjects, nothingTagged, noTarget, place, outside, tooLarge, missing,
    letterCase, catalog, compiled, phase, dangling, unsupported, notMember, twoSets, samePath,
    unusedTag, configurations, schedules, disabled, ownServer, setting,
    settingsFile, prefetchOrder, language, spec, built, unsearched,
  ]

  // MARK: Reading

  /// The input must be readable.
  static let unreadable = Rule(
    "odr.unreadable",
    what: "A project or a property list cannot be read.",
    why: """
      If such a file is read incorrectly, files are missing from packs. The conversion therefore \
      stops. Xcode writes these files; the cause is usually a git conflict or an editing mistake.
      """,
    example: .init(
      wrong: "{ rootObject = P; objects = { P = { isa = PBXProject }; }; }", right: project()))

  static func unreadable(_ fault: Unreadable) -> Finding {
    unreadable.finding(fault.reason, at: fault.span, fixes: [Fix(fault.remedy, .shownOnly)])
  }

  /// The input must contain one project.
  static let severalProjects = Rule(
    "odr.several-projects",
    what: "A folder contains several projects.",
    why: "Each of them is a separate app or library, so the project to convert is unclear.",
    example: .init(
      wrong: "a folder with 'Game.xcodeproj' and 'Tools.xcodeproj'",
      right: "'Game.xcodeproj' itself"))

  static func severalProjects(_ names: [String]) -> Finding {
    severalProjects.finding(
      "found several projects: \(Finding.list(names))", at: nil,
      fixes: [
        Fix(
          "specify one of them", .shownOnly)
      ])
  }

  /// The input must contain tags.
  static let nothingTagged = Rule(
    "odr.nothing-tagged",
    what: "The input contains no tags.",
    why: "Packs are made from tagged files. A file without tags is a part of the app.",
    example: .init(
      wrong: project().replacing("ASSET_TAGS = (level1);", with: ""), right: project()))

  static func nothingTagged(in input: String) -> Finding {
    nothingTagged.finding(
      "'\(path: input)' contains no tags, so there is no pack to create", at: nil,
      fixes: [Fix("specify the project whose resources have tags", .shownOnly)])
  }

  /// The specified target must exist.
  static let noTarget = Rule(
    "odr.no-target",
    what: "The project has no target with the specified name.",
    why: "Only the files that this target copies are converted.",
    example: .init(
      wrong: "the target 'Game' of a project with only the target 'App'",
      right: "the target 'App' of this project"))

  static func noTarget(_ name: String, among names: [String], at span: SourceSpan?) -> Finding {
    noTarget.finding(
      "there is no target '\(name)'", at: span,
      notes: names.isEmpty ? [] : ["the targets are \(Finding.list(names))"])
  }

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
      wrong: project().replacing("children = (F);", with: "children = ();"), right: project()))

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
      wrong: project().replacing("path = map.json", with: "path = \"../map.json\""),
      right: project()))

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
      wrong: project(files: ["Deep"]), right: project()))

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
      wrong: project(files: ["map.json", "lost.json"]), right: project()))

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
      wrong: project(files: ["Map.json"]), right: project()))

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
      wrong: project(files: ["map.json", "Art.xcassets"]), right: project()))

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
      wrong: project(files: ["menu.xib"]), right: project()))

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
      wrong: project(files: ["map.json", "menu.json"]).replacing("(B, B1)", with: "(B)"),
      right: project()))

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
      wrong: project(files: ["map.json", "menu.json"])
        .replacing("fileRef = F1;", with: "fileRef = X;"),
      right: project()))

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
      wrong: project(files: ["map.json", "Model"])
        .replacing("isa = PBXFileReference; path = Model;", with: "isa = XCVersionGroup;"),
      right: project()))

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
      wrong: synchronized.replacing(
        "target = T;", with: "target = T; membershipExceptions = (menu.json);"),
      right: synchronized))

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
      wrong: project(second: "(level2)"), right: project(second: "(level1)")))

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
      wrong: project(files: ["One/map.json", "Two/map.json"], tags: ["(level1)", "(level2)"]),
      right: project()))

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
      wrong: project(attributes: "attributes = { KnownAssetTags = (level1, levle2); };"),
      right: project(attributes: "attributes = { KnownAssetTags = (level1); };")))

  static func unusedTag(_ tag: String, at span: SourceSpan?) -> Finding {
    unusedTag.finding(
      "no file has the tag '\(tag)'", at: span,
      fixes: [Fix("remove the tag and the requests for it", .shownOnly)])
  }

  // MARK: Settings

  /// Configurations must agree.
  static let configurations = Rule(
    "odr.configurations", .always(.warning),
    what: "The configurations of a target have different download settings.",
    why: "An app has one set of packs. The configuration with which the app is published applies.",
    example: .init(
      wrong: project(settings: "ON_DEMAND_RESOURCES_INITIAL_INSTALL_TAGS = level1;", debug: ""),
      right: project(settings: "ON_DEMAND_RESOURCES_INITIAL_INSTALL_TAGS = level1;")))

  static func configurations(
    _ key: String, taken: String, other: String, at span: SourceSpan?
  ) -> Finding {
    configurations.finding(
      "'\(key)' differs between '\(taken)' and '\(other)'; using '\(taken)'", at: span)
  }

  /// Targets must agree.
  static let schedules = Rule(
    "odr.schedules", .always(.warning),
    what: "The targets have different download policies for a tag.",
    why: """
      Each app had its own asset packs. The converted pack contains the files of all targets, and \
      the earliest policy applies. It may be too early for one of the apps.
      """,
    remedies: [.specifyTarget],
    example: .init(
      wrong: project(second: "(level1)", settings: "ON_DEMAND_RESOURCES_PREFETCH_ORDER = level1;"),
      right: project(settings: "ON_DEMAND_RESOURCES_PREFETCH_ORDER = level1;")))

  static func schedules(
    _ tags: [String], _ earliest: (target: String, policy: DownloadPolicy),
    _ other: (target: String, policy: DownloadPolicy), at span: SourceSpan?
  ) -> Finding {
    schedules.finding(
      """
      the pack of \(Finding.list(tags)) is \(phrase(for: earliest.policy)) in \
      '\(earliest.target)' and \(phrase(for: other.policy)) in '\(other.target)'; using \
      \(phrase(for: earliest.policy))
      """, at: span, fixes: [Fix([Remedy.specifyTarget])])
  }

  private static func phrase(for policy: DownloadPolicy) -> Finding.Message {
    switch policy {
    case .essential: "essential"
    case .prefetch: "prefetched"
    case .onDemand: "on demand"
    }
  }

  /// On-Demand Resources must be enabled.
  static let disabled = Rule(
    "odr.disabled", .always(.warning),
    what: "On-Demand Resources are disabled in a target with tags.",
    why: """
      The tags had no effect: the files were a part of the app. The packs are downloaded, so the \
      app must request them.
      """,
    example: .init(
      wrong: project(settings: "ENABLE_ON_DEMAND_RESOURCES = NO;"),
      right: project(settings: "ENABLE_ON_DEMAND_RESOURCES = YES;")))

  static func disabled(in target: String, at span: SourceSpan) -> Finding {
    disabled.finding("On-Demand Resources are disabled in '\(target)'", at: span)
  }

  /// The asset packs should be hosted in the App Store.
  static let ownServer = Rule(
    "odr.own-server", .always(.note),
    what: "The app downloaded its asset packs from a server other than the App Store.",
    why: """
      Background Assets on your server require a download manifest, and other Info.plist keys \
      than packs that Apple hosts.
      """,
    example: .init(
      wrong: project(settings: "ASSET_PACK_MANIFEST_URL_PREFIX = \"https://odr.example.com/\";"),
      right: project(settings: "")))

  static func ownServer(_ address: String, at span: SourceSpan) -> Finding {
    ownServer.finding(
      "packs were downloaded from '\(address)'; your server requires a download manifest", at: span)
  }

  /// Build settings must have a known value.
  static let setting = Rule(
    "odr.setting",
    .usually(
      .error, .warning,
      when: "a line of a settings file names no such setting, or the user specifies the policy"),
    what: """
      The value of a build setting for On-Demand Resources is unknown, or a line of a settings \
      file cannot be read.
      """,
    why: """
      The setting specifies when packs are downloaded. Conditions on the SDK, the configuration \
      and the architecture, references to other settings, and inherited values are supported. \
      Values that Xcode sets elsewhere are unknown.
      """,
    remedies: [.specifyPolicy],
    example: .init(
      wrong: project(settings: "ON_DEMAND_RESOURCES_INITIAL_INSTALL_TAGS = \"$(FIRST)\";"),
      right: project(
        settings: "ON_DEMAND_RESOURCES_INITIAL_INSTALL_TAGS = \"$(FIRST)\"; FIRST = level1;")))

  static func setting(_ key: String, _ fault: SettingFault, at span: SourceSpan) -> Finding {
    let name = fault.assignment.key.name
    return setting.finding(
      "cannot evaluate '\(key)': \(fault.reason)", at: span,
      notes: name == key
        ? []
        : [
          "'\(key)' refers to '\(name)', and the error is in the value of '\(name)'"
        ],
      fixes: [Fix("write the tags themselves in the setting", .shownOnly)])
  }

  /// Reports a line of a settings file.
  ///
  /// If the line names a setting that applies, `key` is its name.
  static func setting(malformed text: String, naming key: String?, at span: SourceSpan) -> Finding {
    let phrase: Finding.Message = "'\(text)' is not a setting, an inclusion or a comment"
    guard let key else {
      return setting.exception(
        phrase, at: span, fixes: [Fix("correct or remove the line", .shownOnly)])
    }
    return setting.finding(
      phrase, at: span, notes: ["it names '\(key)', which specifies when packs are downloaded"],
      fixes: [Fix(["correct the line", Remedy.specifyPolicy])])
  }

  static func setting(
    _ key: String, differsBetween sdk: String, and other: String, at span: SourceSpan?
  ) -> Finding {
    setting.finding(
      "'\(key)' differs between '\(sdk)' and '\(other)'", at: span,
      notes: ["a pack has the same download policy on all platforms"],
      fixes: [
        Fix(
          "specify the platform of the packs, and convert once for each platform", .shownOnly)
      ])
  }

  /// Settings must be in the project or in readable files.
  static let settingsFile = Rule(
    "odr.settings-file",
    .usually(.error, .warning, when: "the user specifies the policy of the packs"),
    what: "A file with build settings does not exist or cannot be read.",
    why: """
      The initial-install tags and the prefetch order are build settings. Without the file, packs \
      that were installed with the app would become on-demand packs.
      """,
    remedies: [.specifyPolicy],
    example: .init(
      wrong: project(settings: "", file: "Game.xcconfig"), right: project(settings: "")))

  static func settingsFile(_ path: String, isPolicyGiven: Bool, at span: SourceSpan) -> Finding {
    let phrase: Finding.Message = "cannot read '\(path: path)', which may contain build settings"
    return isPolicyGiven
      ? settingsFile.exception(phrase, at: span)
      : settingsFile.finding(phrase, at: span, fixes: [Fix([Remedy.specifyPolicy])])
  }

  /// A prefetch order cannot be converted.
  static let prefetchOrder = Rule(
    "odr.prefetch-order", .always(.note),
    what: "The prefetch order of tags is lost.",
    why: """
      Prefetch packs have no order. If the app requires one of them first, it requests that pack, \
      which moves it to the front.
      """,
    example: .init(
      wrong: project(
        files: ["map.json", "boss.json"], tags: ["(level1)", "(level2)"],
        settings: "ON_DEMAND_RESOURCES_PREFETCH_ORDER = \"level1 level2\";"),
      right: project(settings: "ON_DEMAND_RESOURCES_PREFETCH_ORDER = level1;")))

  static func prefetchOrder(_ tags: [String], at span: SourceSpan?) -> Finding {
    prefetchOrder.finding(
      "the packs of \(Finding.list(tags)) are prefetched without an order", at: span)
  }

  // MARK: Languages

  /// Language folders must be named after a language tag.
  static let language = Rule(
    "odr.language", .always(.warning),
    what: "The name of a '.lproj' folder is not a language that packs support.",
    why: """
      Localized packs have a language tag such as 'de' or 'zh-Hant'. The files of other folders \
      are in packs for all languages, and the folder is a part of their paths.
      """,
    example: .init(
      wrong: project(files: ["Klingonese.lproj/map.json"]),
      right: project(files: ["de.lproj/map.json"])))

  static func language(_ folder: String, at span: SourceSpan?) -> Finding {
    language.finding(
      "'\(folder)' is not a supported language; its files are for all languages", at: span)
  }

  // MARK: Specs and builds

  /// The input must be the project that XcodeGen generates, not its spec.
  static let spec = Rule(
    "odr.spec",
    what: "The input is a spec of XcodeGen.",
    why: """
      XcodeGen resolves the includes, templates and variables of a spec when it generates the \
      Xcode project. Only the project contains the complete lists of files and tags.
      """,
    example: .init(
      wrong: """
        targets:
          App:
            sources:
              - {path: map.json, resourceTags: [level1]}
        """, right: project()))

  static func spec(_ path: FilePath) -> Finding {
    spec.finding(
      "'\(path: path.text)' is a spec of XcodeGen, not an Xcode project", at: nil,
      fixes: [Fix("run 'xcodegen generate', and convert the project", .shownOnly)])
  }

  /// A built app must be complete.
  static let built = Rule(
    "odr.built",
    what:
      "A built app lacks an asset pack or a file that it lists, or an entry is not a regular file.",
    why: """
      Packs are often exported to a folder next to the app. Without the packs, their files cannot \
      be converted.
      """,
    example: .init(
      wrong: builtList("lost"), right: builtList("a")))

  static func built(missingPack name: String, at span: SourceSpan?) -> Finding {
    built.finding(
      "the asset pack '\(path: name)' does not exist", at: span,
      fixes: [Fix("specify the archive, or the folder with the exported packs", .shownOnly)])
  }

  static func built(incomplete phrase: Finding.Message, at span: SourceSpan?) -> Finding {
    built.finding(phrase, at: span, fixes: [Fix("export the app again", .shownOnly)])
  }

  static func built(_ path: String, isNoFile reason: String) -> Finding {
    built.finding(
      "the entry '\(path: path)' \(reason), so it is in no pack", at: nil,
      fixes: [Fix("export the app again, or remove the entry from the archive", .shownOnly)])
  }

  /// All sources must be searched for calls.
  static let unsearched = Rule(
    "odr.unsearched", .always(.warning),
    what: "A source file was not searched for On-Demand Resources calls.",
    why: """
      Regular files up to \(SourceScan.largestFile >> 20) MiB in the named folders are searched, \
      in UTF-8 or UTF-16. 'MIGRATION.md' does not list the calls of other files.
      """,
    example: .init(
      wrong: "a source file of 20 MiB in a folder that is searched",
      right: "the same folder without it"))

  static func unsearched(_ path: String) -> Finding {
    unsearched.finding(
      """
      '\(path: path)' was not searched: it is not text, cannot be read, is outside the folder, or \
      is larger than \(SourceScan.largestFile >> 20) MiB
      """, at: nil, fixes: [Fix("search the file for calls manually", .shownOnly)])
  }
}

// MARK: - Examples

/// Returns a small project for an example.
private func project(
  files: [String] = ["map.json"], tags: [String] = ["(level1)"], second: String? = nil,
  attributes: String = "", settings: String? = nil, debug: String? = nil, file: String? = nil
) -> String {
  let ids = files.indices.map { $0 == 0 ? "" : "\($0)" }
  var lines = [
    """
    P = { isa = PBXProject; mainGroup = G; targets = (T\(second == nil ? "" : ", T2")); \
    \(attributes)};
    """,
    """
    G = { isa = PBXGroup; children = (\(ids.map { "F\($0)" }.joined(separator: ", "))); \
    sourceTree = "<group>"; };
    """,
    """
    T = { isa = PBXNativeTarget; name = App; buildPhases = (R); \
    \(settings == nil ? "" : "buildConfigurationList = L; ")};
    """,
    """
    R = { isa = PBXResourcesBuildPhase; \
    files = (\(ids.map { "B\($0)" }.joined(separator: ", "))); };
    """,
  ]
  for (index, path) in files.enumerated() {
    let tags = tags[min(index, tags.count - 1)]
    lines.append(
      "F\(ids[index]) = { isa = PBXFileReference; path = \(path); sourceTree = \"<group>\"; };")
    lines.append(
      """
      B\(ids[index]) = { isa = PBXBuildFile; fileRef = F\(ids[index]); \
      settings = { ASSET_TAGS = \(tags); }; };
      """)
  }
  if let second {
    lines += [
      "T2 = { isa = PBXNativeTarget; name = Lite; buildPhases = (R2); };",
      "R2 = { isa = PBXResourcesBuildPhase; files = (B2); };",
      "B2 = { isa = PBXBuildFile; fileRef = F; settings = { ASSET_TAGS = \(second); }; };",
    ]
  }
  if let settings {
    let base = file == nil ? "" : "baseConfigurationReference = X; "
    lines += [
      "L = { isa = XCConfigurationList; buildConfigurations = (C1, C2); };",
      """
      C1 = { isa = XCBuildConfiguration; name = Release; \(base)buildSettings = \
      { \(settings) }; };
      """,
      """
      C2 = { isa = XCBuildConfiguration; name = Debug; \(base)buildSettings = \
      { \(debug ?? settings) }; };
      """,
    ]
    if let file { lines.append("X = { isa = PBXFileReference; path = \(file); };") }
  }
  return "{ rootObject = P; objects = {\n  " + lines.joined(separator: "\n  ") + "\n}; }"
}

/// A project with a synchronized folder.
private let synchronized = """
  { rootObject = P; objects = {
    P = { isa = PBXProject; mainGroup = G; targets = (T); };
    G = { isa = PBXGroup; children = (S); sourceTree = "<group>"; };
    T = { isa = PBXNativeTarget; name = App; fileSystemSynchronizedGroups = (S); };
    S = { isa = PBXFileSystemSynchronizedRootGroup; path = Art; exceptions = (E);
          sourceTree = "<group>"; };
    E = { isa = PBXFileSystemSynchronizedBuildFileExceptionSet; target = T;
          assetTagsByRelativePath = { map.json = (level1); menu.json = (level1); }; };
  }; }
  """

/// Returns the list of asset packs of a built app.
private func builtList(_ pack: String) -> String {
  """
  <?xml version="1.0" encoding="UTF-8"?>
  <plist version="1.0"><dict>
    <key>NSBundleResourceRequestTags</key>
    <dict><key>level1</key><dict><key>NSAssetPacks</key>
      <array><string>\(pack)</string></array></dict></dict>
    <key>NSBundleResourceRequestAssetPacks</key>
    <dict><key>\(pack)</key><array><string>map.json</string></array></dict>
  </dict></plist>
  """
}
