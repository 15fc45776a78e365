/// A command as data: its name, what it takes, and the texts that explain it.
///
/// One run of the program needs only one of the commands: so only names are made at once, and
/// everything else each time that it is asked for.
package struct Command: Sendable {
  package let name: String
  /// Other names, which work but are not listed.
  package let aliases: [String]
  /// What it does, in one sentence.
  package let overview: String
  package let subcommands: [Command]
  /// The subcommand that is used when none is named.
  package let defaultSubcommand: String?
  private let makeParameters: @Sendable () -> [Parameter]
  private let makeDiscussion: @Sendable () -> [String]
  private let makeNotes: @Sendable () -> [String]
  private let makeExclusive: @Sendable () -> [[any TypedParameter]]
  private let makeExamples: @Sendable () -> [Term]
  private let makeAbsentSubcommands: @Sendable () -> [Term]

  /// Makes a command; each option in `dependent` has no effect without its `on`.
  package init(
    _ name: String, aliases: [String] = [], overview: String,
    discussion: @escaping @autoclosure @Sendable () -> [String] = [],
    notes: @escaping @autoclosure @Sendable () -> [String] = [],
    _ parameters: @escaping @autoclosure @Sendable () -> [any TypedParameter] = [],
    exclusive: @escaping @autoclosure @Sendable () -> [[any TypedParameter]] = [],
    dependent: @escaping @autoclosure @Sendable () -> [Dependence] = [],
    examples: @escaping @autoclosure @Sendable () -> [Term] = [],
    subcommands: [Command] = [], defaultSubcommand: String? = nil,
    absentSubcommands: @escaping @autoclosure @Sendable () -> [Term] = []
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
    makeAbsentSubcommands = absentSubcommands
  }

  /// An option that has no effect without another one.
  package typealias Dependence = (option: any TypedParameter, on: any TypedParameter)

  package var parameters: [Parameter] { makeParameters() }
  /// Further explanation, one string for each paragraph.
  package var discussion: [String] { makeDiscussion() }
  /// What only the manual page has room for, as a list.
  package var notes: [String] { makeNotes() }
  /// Sets of options, by name; only one of each set may be given.
  package var exclusive: [[String]] { makeExclusive().map { $0.map(\.parameter.name) } }
  /// Command lines to copy.
  package var examples: [Term] { makeExamples() }
  /// Names that people know from other tools and that are not subcommands here, and what to do
  /// instead.
  package var absentSubcommands: [Term] { makeAbsentSubcommands() }

  /// The subcommand with that name or alias.
  package func subcommand(_ name: String) -> Command? {
    subcommands.first { $0.name == name || $0.aliases.contains(name) }
  }
}

/// Something that is written, and its meaning: an example, an exit status, a variable.
package struct Term: Sendable {
  package var text: String
  package var meaning: String

  package init(_ text: String, _ meaning: String) {
    self.text = text
    self.meaning = meaning
  }
}

/// A whole program: its commands, and what all of them understand.
package struct Program: Sendable {
  package var root: Command
  package var version: String
  /// The day of that version, as ISO 8601 writes it.
  package var date: String
  /// Options that every command takes, listed after its own.
  package var sharedOptions: [Parameter]
  /// The ways the program can end, for the help: the status and its meaning.
  package var exitStatuses: [Term]
  /// The environment variables that it reads.
  package var environment: [Term]

  package init(
    root: Command, version: String, date: String, sharedOptions: [any TypedParameter],
    exitStatuses: [Term], environment: [Term]
  ) {
    self.root = root
    self.version = version
    self.date = date
    self.sharedOptions =
      sharedOptions.map(\.parameter) + [Self.showVersion.parameter, Self.showHelp.parameter]
    self.exitStatuses = exitStatuses
    self.environment = environment
  }

  static let showVersion = Flag("version", "Show the version.")
  static let showHelp = Flag("help", short: "h", "Show help information.")
}

/// A command together with the commands that lead to it: `ba-package download-manifest create`.
package struct CommandPath: Sendable {
  package let program: Program
  /// The subcommands from the first to the last; empty for the program itself.
  package private(set) var steps: [Command] = []
  /// What the command takes, without what every command takes.
  package private(set) var parameters: [Parameter]

  package init(_ program: Program) {
    self.program = program
    parameters = program.root.parameters
  }

  package var command: Command { steps.last ?? program.root }
  /// The words that a person types to run it.
  package var words: [String] { [program.root.name] + steps.map(\.name) }
  package var name: String { words.joined(separator: " ") }

  /// Its own options, then those that every command takes; one of its own hides a shared one of its
  /// name.
  package var options: [Parameter] {
    let own = parameters.filter { $0.form != .argument }
    let names = Set(own.map(\.name))
    return own + program.sharedOptions.filter { !names.contains($0.name) }
  }

  /// Whether `--version` means something of its own here.
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
}
