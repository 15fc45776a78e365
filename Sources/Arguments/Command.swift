/// A command as data: what it is called, what it takes, and the words that explain it.
///
/// A start of the program needs one command of all: only the names are made at once, the rest each time
/// that it is asked for.
package struct Command: Sendable {
  package let name: String
  /// Other names, which work but are not advertised among the subcommands.
  package let aliases: [String]
  /// One sentence.
  package let overview: String
  package let subcommands: [Command]
  /// The subcommand that is meant when none is named.
  package let defaultSubcommand: String?
  private let makeParameters: @Sendable () -> [Parameter]
  private let makeDiscussion: @Sendable () -> [String]
  private let makeExclusive: @Sendable () -> [[any TypedParameter]]
  private let makeExamples: @Sendable () -> [Term]
  private let makeAbsentSubcommands: @Sendable () -> [Term]

  /// Makes a command; each of `dependent` has no effect without its `on`.
  package init(
    _ name: String, aliases: [String] = [], overview: String,
    discussion: @escaping @autoclosure @Sendable () -> [String] = [],
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
        parameter.onlyWith =
          dependent.first { $0.option.parameter.name == parameter.name }?.on.parameter.name
        return parameter
      }
    }
    makeDiscussion = discussion
    makeExclusive = exclusive
    makeExamples = examples
    makeAbsentSubcommands = absentSubcommands
  }

  /// An option that has no effect without another one.
  package typealias Dependence = (option: any TypedParameter, on: any TypedParameter)

  package var parameters: [Parameter] { makeParameters() }
  /// More about it, a paragraph each.
  package var discussion: [String] { makeDiscussion() }
  /// Options of which at most one may be given, by name.
  package var exclusive: [[String]] { makeExclusive().map { $0.map(\.parameter.name) } }
  /// Command lines worth copying.
  package var examples: [Term] { makeExamples() }
  /// Names that people know from elsewhere and that are no subcommands here, and what to do.
  package var absentSubcommands: [Term] { makeAbsentSubcommands() }

  /// The subcommand of that name or alias.
  package func subcommand(_ name: String) -> Command? {
    subcommands.first { $0.name == name || $0.aliases.contains(name) }
  }
}

/// Something written, and what it means: an example, an exit status, a variable.
package struct Term: Sendable {
  package var text: String
  package var meaning: String

  package init(_ text: String, _ meaning: String) {
    self.text = text
    self.meaning = meaning
  }
}

/// A whole program: its command tree and what every command in it understands.
package struct Program: Sendable {
  package var root: Command
  package var version: String
  /// The day of that version, as ISO 8601 writes it.
  package var date: String
  /// Options that every command takes, listed behind its own.
  package var sharedOptions: [Parameter]
  /// How it can end, for the help: the status, and what it means.
  package var exitStatuses: [Term]
  /// The variables of the environment that it reads.
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

/// A command and the way that leads to it: `ba-package download-manifest create`.
package struct CommandPath: Sendable {
  package let program: Program
  /// From the first subcommand to the last; empty for the program itself.
  package private(set) var steps: [Command] = []
  /// What the command takes, beside what every command takes.
  package private(set) var parameters: [Parameter]

  package init(_ program: Program) {
    self.program = program
    parameters = program.root.parameters
  }

  package var command: Command { steps.last ?? program.root }
  /// The words that a person types for it.
  package var words: [String] { [program.root.name] + steps.map(\.name) }
  package var name: String { words.joined(separator: " ") }

  /// The options it takes: its own, then those that every command takes.
  package var options: [Parameter] {
    parameters.filter { $0.form != .argument } + program.sharedOptions
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
