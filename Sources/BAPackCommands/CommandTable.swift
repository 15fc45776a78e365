package import Arguments

/// The only table of commands; parser, help, completions and man page are made from it.
package enum CommandTable {
  /// In the order of the help.
  static let commands: [any Subcommand.Type] = [
    PackCommand.self,
    TemplateCommand.self,
    ValidateCommand.self,
    EvaluateCommand.self,
    ListCommand.self,
    InfoCommand.self,
    ExtractCommand.self,
    VerifyCommand.self,
    DiffCommand.self,
    ReportCommand.self,
    ProjectCommand.self,
    CleanCommand.self,
    DownloadManifestCommand.self,
    ServeCommand.self,
    IdentityCommand.self,
    UploadCommand.self,
    AppStoreCommand.self,
    ConvertCommand.self,
    SimulateCommand.self,
    UnmanagedCommand.self,
    SchemaCommand.self,
    ExplainCommand.self,
  ]

  package static let program = Program(
    root: Command(
      "ba-package", overview: "Packs app assets into asset packs for Managed Background Assets.",
      discussion: [
        """
        Reads manifests, tells what is wrong with them before you upload anything, packs Apple \
        Archives (.aar), and shows, verifies and unpacks them.
        """
      ],
      [RootOptions.completionScript, RootOptions.manPage],
      examples: [
        Term("ba-package template -o Manifest.json", "Start with a manifest."),
        Term("ba-package validate Manifest.json", "See what is wrong with it."),
        Term("ba-package Manifest.json -o Tutorial.aar", "Pack what it selects."),
      ],
      subcommands: commands.map { $0.definition }, defaultSubcommand: "pack",
      absentSubcommands: absent),
    version: version, date: versionDate, sharedOptions: CommonOptions.all,
    exitStatuses: [
      Term("0", "Done."),
      Term("1", "The work failed: an invalid manifest, trouble with a file, a bad archive."),
      Term("64", "The command line could not be understood."),
      Term("75", "What was waited for was not over in time: wait again, 'app-store wait'."),
      Term(
        "130, 143, 129",
        "Ended by SIGINT, SIGTERM or SIGHUP; nothing half-written is left behind."),
    ],
    environment: [
      Term("NO_COLOR", "When set and not empty, turns colours off."),
      Term(
        "SOURCE_DATE_EPOCH",
        "The time of every entry of a pack, and of a bill of materials, in seconds since 1970."),
      Term(
        "BA_CACHE_KEY",
        """
        A secret of at least 16 signs. What is sent to a shared cache is authenticated with it, \
        and what comes from there without that is not used: the bytes of packs are then those \
        that they have without a cache, whatever the server does.
        """),
      Term(
        "BA_CACHE_ORIGIN, BA_CACHE_TOKEN, BA_CACHE_USER, BA_CACHE_PASSWORD",
        """
        A bearer token, or a name and a password, for the shared cache; sent only to the server \
        that BA_CACHE_ORIGIN names, such as https://cache.example.com. A server that the project \
        file names is written to only if BA_CACHE_ORIGIN names it, too.
        """),
      Term(
        "BA_TRUST_PROJECT",
        """
        With 1, a project file of another user is used without '--project'. The container image \
        sets it.
        """),
      Term("BA_CACHE_CA_FILE", "A certificate, in PEM form, that vouches for the shared cache."),
      Term("BA_SERVE_PASSWORD", "The password that 'serve --user' wants."),
      Term("BA_IDENTITY_PASSWORD", "The password of a p12 file that 'identity export' writes."),
      Term(
        "ASC_KEY_ID, ASC_ISSUER_ID, ASC_KEY_PATH, ASC_KEY",
        """
        The API key of App Store Connect: its ID, its issuer, and its file or the key itself, also \
        as Base64. APP_STORE_CONNECT_API_KEY_KEY_ID, _ISSUER_ID, _KEY_FILEPATH and _KEY, which \
        fastlane uses, mean the same, and API_PRIVATE_KEYS_DIR names a folder of keys.
        """),
      Term(
        "ASC_API_URL, ASC_CA_FILE",
        "Another service than Apple's, such as a mock, and the certificate that vouches for it."),
      Term(
        "GITHUB_STEP_SUMMARY",
        "Where 'upload', 'diff' and 'report' add a summary in GitHub Actions."),
      Term(
        "XDG_CACHE_HOME",
        "Where the cache of blocks is that a project file wants; ~/.cache by default."),
      Term("XDG_DATA_HOME", "Where the certificate authority is kept; ~/.local/share by default."),
      Term(
        "XDG_STATE_HOME",
        "Where versions of served packs and records of uploads are kept; ~/.local/state by default."
      ),
    ])

  /// Subcommands that Apple's tool has, or is said to have, and this program does not.
  private static let absent: [Term] = [
    Term(
      "license",
      "there is nothing to agree to, this program is free software (Apache License 2.0); leave the "
        + "step out"),
    Term(
      "foundation-models",
      "the Foundation Models runtime takes adapters only from Apple's own tool, on a Mac"),
    Term(
      "create",
      "'ba-package pack' makes a pack, 'ba-package download-manifest create' a download manifest"),
  ]

  /// The name of a link to this program that makes it the server.
  static let serveName = "ba-serve"

  /// The program when it is called as Apple's test server is: `ba-serve`.
  package static let serveProgram = Program(
    root: Command(
      serveName, overview: ServeCommand.definition.overview,
      discussion: [
        """
        This is 'ba-package serve' under the name that scripts know; the word 'serve' may be left \
        out.
        """
      ],
      [RootOptions.completionScript, RootOptions.manPage],
      examples: [
        Term("ba-serve --host 192.168.1.10 Tutorial.aar", "Serve a pack as Apple's tool does.")
      ],
      subcommands: serveCommands.map { $0.definition }, defaultSubcommand: "serve"),
    version: version, date: versionDate, sharedOptions: CommonOptions.all,
    exitStatuses: program.exitStatuses, environment: program.environment)

  private static let serveCommands: [any Subcommand.Type] = [
    ServeCommand.self, UrlOverrideCommand.self,
  ]

  /// The type of the command at a path; nil if it only has subcommands.
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

/// Options of the program itself, without a subcommand.
enum RootOptions {
  static let completionScript = Option<Shell>(
    "generate-completion-script", .choice, called: "shell",
    "Print a completion script for a shell.")
  static let manPage = Flag("generate-man-page", "Print the man page.")
}
