package import Arguments
package import BAPackKit

/// A command of the program: its part of the command line, and its code.
///
/// Two steps report a bad combination of options before any change: `init` reads the options, `run`
/// does the work.
package protocol Subcommand: Sendable {
  /// Its part of the command line.
  static var definition: Command { get }
  /// Its subcommands, which its definition lists, too.
  static var subcommands: [any Subcommand.Type] { get }
  /// Reads the options and arguments.
  init(_ arguments: ParsedArguments) throws(UsageError)
  /// Does the work. A command that returns `.failed` has reported why.
  func run(_ console: Console) throws(PackError) -> ExitStatus
}

extension Subcommand {
  package static var subcommands: [any Subcommand.Type] { [] }
}
