import Arguments
import BAPackKit
import Foundation
import SourceDiagnostics
import Testing

@testable import BAPackCommands

@Suite("explain")
struct ExplainTests {
  @Test
  func `a finding is explained within the width of the terminal`() {
    let run = Captured("explain", "selector.half-pair", columns: 60)
    #expect(run.ending == .status(.done))
    #expect(
      run.output.hasPrefix(
        """
        selector.half-pair

        A selector has a source without a destination, or a
        destination without a source.

        """))
    #expect(run.output.contains("\n    \"fileSelectors\": [{\"fileSource\": \"build/a.png\"}]\n"))
    #expect(run.output.hasSuffix("\n"))
  }

  @Test
  func `the severity for each host and the automatic fix are printed`() {
    for (id, line) in [
      (
        "language.case",
        "Warning.\nFixed by 'ba-package validate --fix' if the correction is unambiguous.\n"
      ),
      (
        "selector.duplicate",
        "Warning.\nFixed by 'ba-package validate --fix --unsafe', with the most probable "
          + "correction.\n"
      ),
      (
        "packs.count",
        "By host: error (without '--hosting'), error ('--hosting apple'), no finding "
          + "('--hosting self'); a warning when the number is at least 90 % of the limit of 200 "
          + "and does not exceed it. A project can lower the error.\n"
      ),
      (
        "budget.update",
        "Error; a warning when at least 90 % of the budget is used, but it is not exceeded. "
          + "A project can lower the error.\n"
      ),
      (
        "user-info.apple-hosted",
        "By host: no finding (without '--hosting'), error ('--hosting apple'), no finding "
          + "('--hosting self'). A project can lower the error.\n"
      ),
    ] {
      let output = Captured("explain", id, columns: 300).output
      #expect(output.contains("\n\n\(line)\nWrong"), "\(output)")
    }
  }

  @Test
  func `programs get one object for each finding`() throws {
    let all = Captured("explain", "--format", "json")
    #expect(all.ending == .status(.done))
    #expect(all.messages == "")
    let lines = all.output.split(separator: "\n").map(String.init)
    #expect(lines.count == Rulebook.all.count)
    for (line, rule) in zip(lines, Rulebook.all) {
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      #expect(object?["id"] as? String == rule.id.name)
      #expect(object?["summary"] as? String == rule.what)
      #expect((object?["reason"] as? String)?.hasPrefix(rule.why) == true)
      let severity = object?["severity"] as? [String: Any]
      #expect(severity?["apple"] as? String == rule.severity(for: .apple)?.rawValue)
      #expect(severity?["self"] as? String == rule.severity(for: .selfHosted)?.rawValue)
      #expect(severity?["noHost"] as? String == rule.severity(for: nil)?.rawValue)
      #expect(severity?["exception"] as? String == rule.exception?.severity.rawValue)
      #expect(severity?["when"] as? String == rule.exception?.when)
      let example = object?["example"] as? [String: Any]
      #expect(example?["wrong"] as? String == rule.example.wrong)
      #expect(example?["right"] as? String == rule.example.right)
    }
    let one = Captured("explain", "platform.unknown", "--format", "json").output
    #expect(one.contains(#""fix":"safe""#))
    #expect(lines.contains(one.trimmingCharacters(in: .newlines)))
  }

  @Test
  func `without an ID all findings are listed`() {
    let run = Captured("explain")
    #expect(run.ending == .status(.done))
    let lines = run.output.split(separator: "\n")
    #expect(lines.count == Rulebook.all.count)
    for (line, rule) in zip(lines, Rulebook.all) {
      #expect(line.hasPrefix(rule.id.name + "  "))
      #expect(line.hasSuffix(rule.what))
    }
  }

  @Test
  func `an unknown name suggests the nearest one`() {
    let near = Captured("explain", "selector.halfpair")
    #expect(near.ending == .status(.usage))
    #expect(
      near.messages.hasPrefix(
        "Error: Unknown finding 'selector.halfpair'. Did you mean 'selector.half-pair'?\n"))
    #expect(
      Captured("explain", "zebra").messages.hasPrefix(
        "Error: Unknown finding 'zebra'\n"
          + "hint: 'ba-package explain' without an ID lists all findings\n"))
  }
}
