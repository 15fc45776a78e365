import Arguments
import BAPackCommands
import SystemIO

/// The result of a command line that ran in this process.
struct Captured {
  let ending: Ending
  let output: String
  /// The bytes of `output`, if they are not text.
  let outputBytes: [UInt8]
  let messages: String

  /// Runs the program with captured outputs.
  init(
    _ arguments: String..., input: String? = nil, columns: Int = 80, terminal: Bool = false,
    environment: [String: String] = [:]
  ) {
    self.init(
      arguments, input: input, columns: columns, terminal: terminal, environment: environment)
  }

  /// Runs the program with captured outputs.
  init(
    _ arguments: [String], input: String? = nil, columns: Int = 80, terminal: Bool = false,
    environment: [String: String] = [:]
  ) {
    let output = TextStream(capturedAs: terminal, columns: columns)
    let messages = TextStream(capturedAs: terminal, columns: columns)
    let console = Console(
      output: output, messages: messages, .unstoppable, input: input.map { Array($0.utf8) },
      environment: { environment[$0] })
    ending = run(arguments, console)
    self.output = output.captured
    outputBytes = output.capturedBytes
    self.messages = messages.captured
  }
}
