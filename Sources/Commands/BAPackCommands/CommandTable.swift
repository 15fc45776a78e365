package import Arguments

/// The only table of commands; parser, help, completions, manual pages and reference use it.
package enum CommandTable {
  /// The commands by group, in the order of the help.
  private static let groups: [(title: String, commands: [any Subcommand.Type])] = [
    (
      "Start",
      [
        InitCommand.self, TemplateCommand.self, ValidateCommand.self, PackCommand.self,
        ProjectCommand.self, CleanCommand.self, CacheCommand.self,
      ]
    ),
    (
      "Inspect",
      [
        ListCommand.self, InfoCommand.self, EvaluateCommand.self, WhyCommand.self,
        ExtractCommand.self,
        VerifyCommand.self,
      ]
    ),
    (
      "Compare",
      [DiffCommand.self, ReportCommand.self, PlanCommand.self, SimulateCommand.self]
    ),
    (
      "Ship",
      [
        AppCommand.self, ServeCommand.self, IdentityCommand.self, UploadCommand.self,
        AppStoreCommand.self, DownloadManifestCommand.self,
      ]
    ),
    ("Migrate", [ConvertCommand.self, UnmanagedCommand.self]),
    ("Reference", [ExplainCommand.self, SchemaCommand.self]),
  ]

  static let commands: [any Subcommand.Type] = groups.flatMap(\.commands)

  package static let program = Program(
    root: Command(
      "ba-package",
      overview: "Pack app assets into asset packs for Apple's Managed Background Assets.",
      discussion: [
        """
        Manifests select files and set a download policy. The program checks manifests before an \
        upload, packs files into Apple Archives (.aar), and inspects, compares, serves and uploads \
        them.
        """
      ],
      [RootOptions.completionScript, RootOptions.manPages],
      examples: [
        Term("ba-package init", "Propose packs for the current folder."),
        Term("ba-package validate Manifest.json", "Check a manifest."),
        Term("ba-package Manifest.json -o Tutorial.aar", "Pack the selected files."),
      ],
      subcommands: commands.map { $0.definition }, defaultSubcommand: "pack",
      groups: groups.map { ($0.title, $0.commands.map { $0.definition.name }) },
      guesses: Guesses.commands),
    version: version, date: versionDate, sharedOptions: CommonOptions.all,
    exitStatuses: ProgramEnvironment.exitStatuses, environment: ProgramEnvironment.variables,
    topics: HelpTopics.all, files: HelpTopics.files, firstSteps: firstSteps,
    optionGuesses: Guesses.options)

  private static let firstSteps = HelpPage(
    "first-steps", "From a folder 'Assets' to tested packs:",
    [
      .lines([
        "ba-package init Assets", "ba-package validate", "ba-package pack",
        "ba-package simulate", "ba-package serve",
      ])
    ])

  /// The name of a link to this program that makes it the server.
  static let serveName = "ba-serve"

  /// The program under the name of Apple's test server, `ba-serve`.
  package static let serveProgram = Program(
    root: Command(
      serveName, overview: ServeCommand.definition.overview,
      discussion: [
        "'ba-serve' is another name of 'ba-package serve'. The word 'serve' can be left out."
      ],
      [RootOptions.completionScript, RootOptions.manPages],
      examples: [
        Term("ba-serve --host 192.168.1.10 Tutorial.aar", "Serve a pack.")
      ],
      subcommands: serveCommands.map { $0.definition }, defaultSubcommand: "serve"),
    version: version, date: versionDate, sharedOptions: CommonOptions.all,
    exitStatuses: program.exitStatuses, environment: program.environment,
    optionGuesses: Guesses.options)

  private static let serveCommands: [any Subcommand.Type] = [
    ServeCommand.self, UrlOverrideCommand.self,
  ]

  /// Returns the type of the command at a path; nil if it only has subcommands.
  static func type(of path: CommandPath) -> (any Subcommand.Type)? {
    var types = path.program.root.name == serveName ? serveCommands : commands
    var found: (any Subcommand.Type)?
    for step in path.steps {
      found = types.first { $0.definition.name == step.name }
      types = found?.subcommands ?? []
    }
    return found
  }
}

/// Options of the program itself, without a command.
enum RootOptions {
  static let completionScript = Option<Shell>(
    "generate-completion-script", .choice, called: "shell", "Print a completion script.")
  static let manPages = Option(
    "generate-man-pages", .folder, called: "folder", "Write all manual pages into this folder.",
    details: "They are in 'man1' and 'man5' inside of it, as in a folder of MANPATH.")
}
