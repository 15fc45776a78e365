import AppSide
import BAPackKit
import SourceDiagnostics

/// Rules for the conversion of On-Demand Resources.
enum OnDemandRules {
  static let all: [Rule] =
    [unreadable, severalProjects, nothingTagged, noTarget] + OnDemandFileRules.all + [
      configurations, schedules, disabled, ownServer, setting, settingsFile, prefetchOrder,
      language, spec, built, unsearched,
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
      wrong: "{ rootObject = P; objects = { P = { isa = PBXProject }; }; }", right: exampleProject()
    ))

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
      wrong: exampleProject().replacing("ASSET_TAGS = (level1);", with: ""), right: exampleProject()
    ))

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

  // MARK: Settings

  /// Configurations must agree.
  static let configurations = Rule(
    "odr.configurations", .always(.warning),
    what: "The configurations of a target have different download settings.",
    why: "An app has one set of packs. The configuration with which the app is published applies.",
    example: .init(
      wrong: exampleProject(
        settings: "ON_DEMAND_RESOURCES_INITIAL_INSTALL_TAGS = level1;", debug: ""),
      right: exampleProject(settings: "ON_DEMAND_RESOURCES_INITIAL_INSTALL_TAGS = level1;")))

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
      wrong: exampleProject(
        second: "(level1)", settings: "ON_DEMAND_RESOURCES_PREFETCH_ORDER = level1;"),
      right: exampleProject(settings: "ON_DEMAND_RESOURCES_PREFETCH_ORDER = level1;")))

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
      wrong: exampleProject(settings: "ENABLE_ON_DEMAND_RESOURCES = NO;"),
      right: exampleProject(settings: "ENABLE_ON_DEMAND_RESOURCES = YES;")))

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
      wrong: exampleProject(
        settings: "ASSET_PACK_MANIFEST_URL_PREFIX = \"https://odr.example.com/\";"),
      right: exampleProject(settings: "")))

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
      wrong: exampleProject(settings: "ON_DEMAND_RESOURCES_INITIAL_INSTALL_TAGS = \"$(FIRST)\";"),
      right: exampleProject(
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
      wrong: exampleProject(settings: "", file: "Game.xcconfig"),
      right: exampleProject(settings: "")))

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
      wrong: exampleProject(
        files: ["map.json", "boss.json"], tags: ["(level1)", "(level2)"],
        settings: "ON_DEMAND_RESOURCES_PREFETCH_ORDER = \"level1 level2\";"),
      right: exampleProject(settings: "ON_DEMAND_RESOURCES_PREFETCH_ORDER = level1;")))

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
      wrong: exampleProject(files: ["Klingonese.lproj/map.json"]),
      right: exampleProject(files: ["de.lproj/map.json"])))

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
        """, right: exampleProject()))

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
      wrong: exampleOfBuiltApp("lost"), right: exampleOfBuiltApp("a")))

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
