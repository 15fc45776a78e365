import Arguments
import BAPackCommands
import Foundation
import Testing

@Suite("Formats of findings")
struct FormatTests {
  private static let wrong = """
    {"assetPackID": "T", "downloadPolicy": {"onDemand": {}},
     "fileSelectors": [{"file": "a"}], "platforms": ["ios"]}
    """

  private func run(_ format: String, terminal: Bool = false) -> Captured {
    Captured(
      "validate", "--no-files", "--quiet", "--format", format, "-", input: Self.wrong,
      terminal: terminal)
  }

  @Test
  func `json is one object a line, on standard output alone`() throws {
    let run = run("json")
    #expect(run.ending == .status(.failed))
    let lines = run.output.split(separator: "\n")
    #expect(lines.count == 1)
    let object = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
    #expect(object?["path"] as? String == "<stdin>")
    #expect(object?["id"] as? String == "platform.unknown")
    #expect(object?["line"] as? Int == 2)
    #expect(object?["column"] as? Int == 50)
  }

  @Test
  func `github is one annotation a line`() {
    let run = run("github")
    #expect(run.output.hasPrefix("::error file=<stdin>,line=2,"))
    #expect(run.output.split(separator: "\n").count == 1)
  }

  @Test
  func `sarif is one log with the name and version of this tool`() throws {
    let run = run("sarif")
    let log = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
    #expect(log?["version"] as? String == "2.1.0")
    let runs = log?["runs"] as? [[String: Any]]
    #expect((runs?.first?["results"] as? [Any])?.count == 1)
    #expect(run.output.contains("\"version\": \"\(version)\""))
  }

  @Test(arguments: ["text", "json", "github", "sarif"])
  func `the reason of a failure is printed on standard error, also with --quiet`(_ format: String) {
    #expect(run(format).messages.contains("1 manifest: 1 error; '--fix' fixes 1\n"))
  }

  @Test
  func `a terminal gets excerpts with carets, in color unless disabled`() {
    let framed = run("text", terminal: true)
    #expect(framed.output == "")
    #expect(framed.messages.contains("\u{1B}["))
    #expect(framed.messages.contains("^^^^^"))
    let plain = Captured(
      "validate", "--no-files", "-", input: Self.wrong, terminal: true,
      environment: ["NO_COLOR": "1"])
    #expect(!plain.messages.contains("\u{1B}"))
    #expect(plain.messages.contains("^^^^^"))
  }
}
