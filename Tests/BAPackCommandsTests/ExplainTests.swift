import Arguments
import BAPackKit
import SourceDiagnostics
import Testing

@Suite("explain")
struct ExplainTests {
  @Test("a finding is explained within the width of the terminal")
  func one() {
    let run = Captured("explain", "selector.half-pair", columns: 60)
    #expect(run.ending == .status(.done))
    #expect(
      run.output.hasPrefix(
        """
        selector.half-pair

        A selector has a source without a destination, or the other
        way round.

        """))
    #expect(run.output.contains("\n    \"fileSelectors\": [{\"fileSource\": \"build/a.png\"}]\n"))
    #expect(run.output.hasSuffix("\n"))
  }

  @Test("without a name all findings are listed")
  func list() {
    let run = Captured("explain")
    #expect(run.ending == .status(.done))
    let lines = run.output.split(separator: "\n")
    #expect(lines.count == RuleCatalogue.all.count)
    for (line, rule) in zip(lines, RuleCatalogue.all) {
      #expect(line.hasPrefix(rule.id.name + "  "))
      #expect(line.hasSuffix(rule.what))
    }
  }

  @Test("a name that is none suggests the nearest")
  func unknown() {
    let near = Captured("explain", "selector.halfpair")
    #expect(near.ending == .status(.usage))
    #expect(
      near.messages.hasPrefix(
        "Error: Unknown finding 'selector.halfpair'. Did you mean 'selector.half-pair'?\n"))
    #expect(
      Captured("explain", "zebra").messages.hasPrefix(
        "Error: Unknown finding 'zebra'. 'ba-package explain' without a name lists all of them\n"))
  }
}
