import Arguments
import Testing

@testable import BAPackCommands

@Suite("The built program")
struct ProgramTests {
  @Test
  func `--version prints the bare number`() {
    let run = Captured("--version")
    #expect(run.ending == .status(.done))
    #expect(run.output == "0.1.0\n")
    #expect(run.messages == "")
  }

  @Test
  func `an empty command line is a usage error that shows the help on standard error`() {
    let run = Captured()
    #expect(run.ending == .status(.usage))
    #expect(run.output == "")
    #expect(run.messages.hasPrefix("Error: Missing expected argument"))
    #expect(run.messages.contains("\nOVERVIEW: Packs app assets"))
  }

  @Test
  func `a completion script and a man page go to standard output`() {
    for arguments in ["bash", "zsh", "fish"] {
      let run = Captured("--generate-completion-script", arguments)
      #expect(run.ending == .status(.done))
      #expect(run.output.contains("ba-package"))
    }
    #expect(Captured("--generate-man-page").output.hasPrefix(".\\\" Made by"))
  }

  @Test
  func `the word Error is colored for a terminal only`() {
    #expect(Captured("--nonsense").messages.hasPrefix("Error: "))
    #expect(Captured("--nonsense", terminal: true).messages.hasPrefix("\u{1B}[1;31mError:"))
    let plain = [["NO_COLOR": "1"], ["TERM": "dumb"]]
    for environment in plain {
      let run = Captured("--nonsense", terminal: true, environment: environment)
      #expect(run.messages.hasPrefix("Error: "))
    }
  }
}
