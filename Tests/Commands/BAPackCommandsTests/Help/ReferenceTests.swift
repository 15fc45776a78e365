import Arguments
import Foundation
import SourceDiagnostics
import TestSupport
import Testing

@testable import BAPackCommands

/// The recorded pages of the reference below docs/reference.
@Suite("Reference pages")
struct ReferenceTests {
  /// The generated pages.
  private static let pages: [(name: String, text: String)] = {
    let program = CommandTable.program
    let titles = ["manifest": "Manifest", "project": "Project file", "scenario": "Scenarios"]
    let environment = HelpPage(
      "environment", HelpTopics.environment.summary,
      HelpTopics.environment.blocks + [.heading("Exit statuses")] + HelpTopics.exitStatus.blocks)
    return [
      ("commands", program.commandReference()),
      ("environment", environment.markdown(title: "Environment and exit statuses")),
      ("faults", HelpTopics.faults.markdown(title: "Faults")),
    ]
      + program.files.map { page in
        let name = page.name == "project" ? "project-file" : page.name
        return (name, page.markdown(title: titles[page.name] ?? page.name))
      }
  }()

  @Test func `the recorded pages are up to date`() throws {
    #expect(
      Self.pages.map(\.name) == [
        "commands", "environment", "faults", "manifest", "project-file", "scenario",
      ])
    for page in Self.pages {
      let file = Checkout.file("docs/reference/\(page.name).md")
      if ProcessInfo.processInfo.environment["RECORD_REFERENCE"] != nil {
        try FileManager.default.createDirectory(
          at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try page.text.write(to: file, atomically: true, encoding: .utf8)
      }
      #expect(
        try String(contentsOf: file, encoding: .utf8) == page.text,
        "RECORD_REFERENCE=1 swift test --filter ReferenceTests writes \(page.name).md again")
    }
  }

  @Test func `the pages have all commands, variables and members`() throws {
    let texts = Dictionary(uniqueKeysWithValues: Self.pages)
    let commands = try #require(texts["commands"])
    for path in CommandPath(CommandTable.program).all {
      #expect(commands.contains("# \(path.name)\n"))
    }
    let environment = try #require(texts["environment"])
    for variable in ProgramEnvironment.variables + ProgramEnvironment.ofChildren {
      #expect(environment.contains("- `\(variable.names.joined(separator: ", "))`: "))
    }
    for (page, document) in [("manifest", DocumentName.manifest), ("project-file", .project)] {
      let text = try #require(texts[page])
      for name in document.record.names { #expect(text.contains("| `\(name)` |")) }
    }
  }
}
