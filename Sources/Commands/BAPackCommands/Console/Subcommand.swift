package import Arguments
package import BAPackKit

/// A command of the program: its part of the command line, and its code.
///
/// A command is the settings of one run: `init` reads the options, so that an invalid combination
/// is reported before any change. The settings do not change later: `run` reads the project file,
/// and passes both to the type that does the work.
package protocol Subcommand: Sendable {
  /// Its part of the command line.
  static var definition: Command { get }
  /// Its subcommands. The definition also lists them.
  static var subcommands: [any Subcommand.Type] { get }
  /// Reads the options and arguments.
  init(_ arguments: ParsedArguments) throws(UsageError)
  /// Does the work. A command that returns `.failed` has reported why.
  func run(_ console: Console) throws(PackError) -> ExitStatus
}

extension Subcommand {
  package static var subcommands: [any Subcommand.Type] { [] }
}
