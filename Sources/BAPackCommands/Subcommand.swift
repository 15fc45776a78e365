package import Arguments
package import BAPackKit

/// A command of the program: its part of the command line, and what it does.
///
/// Two steps, so that a bad combination of options is a usage error before anything is touched:
/// `init` turns words into what was asked for, `run` does it.
package protocol Subcommand: Sendable {
  /// Its part of the command line.
  static var definition: Command { get }
  /// The commands below it, which its definition lists too.
  static var subcommands: [any Subcommand.Type] { get }
  /// Reads what was asked for.
  init(_ arguments: ParsedArguments) throws(UsageError)
  /// Does it. Whoever returns `.failed` has said why.
  func run(_ console: Console) throws(PackError) -> ExitStatus
}

extension Subcommand {
  package static var subcommands: [any Subcommand.Type] { [] }
}
