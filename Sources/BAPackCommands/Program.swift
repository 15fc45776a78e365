import Arguments
import Glibc

/// Does what the command line asks for, and ends the program.
public func runProgram() -> Never {
  exit(run(Array(CommandLine.arguments.dropFirst())).rawValue)
}

private func run(_ arguments: [String]) -> ExitStatus {
  arguments.isEmpty ? .usage : .failed
}
