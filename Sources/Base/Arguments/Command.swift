/// A command as data: its name, its parameters, and the texts that explain it.
///
/// A run of the program needs only one of the commands. For this reason only names are created
/// immediately; everything else is created on each access.
package struct Command: Sendable {
  package let name: String
  /// Other names, which work but are not listed.
  package let aliases: [String]
  /// The purpose in one imperative sentence, such as "Pack files into asset packs".
  package let overview: String
  package let subcommands: [Command]
  /// The subcommand that is used when none is named.
  package let defaultSubcommand: String?
  private let makeParameters: @Sendable () -> [Parameter]
  private let makeDiscussion: @Sendable () -> [String]
  private let makeNotes: @Sendable () -> [String]
  private let makeExclusive: @Sendable () -> [[any TypedParameter]]
  private let makeExamples: @Sendable () -> [Term]
  private let makeTopics: @Sendable () -> [String]
  private let makeGuesses: @Sendable () -> [Term]
  private let makeGroups: @Sendable () -> [Group]

  /// A group in the list of subcommands: its title and the names of its commands.
  package typealias Group = (title: String, names: [String])

  /// Creates a command; each option in `dependent` has no effect without its `on`.
  package init(
    _ name: String, aliases: [String] = [], overview: String,
    discussion: @escaping @autoclosure @Sendable () -> [String] = [],
    notes: @escaping @autoclosure @Sendable () -> [String] = [],
    _ parameters: @escaping @autoclosure @Sendable () -> [any TypedParameter] = [],
    exclusive: @escaping @autoclosure @Sendable () -> [[any TypedParameter]] = [],
    dependent: @escaping @autoclosure @Sendable () -> [Dependence] = [],
    examples: @escaping @autoclosure @Sendable () -> [Term] = [],
    topics: @escaping @autoclosure @Sendable () -> [String] = [],
    subcommands: [Command] = [], defaultSubcommand: String? = nil,
    groups: @escaping @autoclosure @Sendable () -> [Group] = [],
    guesses: @escaping @autoclosure @Sendable () -> [Term] = []
  ) {
    self.name = name
    self.aliases = aliases
    self.overview = overview
    self.subcommands = subcommands
    self.defaultSubcommand = defaultSubcommand
    makeParameters = {
      let dependent = dependent()
      return parameters().map { typed in
        var parameter = typed.parameter
        if let other = dependent.first(where: { $0.option.parameter.name == parameter.name }) {
          parameter.onlyWith = other.on.parameter.name
        }
        return parameter
      }
    }
    makeDiscussion = discussion
    makeNotes = notes
    makeExclusive = exclusive
    makeExamples = examples
    makeTopics = topics
    makeGuesses = guesses
    makeGroups = groups
  }

  /// An option that has no effect without another one.
  package typealias Dependence = (option: any TypedParameter, on: any TypedParameter)

  package var parameters: [Parameter] { makeParameters() }
  /// Further explanation, one string for each paragraph.
  package var discussion: [String] { makeDiscussion() }
  /// Facts for the manual page only, as a list.
  package var notes: [String] { makeNotes() }
  /// Sets of options, by name; only one of each set may be given.
  package var exclusive: [[String]] { makeExclusive().map { $0.map(\.parameter.name) } }
  /// Command lines to copy; the first two are in the short help.
  package var examples: [Term] { makeExamples() }
  /// The names of the help topics about this command.
  package var topics: [String] { makeTopics() }
  /// Names from other tools that are not subcommands here, each with a hint.
  package var guesses: [Term] { makeGuesses() }
  /// The groups in the list of subcommands; empty for a list without groups.
  package var groups: [Group] { makeGroups() }

  /// Returns the subcommand with that name or alias.
  package func subcommand(_ name: String) -> Command? {
    subcommands.first { $0.name == name || $0.aliases.contains(name) }
  }

  /// Returns the title of the group of a subcommand.
  package func group(of subcommand: Command) -> String? {
    groups.first { $0.names.contains(subcommand.name) }?.title
  }
}

/// A text and its meaning: an example, an exit status, a variable.
package struct Term: Sendable {
  package var text: String
  package var meaning: String

  package init(_ text: String, _ meaning: String) {
    self.text = text
    self.meaning = meaning
  }
}

/// An environment variable, or several that belong together.
package struct Variable: Sendable {
  package var names: [String]
  package var meaning: String
  /// The commands that read it, as paths without the program's name; empty for all.
  package var commands: [String]

  package init(_ names: [String], readBy commands: [String] = [], _ meaning: String) {
    self.names = names
    self.meaning = meaning
    self.commands = commands
  }

  package var term: Term { Term(names.joined(separator: ", "), meaning) }
}

/// A whole program: its commands, and the facts that all of them share.
///
/// Most runs need no texts of the help. Like those of commands, they are created on each access.
package struct Program: Sendable {
  package var root: Command
  package var version: String
  /// The release date of that version in ISO 8601.
  package var date: String
  /// Options of every command.
  package var sharedOptions: [Parameter]
  /// The exit statuses and their meanings.
  package var exitStatuses: [Term] { makeExitStatuses() }
  /// The environment variables that the program reads.
  package var environment: [Variable] { makeEnvironment() }
  /// Help topics: `ba-package help budgets`.
  package var topics: [HelpPage] { makeTopics() }
  /// File formats, each with a manual page in section 5.
  package var files: [HelpPage] { makeFiles() }
  /// Command lines from the first input to a tested result, for the overview.
  package var firstSteps: HelpPage? { makeFirstSteps() }
  /// Options from other tools, each with an option of this program: `--json`, `--format json`.
  package var optionGuesses: [(guess: String, option: String)] { makeOptionGuesses() }
  private let makeExitStatuses: @Sendable () -> [Term]
  private let makeEnvironment: @Sendable () -> [Variable]
  private let makeTopics: @Sendable () -> [HelpPage]
  private let makeFiles: @Sendable () -> [HelpPage]
  private let makeFirstSteps: @Sendable () -> HelpPage?
  private let makeOptionGuesses: @Sendable () -> [(guess: String, option: String)]

  package init(
    root: Command, version: String, date: String, sharedOptions: [any TypedParameter],
    exitStatuses: @escaping @autoclosure @Sendable () -> [Term],
    environment: @escaping @autoclosure @Sendable () -> [Variable],
    topics: @escaping @autoclosure @Sendable () -> [HelpPage] = [],
    files: @escaping @autoclosure @Sendable () -> [HelpPage] = [],
    firstSteps: @escaping @autoclosure @Sendable () -> HelpPage? = nil,
    optionGuesses: @escaping @autoclosure @Sendable () -> [(guess: String, option: String)] = []
  ) {
    self.root = root
    self.version = version
    self.date = date
    self.sharedOptions =
      sharedOptions.map(\.parameter) + [Self.showVersion.parameter, Self.showHelp.parameter]
    makeExitStatuses = exitStatuses
    makeEnvironment = environment
    makeTopics = topics
    makeFiles = files
    makeFirstSteps = firstSteps
    makeOptionGuesses = optionGuesses
  }

  static let showVersion = Flag(
    "version", short: "V", "Print the version; if verbose, also the build.")
  static let showHelp = Flag("help", short: "h", "Print help; '-h' is shorter than '--help'.")
  /// The command that the parser itself implements.
  static let helpCommand = Term("help", "Show help of a command or a topic.")

  package func topic(_ name: String) -> HelpPage? { topics.first { $0.name == name } }
}

/// A command together with the commands that lead to it: `ba-package download-manifest create`.
package struct CommandPath: Sendable {
  package let program: Program
  /// The subcommands from the first to the last; empty for the program itself.
  package private(set) var steps: [Command] = []
  /// The parameters of the command without the shared options.
  package private(set) var parameters: [Parameter]

  package init(_ program: Program) {
    self.program = program
    parameters = program.root.parameters
  }

  package var command: Command { steps.last ?? program.root }
  /// The names on the command line that select it.
  package var names: [String] { [program.root.name] + steps.map(\.name) }
  package var name: String { names.joined(separator: " ") }

  /// Its own options, then the shared ones; its own option replaces a shared one of the same name.
  package var options: [Parameter] {
    let own = ownOptions
    let names = Set(own.map(\.name))
    return own + program.sharedOptions.filter { !names.contains($0.name) }
  }

  /// Its options without the shared ones.
  package var ownOptions: [Parameter] { parameters.filter { $0.form != .argument } }

  /// Whether `--version` is an option of the command itself.
  var hidesVersion: Bool {
    parameters.contains { $0.name == Program.showVersion.parameter.name }
  }

  package var arguments: [Parameter] { parameters.filter { $0.form == .argument } }

  package func appending(_ command: Command) -> CommandPath {
    var path = self
    path.steps.append(command)
    path.parameters = command.parameters
    return path
  }

  /// Every command of the program, parents before their subcommands.
  package var all: [CommandPath] {
    [self] + command.subcommands.flatMap { appending($0).all }
  }

  /// The names of the variables that only some commands read, this one among them.
  package var variables: [String] {
    let own = steps.map(\.name).joined(separator: " ")
    return program.environment.filter { variable in
      variable.commands.contains { $0 == own || own.hasPrefix($0 + " ") }
    }.flatMap(\.names)
  }
}
