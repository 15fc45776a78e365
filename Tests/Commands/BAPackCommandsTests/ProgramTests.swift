import Arguments
import TestSupport
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

  @Test(arguments: [["--version", "--verbose"], ["pack", "--verbose", "--version"]])
  func `--version --verbose prints the build and the loaded libraries`(words: [String]) {
    let lines = Captured(words).output.split(separator: "\n").map(String.init)
    #expect(lines[0].wholeMatch(of: /ba-package 0\.1\.0 \(\d{4}-\d\d-\d\d\)/) != nil)
    #expect(lines[1].wholeMatch(of: /commit: (unknown|[0-9a-f]{40}(, modified)?)/) != nil)
    #expect(lines[2].wholeMatch(of: /toolchain: (unknown|Swift \d+\.\d+.*)/) != nil)
    #expect(lines[3].wholeMatch(of: /repository: (unknown|https:.*)/) != nil)
    #expect(lines[4] == "libraries:")
    let names = lines[5...].map { $0.split(separator: "/").last ?? "" }
    for name in ["libz.so", "liblzma.so"] {
      #expect(names.count { $0.hasPrefix(name) } == 1, "\(lines)")
    }
  }

  @Test
  func `an empty command line is a usage error that prints the overview on standard error`() {
    let run = Captured()
    #expect(run.ending == .status(.usage))
    #expect(run.output == "")
    #expect(run.messages.hasPrefix("Pack app assets into asset packs"))
    #expect(run.messages == Captured("-h").output)
    let lines = run.messages.split(separator: "\n", omittingEmptySubsequences: false)
    // The last one is empty.
    #expect(lines.count <= 40)
    #expect(lines.allSatisfy { $0.utf8.count <= 80 })
    #expect(lines.first { $0.hasPrefix("  ba-package") }?.hasPrefix("  ba-package init") == true)
  }

  @Test
  func `a completion script is printed, and manual pages are written into a folder`() throws {
    for arguments in ["bash", "zsh", "fish"] {
      let run = Captured("--generate-completion-script", arguments)
      #expect(run.ending == .status(.done))
      #expect(run.output.contains("ba-package"))
    }
    let folder = try TemporaryFolder()
    for _ in 0..<2 {
      #expect(Captured("--generate-man-pages", folder.path("new")).ending == .status(.done))
    }
    let pages = CommandTable.program.manualPages()
    #expect(pages.count == 1 + 27 + 3)
    for page in pages {
      #expect(try folder.contents("new/" + page.path) == Array(page.text.utf8))
    }
    try folder.makeFile("file", "text")
    let failed = Captured("--generate-man-pages", folder.path("file"))
    #expect(failed.ending == .status(.failed))
    #expect(failed.messages.contains("man1"))
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
