package import Arguments
import BAPackKit
import Glibc
import SystemIO

/// Runs the command line and ends the process.
public func runProgram() -> Never {
  ProcessState.guardStandardStreams()
  ProcessState.failInsteadOfEnding()
  ProcessState.returnFreedMemory()
  let isServe = ProcessState.programName == CommandTable.serveName
  let program = isServe ? CommandTable.serveProgram : CommandTable.program
  switch run(ProcessState.arguments, .ofProcess(), as: program) {
  case .status(let status): exit(status.rawValue)
  case .signal(let number): ProcessState.end(bySignal: number)
  }
}

/// Runs a command line and returns the end of the process.
package func run(
  _ words: [String], _ console: Console, as program: Program = CommandTable.program
) -> Ending {
  var ending: Ending
  do throws(CommandLineError) {
    try enterFolder(of: words, program)
    let request = try program.parse(
      words, isFile: isFile, isElsewhere: { ProjectOptions($0).place != nil })
    ending = try perform(request, console)
  } catch {
    var refusal = error
    refusal.error.hint = refusal.error.hint?.replacing(
      ProjectOptions.hint, with: ProjectOptions.hint(for: words, of: refusal.path.command))
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

/// Changes to the folder of the option '-C', which all paths of the line start from.
private func enterFolder(of words: [String], _ program: Program) throws(CommandLineError) {
  guard let folder = program.word(of: CommonOptions.directory, in: words) else { return }
  do throws(Failure) {
    try ProcessState.enter(folder)
  } catch {
    throw CommandLineError(
      path: CommandPath(program), error: UsageError("cannot run in '\(folder)': \(error.reason)"))
  }
}

/// Performs a command line that was parsed.
private func perform(
  _ request: ParsedCommandLine, _ console: Console
) throws(CommandLineError) -> Ending {
  switch request {
  case .version(let arguments):
    console.result(arguments[CommonOptions.verbose] ? versionDetails : version)
  case .help(let path, let detail):
    console.result(text: path.help(detail, width: console.output.columns))
  case .topic(let topic):
    console.result(text: topic.help(width: console.output.columns))
  case .index(let program):
    console.result(text: program.index(width: console.output.columns))
  case .run(let arguments):
    let console = console.adjusted(to: arguments)
    do throws(UsageError) {
      try MadeFile.checkStandardInput(arguments)
      guard let type = CommandTable.type(of: arguments.path) else {
        return .status(try runRoot(arguments, console))
      }
      let command = try type.init(arguments)
      return perform(console) { () throws(PackError) in
        try MadeFile.check(arguments)
        return try command.run(console)
      }
    } catch {
      throw CommandLineError(path: arguments.path, error: error)
    }
  }
  return .status(.done)
}

/// Runs a command and reports its error.
func perform(
  _ console: Console, _ command: () throws(PackError) -> ExitStatus
) -> Ending {
  do throws(PackError) {
    return .status(try command())
  } catch {
    if error.kind == .interrupted {
      console.summary(error.message.prefix(1).uppercased() + error.message.dropFirst())
      return .signal(Interrupt.pending ?? SIGINT)
    }
    console.error(error)
    return .status(error.isOfCommandLine ? .usage : .failed)
  }
}

/// Runs the program without a subcommand.
private func runRoot(
  _ arguments: ParsedArguments, _ console: Console
) throws(UsageError) -> ExitStatus {
  if let shell = arguments[RootOptions.completionScript] {
    console.result(text: CommandPath(arguments.path.program).completionScript(for: shell))
  } else if let folder = arguments[RootOptions.manPages] {
    do throws(PackError) {
      try write(arguments.path.program.manualPages(), to: folder)
    } catch {
      console.error(error)
      return .failed
    }
  } else {
    throw .nothingGiven
  }
  return .done
}

/// Writes manual pages into a folder, and replaces existing ones.
private func write(_ pages: [ManualPage], to folder: String) throws(PackError) {
  for page in pages {
    try mapFailure(.writing) { () throws(Failure) in
      let path = FilePath(folder).appending(FilePath(page.path))
      _ = try FileDescriptor.openFolder(making: path.folder.text)
      try AtomicFile.write(Array(page.text.utf8), to: path.text, replacing: true)
    }
  }
}

/// Returns whether a file with this name exists; then the word is a path, not a misspelled command.
private func isFile(_ path: String) -> Bool {
  guard let kind = (try? FileStatus(ofFileAt: path))?.kind else { return false }
  // A folder such as 'build' probably has the packs of an earlier run.
  return kind != .directory || !Guesses.commands.contains { $0.text == path }
}

extension Console {
  /// Returns the console of this process.
  ///
  /// It is created once, because its end closes the standard streams.
  fileprivate static func ofProcess() -> Console {
    Console(
      output: TextStream(1, path: "standard output", capacity: 64 << 10),
      messages: TextStream(2, path: "standard error", capacity: 0),
      Work(until: Interrupt.alarm),
      environment: { ProcessState.variable($0) })
  }

  /// Reports an invalid command line with hints.
  fileprivate func refuse(_ refusal: CommandLineError) {
    if !refusal.error.message.isEmpty { error(refusal.error.message) }
    finding(text: refusal.path.usageHint(for: refusal.error, width: messages.columns))
  }
}
