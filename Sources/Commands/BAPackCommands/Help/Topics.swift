import Arguments
import BAPackKit
import DeviceSimulator
import Faults
import SourceDiagnostics

/// The topics of `ba-package help`, and the file formats with manual pages.
///
/// Names of members, faults, steps and documents come from the tables of their readers.
enum HelpTopics {
  static let all = [
    budgets, caching, environment, exitStatus, faults, json, projectFile, scenarios, selectors,
  ]

  /// The pages of section 5.
  static let files = [
    HelpPage("manifest", "Asset pack manifest with the files and the policy of a pack.", manifest),
    HelpPage("project", "Project file with packs and settings.", projectFile.blocks),
    HelpPage("scenario", "Scenario with steps and expectations.", scenarios.blocks),
  ]

  static let budgets = HelpPage(
    "budgets", "Size limits for packs.",
    [
      .text(
        """
        A budget is a size limit. '--budget name=size' and 'budgets' in the project file set \
        budgets; an option overrides the project file. Sizes are decimal: 200M is 200,000,000 \
        bytes.
        """),
      .lines(["ba-package pack --budget essential=200M --budget 'voices-*=80M'"]),
      .heading("Names"),
      .terms(
        Budget.Subject.sums.map { Term($0.name, $0.meaning) } + [
          Term("voices-*", "A pattern for pack IDs: the total of their archives."),
          Term(
            "**/*.wav",
            "A pattern with '/' for file paths: the total of their unpacked sizes."),
        ]),
      .heading("Results"),
      .text(
        """
        Exceeding a budget is an error that lists the ten largest contributors; the exit status is \
        1. Reaching \(Budget.warningPercent) % of a budget is a warning. The limits of Apple's \
        hosting are also checked, unless '--hosting self' is set.
        """),
      .terms([
        Term("validate", "Checks budgets for files."),
        Term("pack", "Checks all budgets except 'update'. Exceeded archives are kept."),
        Term("verify", "Checks budgets for archives with '--all-shards'."),
        Term("diff, report", "Check all budgets; 'update' requires old packs."),
      ]),
    ])

  static let caching = HelpPage(
    "caching", "Caches of compressed blocks.",
    [
      .text(
        """
        A cache stores compressed blocks, so that 'pack' does not compress the same contents \
        again. The bytes of packs are the same with and without a cache.
        """),
      .lines([
        "ba-package pack --cache ~/blocks",
        "ba-package pack --cache https://cache.example.com",
      ]),
      .text(
        """
        '--cache' selects a folder, a server, or both. 'cache' in the project file does the same; \
        an empty object selects 'ba-package/blocks' in XDG_CACHE_HOME. '--cache-limit' limits the \
        folder; the least recently used blocks are removed first. 'cache info' shows the folder, \
        and 'cache clean' removes blocks.
        """),
      .heading("Servers"),
      .text(
        """
        A server stores blocks by GET and PUT, as the HTTP cache of Bazel does. A server that only \
        the project file names is read and never written to, unless BA_CACHE_ORIGIN names it. \
        '--cache-read-only' disables writing, for jobs that build untrusted changes. If a server \
        fails or is slow, packing continues without it.
        """),
      .terms(
        ProgramEnvironment.variables.filter { $0.names[0].hasPrefix("BA_CACHE_") }.map(\.term)),
    ])

  static let environment = HelpPage(
    "environment", "Environment variables.",
    [
      .text("Options override the project file, and the project file overrides the environment."),
      .terms(ProgramEnvironment.variables.map(\.term)),
      .heading("Variables for the command of '--exec'"),
      .text("The command also inherits other variables. '--ready-file' writes the same values."),
      .terms(ProgramEnvironment.ofChildren.map(\.term)),
    ])

  static let exitStatus = HelpPage(
    "exit-status", "Exit statuses.",
    [
      .terms(ProgramEnvironment.exitStatuses),
      .text(
        """
        With '--exec', 'serve' and 'app-store mock' exit with the status of their command, or with \
        128 plus the number of the signal that ended it.
        """),
    ])

  static let faults = HelpPage(
    "faults", "Deliberate errors of servers and simulated devices.",
    [
      .text(
        """
        'serve --fault', 'app-store mock --fault' and the step 'fault' of a scenario cause errors \
        on purpose, to test apps and tools.
        """),
      .heading("Faults of downloads"),
      .text(
        "The form is \(FaultScope.downloads.form). '<packs>' is an ID, a pattern of IDs, or "
          + "'manifest'."),
      .terms(faultTerms(.downloads)),
      .heading("Faults of App Store Connect"),
      .text(
        "The form is \(FaultScope.service.form). '*' matches any method or any text in a path."),
      .terms(faultTerms(.service)),
      .heading("Limits"),
      .text(
        """
        A limit follows the fault. Downloads are counted for each device and path, requests to App \
        Store Connect for each method and path. Repeat '--fault' for several faults.
        """),
      .terms([
        Term("once, twice, 5 times", "Apply the fault to the first requests."),
        Term("call 3, calls 3-5", "Apply the fault to these requests."),
      ]),
    ])

  private static func faultTerms(_ scope: FaultScope) -> [Term] {
    scope.kinds.map { kind in
      let routes =
        switch kind.routes.intersection(scope.routes) {
        case [.interface]: " Only for requests to the API."
        case [.storage]: " Only for uploads of parts."
        default: ""
        }
      return Term(
        scope.examples(of: kind).joined(separator: ", "),
        kind.meaning.prefix(1).uppercased() + kind.meaning.dropFirst() + "." + routes)
    }
  }

  static let json = HelpPage(
    "json", "Results of commands and files as JSON.",
    [
      .text(
        """
        '--format json' prints a result as one object, or one object a line. 'ba-package schema \
        --for NAME' prints the JSON Schema of a document, and '--format markdown' a table of its \
        members. Later versions can add members; ignore members that you do not use.
        """),
      .heading("Documents"),
      .terms(DocumentName.allCases.map { Term($0.rawValue, $0.title + ".") }),
    ])

  static let projectFile = HelpPage(
    "project-file", "The file ba-package.json with packs and settings.",
    [
      .text(
        """
        'ba-package.json' lists the packs of a project and their settings. Commands without \
        arguments use its packs. The file is searched from the current folder up to the top of the \
        repository; '--project' names another one, and '--no-project' ignores it. Options override \
        the file. Comments and trailing commas are accepted.
        """),
      .lines([
        "ba-package template --project -o ba-package.json", "ba-package validate",
        "ba-package pack",
      ]),
      .heading("Members"),
      .members(members(of: ProjectSettings.jsonShape)),
      .text(
        """
        'ba-package project' prints the settings and their origins, and 'ba-package schema --for \
        project' the JSON Schema.
        """),
    ])

  static let scenarios = HelpPage(
    "scenarios", "Steps and expectations for 'simulate'.",
    [
      .text(
        """
        A scenario is a text file with one step a line; '#' starts a comment. 'simulate \
        --scenario' runs the steps on a simulated device. A failed expectation is an error at its \
        line.
        """),
      .lines([
        "device iOS 27, languages en, primary en", "install", "request level-2",
        "expect downloaded level-2", "expect readable Levels/2/map.json",
      ]),
      .heading("Steps"),
      .terms(ScenarioDocument.steps.map { Term($0.form, $0.meaning) }),
      .heading("Expectations"),
      .terms(ScenarioDocument.expectations.map { Term($0.form, $0.meaning) }),
      .text(
        """
        The comparison operators for sizes are \(relations). Sizes are decimal, for example 200M.
        """),
      .text(
        """
        'not' expects the opposite. Without 'expect app not installed', a failed installation is \
        an error. 'ba-package help faults' lists the faults.
        """),
    ])

  private static var relations: String {
    Finding.list(Expectation.Bound.Relation.allCases.map(\.rawValue)).text
  }

  static let selectors = HelpPage(
    "selectors", "The files of a pack in a manifest.", selectorBlocks)

  private static var selectorBlocks: [HelpBlock] {
    [
      .text(
        """
        'fileSelectors' of a manifest is a list of selectors. Each has one of these keys, or a \
        pair of keys. Paths are relative to the source root, with '/' between folders.
        """),
      .terms(
        SelectorKind.shapes.map { keys in
          Term(
            keys.map(\.name).joined(separator: ", "),
            keys.map { keys.count == 1 ? $0.summary : "'\($0.name)': \($0.summary)" }
              .joined(separator: " "))
        }),
      .heading("Patterns"),
      .terms([
        Term("*, ?", "Any number of characters, or one character, except '/'."),
        Term("**", "Any number of folders, as in 'Audio/**/*.wav'."),
        Term("[a-z], [!a-z]", "One character in the range, or not in the range."),
        Term("\\", "Makes the next character an ordinary character."),
      ]),
      .text(
        """
        Only a dot in the pattern matches a leading dot of a name. Case is significant. A pattern \
        selects files, not folders. In 'fileExclusion', wildcards also match a leading dot, './' \
        anchors the pattern at the source root, and a pattern without '/' matches at any depth.
        """),
      .heading("Source root"),
      .text(
        """
        The source root is '--source-root', else 'sourceRoot' of the manifest, else 'sourceRoot' \
        of the project, else the folder of the project file, else the current folder. It is a \
        folder or an archive such as a zip file. \
        With '--files-from', selectors match the destinations in the list.
        """),
      .text(
        """
        Exclusions apply after all other selectors. 'ba-package evaluate' lists the selected \
        files, and 'ba-package evaluate --excluded' the excluded ones.
        """),
    ]
  }

  private static var manifest: [HelpBlock] {
    [
      .text(
        """
        A manifest is a JSON file. Comments, trailing commas, single quotes and keys without \
        quotes are accepted. 'ba-package template' prints one with comments.
        """),
      .lines([
        "{", "  \"assetPackID\": \"tutorial\",", "  \"downloadPolicy\": {\"onDemand\": {}},",
        "  \"fileSelectors\": [{\"directory\": \"Tutorial\"}],", "  \"platforms\": []", "}",
      ]),
      .heading("Members"),
      .members(members(of: Manifest.jsonShape)),
      .heading("Selectors"),
    ] + selectorBlocks
  }

  private static func members(of record: JSONRecord) -> [HelpBlock.Member] {
    JSONReference.rows(record).map { row in
      let separator = row.type.contains(":") ? "; " : ", "
      return HelpBlock.Member(
        path: row.path, type: row.type + separator + row.presence, meaning: row.meaning)
    }
  }
}
