package import Arguments
package import BAPackKit

/// A command of the program: its part of the command line, and its code.
///
/// A command has two steps: `init` reads the options, and `run` does the work. Therefore an invalid
/// combination of options is reported before any change.
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
