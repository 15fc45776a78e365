// Long because the rules of one subject stand together, each with an example that runs.
import BAPackKit
import SourceDiagnostics

/// What can be wrong with On-Demand Resources, or cannot be carried over.
enum OnDemandRules {
  static let all: [Rule] = [
    unreadable, severalProjects, nothingTagged, noTarget, place, outside, tooLarge, missing,
    letterCase, catalog, compiled, phase, dangling, unsupported, notMember, twoSets, samePath,
    unusedTag, configurations, schedules, disabled, ownServer, setting,
    settingsFile, prefetchOrder, language, spec, built, unsearched,
  ]

  // MARK: Reading

  /// A project can be read.
  static let unreadable = Rule(
    "odr.unreadable",
    what: "A project, a property list or a spec cannot be read.",
    why: """
      A text that is read wrongly gives packs that lack files, so nothing is guessed. Xcode writes \
      these files; what stops us is usually a conflict of git's, or a slip of the hand.
      """,
    example: .init(
      wrong: "{ rootObject = P; objects = { P = { isa = PBXProject }; }; }", right: project()))

  static func unreadable(_ fault: Unreadable) -> Finding {
    unreadable.finding(fault.reason, at: fault.span, fixes: [Fix(fault.remedy, .shownOnly)])
  }

  /// It is clear what is to be converted.
  static let severalProjects = Rule(
    "odr.several-projects",
    what: "A folder has several projects.",
    why: "Each is an app of its own, or a library; which one is meant cannot be told.",
    example: .init(
      wrong: "a folder with 'Game.xcodeproj' and 'Tools.xcodeproj'",
      right: "'Game.xcodeproj' itself"))

  static func severalProjects(_ names: [String]) -> Finding {
    severalProjects.finding(
      "there are \(Finding.list(names))", at: nil, fixes: [Fix("name one of them", .shownOnly)])
  }

  /// There is something to convert.
  static let nothingTagged = Rule(
    "odr.nothing-tagged",
    what: "Nothing in the input has a tag.",
    why: "Packs are made of what has tags: what has none is a part of the app and stays there.",
    example: .init(
      wrong: project().replacing("ASSET_TAGS = (level1);", with: ""), right: project()))

  static func nothingTagged(in input: String) -> Finding {
    nothingTagged.finding(
      "nothing in '\(path: input)' has a tag, so there is no pack to make", at: nil,
      fixes: [Fix("name the project whose resources have tags", .shownOnly)])
  }

  /// A named target exists.
  static let noTarget = Rule(
    "odr.no-target",
    what: "The project has no target of the name that was given.",
    why: "Only what that target copies was to be converted.",
    example: .init(
      wrong: "a project with the target 'App', of which 'Game' is wanted",
      right: "the same, of which 'App' is wanted"))

  static func noTarget(_ name: String, among names: [String], at span: SourceSpan?) -> Finding {
    noTarget.finding(
      "there is no target '\(name)'", at: span,
      notes: names.isEmpty ? [] : ["there are \(Finding.list(names))"])
  }

  // MARK: Places

  /// It is known where a file is.
  static let place = Rule(
    "odr.place",
    what: "Nothing says where a file with tags is.",
    why: """
      A file is found through the groups that it is in. One that is in none, or that Xcode makes \
      while it builds, cannot be found here.
      """,
    example: .init(
      wrong: project().replacing("children = (F);", with: "children = ();"), right: project()))

  static func ungrouped(_ path: String, at span: SourceSpan) -> Finding {
    place.finding(
      "'\(path: path)' is in no group, so nothing says where it is", at: span,
      fixes: [Fix("add the file to a group of the project", .shownOnly)])
  }

  static func elsewhere(_ tree: String, at span: SourceSpan) -> Finding {
    place.finding(
      "the file is in '\(tree)', a folder that only Xcode knows", at: span, fixes: [fromBuild])
  }

  static func noName(_ path: String, at span: SourceSpan) -> Finding {
    place.finding("no file can be called '\(path: path)'", at: span)
  }

  private static let fromBuild = Fix("convert what Xcode built of it instead", .shownOnly)

  /// Files are in the folder that was named.
  static let outside = Rule(
    "odr.outside",
    what: "A file with tags is outside the folder of the project.",
    why: """
      Nothing outside the folder that was named is looked at or packed. Files of a project may be \
      beside its folder; then the folder around both has to be named.
      """,
    remedies: [.nameContentRoot],
    example: .init(
      wrong: project().replacing("path = map.json", with: "path = \"../map.json\""),
      right: project()))

  static func outside(_ path: String, at span: SourceSpan?) -> Finding {
    outside.finding(
      "'\(path: path)' is outside the folder of the project", at: span,
      fixes: [Fix([Remedy.nameContentRoot])])
  }

  /// A folder is one that can be looked through.
  static let tooLarge = Rule(
    "odr.too-large",
    what: "A folder has too many files, is nested too deep, or has one that cannot be opened.",
    why: """
      A folder is looked through up to \(ResourceFolder.mostFiles) files and \
      \(ResourceFolder.deepest) folders deep, which is far above what apps have; links that lead \
      in a circle reach it. A pack with a part of the files would look right.
      """,
    example: .init(
      wrong: project(files: ["Deep"]), right: project()))

  static func tooLarge(_ path: String, at span: SourceSpan?) -> Finding {
    tooLarge.finding(
      "'\(path: path)' cannot be looked through: it has too many files, folders in folders, or one "
        + "that stays shut", at: span,
      fixes: [Fix("divide it, or take away links that lead in a circle", .shownOnly)])
  }

  /// Files are there.
  static let missing = Rule(
    "odr.missing-file",
    what: "A file with tags is not there.",
    why: "Xcode would not build the app without it either; its pack is made without it here.",
    example: .init(
      wrong: project(files: ["map.json", "lost.json"]), right: project()))

  static func missing(_ path: String, at span: SourceSpan?) -> Finding {
    missing.finding(
      "'\(path: path)' is not there, so its pack lacks it", at: span,
      fixes: [Fix("bring the file back, or take it out of the project", .shownOnly)])
  }

  /// Names are spelt as they are on disk.
  static let letterCase = Rule(
    "odr.letter-case", .always(.warning),
    what: "A project spells the path of a file in another case than the disk, or in other signs.",
    why: """
      Macs find the file all the same, also where an 'é' is one sign in the project and two on \
      disk; here, and on devices, both count.
      """,
    example: .init(
      wrong: project(files: ["Map.json"]), right: project()))

  static func letterCase(_ path: String, onDisk name: String, at span: SourceSpan?) -> Finding {
    letterCase.finding(
      path == name
        ? "'\(path: path)' has other signs for the same letters on disk, which are taken"
        : "'\(path: path)' is '\(path: name)' on disk, which is taken", at: span,
      fixes: [Fix("rename the file, or correct the project", .shownOnly)])
  }

  // MARK: What cannot be carried over

  /// A pack holds files, not items of catalogs.
  static let catalog = Rule(
    "odr.asset-catalog", .always(.warning),
    what: "An item of an asset catalog has tags.",
    why: """
      Xcode compiles catalogs into one file that only the app's bundle is read from; a pack cannot \
      have a part of it. The manifest of its tags selects the files of the item instead, and the \
      app has to load them by their paths; 'MIGRATION.md' lists them.
      """,
    example: .init(
      wrong: project(files: ["map.json", "Art.xcassets"]), right: project()))

  static func catalog(_ item: CatalogItem) -> Finding {
    catalog.finding(
      """
      '\(path: item.path.shown)' of \(Finding.list(item.tags)) is in an asset catalog: its pack \
      gets the files of the item
      """, at: item.span,
      fixes: [Fix("load its files by their paths in the pack of its tags", .shownOnly)])
  }

  static func catalog(_ path: String, tags: [String], at span: SourceSpan?) -> Finding {
    catalog.finding(
      """
      '\(path: path)' of \(Finding.list(tags)) is an asset catalog: a pack gets the files of its \
      items
      """,
      at: span,
      fixes: [
        Fix("export its items to the folder that the manifest of its tags selects", .shownOnly)
      ])
  }

  /// Files are the same in the project and in the app.
  static let compiled = Rule(
    "odr.compiled", .always(.warning),
    what: "Xcode makes another file of a file with tags.",
    why: """
      The app loads what Xcode compiled: a nib of a xib, a 'mlmodelc' of a model. The pack gets \
      the file of the project, which the app cannot load in its place.
      """,
    example: .init(
      wrong: project(files: ["menu.xib"]), right: project()))

  static func compiled(_ path: String, into result: String, at span: SourceSpan?) -> Finding {
    compiled.finding(
      "Xcode compiles '\(path: path)' to '.\(result)', and the pack gets it as it is", at: span,
      fixes: [fromBuild])
  }

  /// Tags have an effect in one phase only.
  static let phase = Rule(
    "odr.phase", .always(.warning),
    what: "Tags are on a file that no target copies as a resource.",
    why: "Xcode looks at tags only in the phase Copy Bundle Resources; elsewhere they do nothing.",
    example: .init(
      wrong: project(files: ["map.json", "menu.json"]).replacing("(B, B1)", with: "(B)"),
      right: project()))

  static func phase(at span: SourceSpan) -> Finding {
    phase.finding(
      "these tags do nothing: no target copies the file as a resource", at: span,
      fixes: [Fix("take the tags away, or add the file to Copy Bundle Resources", .shownOnly)])
  }

  /// A build file has a file.
  static let dangling = Rule(
    "odr.dangling", .always(.warning),
    what: "Tags are on a file that the project no longer has.",
    why: "Xcode leaves such remains after merges; they do nothing.",
    example: .init(
      wrong: project(files: ["map.json", "menu.json"])
        .replacing("fileRef = F1;", with: "fileRef = X;"),
      right: project()))

  static func dangling(at span: SourceSpan) -> Finding {
    dangling.finding(
      "these tags are on a file that the project does not have", at: span,
      fixes: [Fix("take the entry out of the project", .shownOnly)])
  }

  /// Only files, folders and their languages are known.
  static let unsupported = Rule(
    "odr.reference", .always(.warning),
    what: "Tags are on something that is no file of this project.",
    why: "A product of another project, or a set of versions, is made only when Xcode builds.",
    example: .init(
      wrong: project(files: ["map.json", "Model"])
        .replacing("isa = PBXFileReference; path = Model;", with: "isa = XCVersionGroup;"),
      right: project()))

  static func unsupported(_ kind: String, at span: SourceSpan) -> Finding {
    unsupported.finding(
      "these tags are on a '\(kind)', which is no file", at: span, fixes: [fromBuild])
  }

  /// Exceptions of a synchronized folder agree.
  static let notMember = Rule(
    "odr.not-member", .always(.warning),
    what: "A file of a synchronized folder has tags, and is left out of the target.",
    why: "What a target does not copy is in no pack of its app.",
    example: .init(
      wrong: synchronized.replacing(
        "target = T;", with: "target = T; membershipExceptions = (menu.json);"),
      right: synchronized))

  static func notMember(_ path: String, of target: String, at span: SourceSpan) -> Finding {
    notMember.finding(
      "'\(path: path)' has tags, but '\(target)' leaves it out", at: span,
      fixes: [Fix("take its tags away, or add it to the target", .shownOnly)])
  }

  // MARK: Between files

  /// A file has one set of tags.
  static let twoSets = Rule(
    "odr.two-tag-sets", .always(.warning),
    what: "Two targets give a file different tags.",
    why: """
      A file is in one pack here, which has all of its tags: so whoever asks for one of them gets \
      it. If the targets are different apps, each may better have packs of its own.
      """,
    example: .init(
      wrong: project(second: "(level2)"), right: project(second: "(level1)")))

  static func twoSets(
    _ path: String, at span: SourceSpan?, before: SourceSpan?
  ) -> Finding {
    twoSets.finding(
      "'\(path: path)' has other tags in another target", at: span,
      labels: before.map { [.init($0, "the other tags")] } ?? [],
      fixes: [Fix([Remedy.nameTarget])])
  }

  /// Packs share one space of names.
  static let samePath = Rule(
    "odr.same-path", .always(.warning),
    what: "Two files would have the same path in packs, or paths that differ only in case.",
    why: """
      In the app's bundle each tag had a folder of its own; packs share one space of names, and \
      which of two files the app gets is not defined. Both keep their paths in the project \
      instead. Paths that differ only in case are one path on most Macs.
      """,
    example: .init(
      wrong: project(files: ["One/map.json", "Two/map.json"], tags: ["(level1)", "(level2)"]),
      right: project()))

  static func samePath(
    _ path: String, keeps source: String, at span: SourceSpan?, before: SourceSpan?
  ) -> Finding {
    samePath.finding(
      "another file is '\(path: path)', too, so this one stays '\(path: source)'", at: span,
      labels: before.map { [.init($0, "the other one")] } ?? [],
      fixes: [Fix("change the path that the app asks for", .shownOnly)])
  }

  static func samePath(
    _ path: String, inOtherCaseThan other: String, at span: SourceSpan?, before: SourceSpan?
  ) -> Finding {
    samePath.finding(
      "'\(path: path)' differs from '\(path: other)' only in case", at: span,
      labels: before.map { [.init($0, "the other one")] } ?? [],
      fixes: [Fix("rename one of the files", .shownOnly)])
  }

  /// A tag has something.
  static let unusedTag = Rule(
    "odr.unused-tag", .always(.warning),
    what: "A tag is listed, and nothing has it.",
    why: "A request for it fails: there is no pack.",
    example: .init(
      wrong: project(attributes: "attributes = { KnownAssetTags = (level1, levle2); };"),
      right: project(attributes: "attributes = { KnownAssetTags = (level1); };")))

  static func unusedTag(_ tag: String, at span: SourceSpan?) -> Finding {
    unusedTag.finding(
      "nothing has the tag '\(tag)'", at: span,
      fixes: [Fix("take it away, with the requests for it", .shownOnly)])
  }

  // MARK: Settings

  /// Configurations agree.
  static let configurations = Rule(
    "odr.configurations", .always(.warning),
    what: "Configurations of a target differ in what is downloaded when.",
    why: "An app has one set of packs; what counts is the configuration that it is published with.",
    example: .init(
      wrong: project(settings: "ON_DEMAND_RESOURCES_INITIAL_INSTALL_TAGS = level1;", debug: ""),
      right: project(settings: "ON_DEMAND_RESOURCES_INITIAL_INSTALL_TAGS = level1;")))

  static func configurations(
    _ key: String, taken: String, other: String, at span: SourceSpan?
  ) -> Finding {
    configurations.finding(
      "'\(key)' is another in '\(other)'; that of '\(taken)' counts", at: span)
  }

  /// Targets agree.
  static let schedules = Rule(
    "odr.schedules", .always(.warning),
    what: "Targets differ in when a tag is downloaded.",
    why: """
      Each app had asset packs of its own. Here one pack has the files of all targets, and the \
      earliest time counts, which may be too early for one of the apps.
      """,
    remedies: [.nameTarget],
    example: .init(
      wrong: project(second: "(level1)", settings: "ON_DEMAND_RESOURCES_PREFETCH_ORDER = level1;"),
      right: project(settings: "ON_DEMAND_RESOURCES_PREFETCH_ORDER = level1;")))

  static func schedules(
    _ tags: [String], _ earliest: (target: String, policy: DownloadPolicy),
    _ other: (target: String, policy: DownloadPolicy), at span: SourceSpan?
  ) -> Finding {
    schedules.finding(
      """
      the pack of \(Finding.list(tags)) is \(phrase(for: earliest.policy)), \
      as '\(earliest.target)' \
      has it, and '\(other.target)' has it \(phrase(for: other.policy))
      """, at: span, fixes: [Fix([Remedy.nameTarget])])
  }

  private static func phrase(for policy: DownloadPolicy) -> Finding.Message {
    switch policy {
    case .essential: "essential"
    case .prefetch: "prefetched"
    case .onDemand: "on demand"
    }
  }

  /// On-Demand Resources are not switched off.
  static let disabled = Rule(
    "odr.disabled", .always(.warning),
    what: "A target with tags has On-Demand Resources switched off.",
    why: """
      Its tags did nothing: the files were in the app. As packs they are downloaded, so the app \
      has to ask for them.
      """,
    example: .init(
      wrong: project(settings: "ENABLE_ON_DEMAND_RESOURCES = NO;"),
      right: project(settings: "ENABLE_ON_DEMAND_RESOURCES = YES;")))

  static func disabled(in target: String, at span: SourceSpan) -> Finding {
    disabled.finding("'\(target)' has On-Demand Resources switched off", at: span)
  }

  /// Packs came from the App Store.
  static let ownServer = Rule(
    "odr.own-server", .always(.note),
    what: "The app got its asset packs from a server of one's own.",
    why: """
      Background Assets on a server of one's own need a download manifest and other keys of \
      Info.plist than packs that Apple hosts.
      """,
    example: .init(
      wrong: project(settings: "ASSET_PACK_MANIFEST_URL_PREFIX = \"https://odr.example.com/\";"),
      right: project(settings: "")))

  static func ownServer(_ address: String, at span: SourceSpan) -> Finding {
    ownServer.finding(
      "packs came from '\(address)': a server of one's own needs a download manifest", at: span)
  }

  /// The value of a build setting can be found.
  static let setting = Rule(
    "odr.setting",
    .usually(
      .error, .warning,
      when: "a line of a settings file names no such setting, or the policy of the packs is given"),
    what: """
      The value of a build setting about On-Demand Resources cannot be found, or a line of a \
      settings file cannot be read.
      """,
    why: """
      The setting says when packs are downloaded. Conditions on the SDK, the configuration and the \
      architecture, references to other settings and inherited values are followed. What Xcode \
      takes from elsewhere is unknown here.
      """,
    remedies: [.namePolicy],
    example: .init(
      wrong: project(settings: "ON_DEMAND_RESOURCES_INITIAL_INSTALL_TAGS = \"$(FIRST)\";"),
      right: project(
        settings: "ON_DEMAND_RESOURCES_INITIAL_INSTALL_TAGS = \"$(FIRST)\"; FIRST = level1;")))

  static func setting(_ key: String, _ fault: SettingFault, at span: SourceSpan) -> Finding {
    let name = fault.assignment.key.name
    return setting.finding(
      "'\(key)' cannot be evaluated: \(fault.reason)", at: span,
      notes: name == key ? [] : ["this is in the value of '\(name)', which it refers to"],
      fixes: [Fix("write the tags themselves in the setting", .shownOnly)])
  }

  /// A line of a settings file; `key` is the setting that it names and that counts.
  static func setting(malformed text: String, naming key: String?, at span: SourceSpan) -> Finding {
    let phrase: Finding.Message = "'\(text)' is no setting, no inclusion and no comment"
    guard let key else {
      return setting.exception(
        phrase, at: span, fixes: [Fix("correct the line, or take it away", .shownOnly)])
    }
    return setting.finding(
      phrase, at: span, notes: ["it names '\(key)', which says when packs are downloaded"],
      fixes: [Fix(["correct the line", Remedy.namePolicy])])
  }

  static func setting(
    _ key: String, differsBetween sdk: String, and other: String, at span: SourceSpan?
  ) -> Finding {
    setting.finding(
      "'\(key)' is another for '\(sdk)' than for '\(other)'", at: span,
      notes: ["a pack is downloaded at the same time on all its platforms"],
      fixes: [Fix("name the platform of the packs, and convert once for each", .shownOnly)])
  }

  /// Settings are in the project.
  static let settingsFile = Rule(
    "odr.settings-file",
    .usually(.error, .warning, when: "the policy of the packs is given"),
    what: "Build settings may be in a file that is not there.",
    why: """
      Tags for the initial installation and the prefetch order are build settings. Without the \
      file, packs that come with the app would be on demand.
      """,
    remedies: [.namePolicy],
    example: .init(
      wrong: project(settings: "", file: "Game.xcconfig"), right: project(settings: "")))

  static func settingsFile(_ path: String, isPolicyGiven: Bool, at span: SourceSpan) -> Finding {
    let phrase: Finding.Message = "settings may be in '\(path: path)', which cannot be read"
    return isPolicyGiven
      ? settingsFile.exception(phrase, at: span)
      : settingsFile.finding(phrase, at: span, fixes: [Fix([Remedy.namePolicy])])
  }

  /// The order of downloads.
  static let prefetchOrder = Rule(
    "odr.prefetch-order", .always(.note),
    what: "The order in which tags were prefetched is lost.",
    why: """
      Packs are prefetched, or not; nothing says which comes first. An app that needs one first \
      asks for it, which moves it to the front.
      """,
    example: .init(
      wrong: project(
        files: ["map.json", "boss.json"], tags: ["(level1)", "(level2)"],
        settings: "ON_DEMAND_RESOURCES_PREFETCH_ORDER = \"level1 level2\";"),
      right: project(settings: "ON_DEMAND_RESOURCES_PREFETCH_ORDER = level1;")))

  static func prefetchOrder(_ tags: [String], at span: SourceSpan?) -> Finding {
    prefetchOrder.finding(
      "the packs of \(Finding.list(tags)) are prefetched in no order", at: span)
  }

  // MARK: Languages

  /// A folder of a language is named by its tag.
  static let language = Rule(
    "odr.language", .always(.warning),
    what: "The name of a '.lproj' folder is no language that a pack can have.",
    why:
      "Packs in a language have a tag such as 'de' or 'zh-Hant'; what has none keeps its folder.",
    example: .init(
      wrong: project(files: ["Klingonese.lproj/map.json"]),
      right: project(files: ["de.lproj/map.json"])))

  static func language(_ folder: String, at span: SourceSpan?) -> Finding {
    language.finding("'\(folder)' is no language of packs, so it stays a folder", at: span)
  }

  // MARK: Specs and builds

  /// A spec says all by itself.
  static let spec = Rule(
    "odr.spec", .always(.warning),
    what: "A spec of XcodeGen uses something that only XcodeGen can resolve.",
    why: """
      Templates and variables are put together when the project is generated. A spec that is \
      included is read if it is in the folder of the project.
      """,
    remedies: [.nameContentRoot],
    example: .init(
      wrong: """
        include: [shared.yml]
        targets:
          App:
            sources:
              - {path: map.json, resourceTags: [level1]}
        """,
      right: """
        targets:
          App:
            sources:
              - {path: map.json, resourceTags: [level1]}
        """))

  static func spec(_ phrase: Finding.Message, at span: SourceSpan?) -> Finding {
    spec.finding(
      phrase, at: span, fixes: [Fix("generate the project, and convert that", .shownOnly)])
  }

  static func spec(includingOutside path: String, at span: SourceSpan?) -> Finding {
    spec.finding(
      "'\(path: path)' is outside the folder of the project, so it is not included", at: span,
      fixes: [Fix([Remedy.nameContentRoot])])
  }

  /// A built app is whole.
  static let built = Rule(
    "odr.built",
    what: """
      A built app lacks an asset pack, or a file of one, that it lists, or an entry of it is no \
      file.
      """,
    why: "Packs are often exported beside the app; without them their files cannot be converted.",
    example: .init(
      wrong: builtList("lost"), right: builtList("a")))

  static func built(_ phrase: Finding.Message, at span: SourceSpan?) -> Finding {
    built.finding(
      phrase, at: span,
      fixes: [Fix("name the archive, or the folder that the packs were exported to", .shownOnly)])
  }

  static func built(_ path: String, isNoFile reason: String) -> Finding {
    built.finding(
      "the entry '\(path: path)' \(reason), so no pack has it", at: nil,
      fixes: [Fix("export the app again, or take the entry out of the archive", .shownOnly)])
  }

  /// All sources are searched for calls.
  static let unsearched = Rule(
    "odr.unsearched", .always(.warning),
    what: "A source file was not searched for calls of On-Demand Resources.",
    why: """
      Regular files up to \(SourceScan.largestFile >> 20) MiB in the folders that were named are \
      searched, in UTF-8, or in UTF-16. \
      'MIGRATION.md' lacks the calls of other files.
      """,
    example: .init(
      wrong: "a source file of 20 MiB in a folder that is searched",
      right: "the same folder without it"))

  static func unsearched(_ path: String) -> Finding {
    unsearched.finding(
      """
      '\(path: path)' was not searched: it is no text, cannot be read, is outside the folder, or \
      is larger than \(SourceScan.largestFile >> 20) MiB
      """, at: nil, fixes: [Fix("search the file for calls by hand", .shownOnly)])
  }
}

// MARK: - Examples

/// A small project, with what an example is about.
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

/// What an app says about its asset packs.
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
