package import Arguments
import BAPackKit
import Glibc
import SystemIO

/// Runs the command line and ends the process.
public func runProgram() -> Never {
  ProcessState.guardStandardStreams()
  ProcessState.failInsteadOfEnding()
  let isServe = ProcessState.programName == CommandTable.serveName
  let program = isServe ? CommandTable.serveProgram : CommandTable.program
  switch run(ProcessState.arguments, .ofProcess(), as: program) {
  case .status(let status): exit(status.rawValue)
  case .signal(let number): ProcessState.end(bySignal: number)
  }
}

/// Runs `words` and returns how the process should end.
package func run(
  _ phrase: [String], _ console: Console, as program: Program = CommandTable.program
) -> Ending {
  var ending: Ending
  do throws(CommandLineError) {
    let request = try program.parse(
      phrase, isFile: isFile, isElsewhere: { ProjectOptions($0).place != nil })
    ending = try answer(request, console)
  } catch {
    var refusal = error
    if refusal.error.hint == ProjectOptions.hint { refusal.error.hint = ProjectOptions.hintHere }
    console.refuse(refusal)
    ending = .status(.usage)
  }
  console.output.flush()
  if let failure = console.output.failure {
    console.error("cannot write to standard output: \(failure.reason)")
    ending = .status(.failed)
  }
  return ending
}

private func answer(
  _ request: ParsedCommandLine, _ console: Console
) throws(CommandLineError) -> Ending {
  switch request {
  case .version:
    console.result(version)
  case .help(let path):
    console.result(text: path.help(width: console.output.columns))
  case .run(let arguments):
    let console = console.adjusted(to: arguments)
    do throws(UsageError) {
      guard let type = CommandTable.type(of: arguments.path) else {
        return .status(try runRoot(arguments, console))
      }
      return perform(try type.init(arguments), console)
    } catch {
      throw CommandLineError(path: arguments.path, error: error)
    }
  }
  return .status(.done)
}

/// Runs a command and reports what the machine refused.
func perform(_ command: any Subcommand, _ console: Console) -> Ending {
  do throws(PackError) {
    return .status(try command.run(console))
  } catch {
    if error.kind == .interrupted {
      console.summary(error.message.prefix(1).uppercased() + error.message.dropFirst())
      return .signal(Interrupt.pending ?? SIGINT)
    }
    console.error(error)
    return .status(.failed)
  }
}

/// Runs the program without a subcommand.
private func runRoot(
  _ arguments: ParsedArguments, _ console: Console
) throws(UsageError) -> ExitStatus {
  if let shell = arguments[RootOptions.completionScript] {
    console.result(text: CommandPath(arguments.path.program).completionScript(for: shell))
  } else if arguments[RootOptions.manPage] {
    console.result(text: CommandPath(arguments.path.program).manPage())
  } else {
    throw .nothingGiven
  }
  return .done
}

/// Whether there is a file of that name: then a word is a path, not a misspelled subcommand.
private func isFile(_ path: String) -> Bool {
  (try? FileStatus(ofFileAt: path)) != nil
}

extension Console {
  /// The console of this process, made once: its end closes the standard streams.
  fileprivate static func ofProcess() -> Console {
    Console(
      output: TextStream(1, path: "standard output", capacity: 64 << 10),
      messages: TextStream(2, path: "standard error", capacity: 0),
      Work(until: Interrupt.alarm),
      environment: { ProcessState.variable($0) })
  }

  /// Reports why a command line was refused, and what would be right.
  fileprivate func refuse(_ refusal: CommandLineError) {
    error(refusal.error.message)
    finding(text: refusal.path.usageHint(for: refusal.error, width: messages.columns))
  }
}
