import Arguments
import TestSupport
import Testing

@Suite struct EvaluateTests {
  private func prepare(_ folder: borrowing TemporaryFolder, _ selectors: String) throws {
    for name in ["a/x", "a-b", "B", "a/.y"] { try folder.makeFile(name, name) }
    try folder.makeFile(
      "packs/m.json",
      #"""
      {"assetPackID": "P", "downloadPolicy": {"onDemand": {}}, "platforms": [],
       "fileSelectors": [\#(selectors)]}
      """#)
  }

  @Test func `paths are printed as the app sees them, sorted by bytes`() throws {
    let folder = try TemporaryFolder()
    try prepare(
      folder,
      #"{"directory": "a"}, {"file": "a-b"}, {"fileSource": "B", "fileDestination": "Z/b"}"#)
    let run = Captured(
      "evaluate", folder.path("packs/m.json"), "--source-root", folder.path)
    #expect(run.messages == "")
    #expect(run.output == "Z/b\na-b\na/.y\na/x\n")
    #expect(run.ending == .status(.done))
  }

  @Test func `as JSON, each path has its source, size and selector`() throws {
    let folder = try TemporaryFolder()
    try prepare(folder, #"{"file": "a-b"}, {"fileSource": "B", "fileDestination": "Z/\"b"}"#)
    let run = Captured(
      "evaluate", folder.path("packs/m.json"), "--source-root", folder.path, "--format", "json")
    #expect(
      run.output == #"""
        {"path":"Z/\"b",\#
        "source":"B","size":1,"selector":{"index":1,"fileSource":"B","fileDestination":"Z/\"b"}}
        {"path":"a-b","source":"a-b","size":3,"selector":{"index":0,"file":"a-b"}}

        """#)
  }

  @Test func `an excluded path is listed once in text, and as JSON with its selectors`()
    throws
  {
    let folder = try TemporaryFolder()
    try prepare(
      folder,
      #"""
      {"directory": "a"}, {"file": "B"}, {"filePattern": "a/*"}, {"fileExclusion": "x"},
      {"fileExclusion": "packs"}, {"directory": "."}
      """#)
    let arguments = [
      "evaluate", folder.path("packs/m.json"), "--source-root", folder.path, "--excluded",
    ]
    let text = Captured(arguments)
    #expect(text.output == "a/x\npacks/\n")
    #expect(text.ending == .status(.done))
    let lines = Captured(arguments + ["--format", "json"]).output.split(separator: "\n")
    #expect(lines.count == 4)
    let first = #"""
      {"source":"a/x","isFolder":false,"selector":{"index":0,"directory":"a"},\#
      "exclusions":[{"index":3,"fileExclusion":"x"}]}
      """#
    #expect(lines.first.map(String.init) == first)
    #expect(
      lines.last?.hasPrefix(#"{"source":"packs","isFolder":true,"selector":{"index":5"#) == true)
  }

  @Test func `a value may begin with a combining character, and a path is no command`() throws {
    let value = Captured("evaluate", "--source-root=\u{301}x", "-", input: "{}")
    #expect(value.messages.contains(#"there is no source root '\u{301}x'"#))
    let short = Captured("template", "-o\u{301}nowhere/\u{301}x")
    #expect(short.messages.contains(#"cannot open '\u{301}nowhere'"#))
    let path = Captured("nowhere/\u{301}m", "-o", "x.aar")
    #expect(path.messages.hasPrefix(#"Error: cannot open 'nowhere/\u{301}m'"#))
  }

  @Test func `an error is printed on standard error, with an empty standard output`() throws {
    let folder = try TemporaryFolder()
    try prepare(folder, #"{"file": "a-b"}, {"file": "a/z"}"#)
    let path = folder.path("packs/m.json")
    let run = Captured("evaluate", path, "--source-root", folder.path)
    #expect(run.output == "")
    #expect(run.messages.hasPrefix("\(path):2:46: error: there is no file 'a/z'"))
    #expect(run.ending == .status(.failed))
  }

  @Test func `a warning does not stop the command`() throws {
    let folder = try TemporaryFolder()
    try prepare(folder, #"{"file": "a-b"}, {"fileExclusion": "nothing"}"#)
    let run = Captured("evaluate", folder.path("packs/m.json"), "--source-root", folder.path)
    #expect(run.output == "a-b\n")
    #expect(run.messages.contains("warning: the exclusion 'nothing' matches no selected file"))
    #expect(run.ending == .status(.done))
  }

  @Test func `validate checks whether files exist`() throws {
    let folder = try TemporaryFolder()
    try prepare(folder, #"{"file": "a/z"}"#)
    let path = folder.path("packs/m.json")
    let run = Captured("validate", path, "--source-root", folder.path)
    #expect(run.messages.contains("error: there is no file 'a/z'"))
    #expect(run.ending == .status(.failed))
    let text = Captured("validate", path, "--no-files")
    #expect(text.ending == .status(.done))
  }
}
