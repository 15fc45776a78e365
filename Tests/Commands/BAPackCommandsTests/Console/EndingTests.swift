import Arguments
import BAPackKit
import Glibc
import SystemIO
import Testing

@testable import BAPackCommands

/// A command with an error of the system.
private struct Refused: Subcommand {
  static let definition = Command("refused", overview: "Fails.")
  var error = PackError(.unsupported, "cannot do it", remedy: "do it by hand")

  init(_ arguments: ParsedArguments) throws(UsageError) {}
  init(_ error: PackError) { self.error = error }

  func run(_ console: Console) throws(PackError) -> Arguments.ExitStatus { throw error }
}

@Suite("Exit statuses")
struct EndingTests {
  private func end(_ error: PackError) -> (Ending, String) {
    let messages = TextStream()
    let console = Console(output: TextStream(), messages: messages, .unstoppable)
    let refused = Refused(error)
    return (
      perform(console) { () throws(PackError) in try refused.run(console) }, messages.captured
    )
  }

  @Test
  func `an error of the system is printed with its hint, and the command fails`() {
    let (ending, text) = end(PackError(.unsupported, "cannot do it", remedy: "do it by hand"))
    #expect(ending == .status(.failed))
    #expect(text == "Error: cannot do it\nhint: do it by hand\n")
  }

  @Test
  func `an interrupt ends the program by its signal, with a message about the work`() {
    let (ending, text) = end(PackError(.interrupted, "interrupted; 'x.aar' was not written"))
    #expect(ending == .signal(SIGINT))
    #expect(text == "Interrupted; 'x.aar' was not written\n")
  }
}
