import Arguments
import BAPackCommands
import Foundation
import TestSupport
import Testing

@Suite("schema, and output to a file")
struct SchemaTests {
  @Test
  func `the schema is strict JSON on standard output`() throws {
    let run = Captured("schema")
    #expect(run.ending == .status(.done))
    #expect(run.messages == "")
    let schema = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
    #expect(schema?["$schema"] as? String == "https://json-schema.org/draft/2020-12/schema")
  }

  @Test
  func `a file is written atomically; an existing one is an error, and is replaced with --force`()
    throws
  {
    let folder = try TemporaryFolder()
    let path = folder.path + "schema.json"
    let first = Captured("schema", "-o", path)
    #expect(first.ending == .status(.done))
    #expect(first.output == "")
    #expect(first.messages == "Wrote '\(path)'.\n")
    #expect(try String(contentsOfFile: path, encoding: .utf8) == Captured("schema").output)
    try Data("mine".utf8).write(to: URL(filePath: path))
    let second = Captured("schema", "-o", path)
    #expect(second.ending == .status(.failed))
    #expect(
      second.messages == """
        Error: '\(path)' already exists
        hint: use --force to replace it, or specify another file with -o

        """)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "mine")
    #expect(Captured("schema", "-q", "-o", path, "--force").messages == "")
    #expect(try String(contentsOfFile: path, encoding: .utf8) == Captured("schema").output)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["schema.json"])
  }

  @Test
  func `a missing folder is reported, with a hint`() throws {
    let folder = try TemporaryFolder()
    let run = Captured("schema", "-o", folder.path + "no/schema.json")
    #expect(run.ending == .status(.failed))
    #expect(run.messages.hasSuffix("\nhint: create the folder first\n"))
    #expect(run.messages.contains("'\(folder.path)no"))
  }
}
