import Arguments
import BAPackCommands
import BAPackKit
import Foundation
import TestSupport
import Testing

/// Names with terminal commands, forged lines or changes of text direction, in every command.
@Suite("Names in messages")
struct NamesInMessagesTests {
  static let names = [
    "a\u{1B}[2Jb", "a\rb", "a\n::error::b", "a\u{9B}2Jb", "a\u{202E}gnp", "a\u{200B}b",
    "a\u{2028}b",
    "a\u{7F}b", "a\tb",
  ]

  /// Characters that must be escaped.
  private static func isHostile(_ scalar: UnicodeScalar) -> Bool {
    scalar != "\n"
      && (scalar.properties.generalCategory == .control || scalar.properties.isBidiControl
        || scalar.properties.isDefaultIgnorableCodePoint || scalar == "\u{2028}")
  }

  /// Sequences of the program itself: colors, and the end of a progress line.
  private static func withoutOwnCommands(_ text: String) -> String {
    text.replacing(/\u{1B}\[[0-9;]*[mJK]/, with: "")
  }

  private static func raw(_ text: String) -> [UnicodeScalar] {
    withoutOwnCommands(text).unicodeScalars.filter(isHostile)
  }

  private static func quoted(_ text: String) -> String {
    let json = try? JSONSerialization.data(withJSONObject: [text])
    return String(decoding: (json ?? Data()).dropFirst().dropLast(), as: UTF8.self)
  }

  /// Returns command lines that read or write files with a name, in a folder.
  private static func commandLines(
    _ folder: String, _ name: String, bad: String, whole: String
  ) -> [[String]] {
    func path(_ name: String) -> String { folder + name }
    let archive = path("\(name).aar")
    let root = ["--source-root", path("tree")]
    return [
      ["validate", bad] + root, ["validate", bad, "--no-files", "--format", "github"],
      ["validate", "-v", folder] + root, ["validate", path("no\(name).json")],
      ["validate", bad, "--source-root", path("\(name).zip")],
      ["validate", bad, "--fix", "--no-files"], ["validate", "-v", bad, bad, "--no-files"],
      ["evaluate", bad] + root, ["evaluate", whole] + root,
      ["pack", bad, "-o", path("out")] + root,
      ["pack", "-v", whole, "-o", path("\(name)-out.aar"), "--sha256"] + root,
      ["pack", "--dry-run", whole, "-o", path("\(name)-out")] + root,
      ["pack", whole, "-o", path("\(name)-out.aar")] + root,
      ["pack", whole, "-o", path("no/\(name)/x.aar")] + root,
      ["list", archive], ["list", "-l", archive], ["list", "--all", archive], ["info", archive],
      ["list", path(name)], ["info", path("\(name).zip")],
      ["extract", "-v", archive, "-o", path("into\(name)")],
      ["extract", archive, name, "-o", path("into2\(name)")],
      ["extract", "--all", archive, "-o", path("\(name).tar")],
      ["verify", "-v", archive], ["verify", archive, "--against", whole] + root,
      ["verify", path(name)], ["template", "-o", path("\(name)/x.json")],
      ["template", "--asset-pack-id", name, "--file", name, "--on-demand"],
      ["schema", "-o", path("no\(name)/s.json")], ["explain", name],
      [
        "download-manifest", "create", archive, "--ios", "--download-base-url",
        "https://x.example/\(name)",
      ],
      ["download-manifest", "check", path("\(name).aar")],
      ["download-manifest", "info-plist", archive, "--download-base-url", "https://x.example"],
      [name], ["--\(name)"], ["list", "--format", name, archive], ["pack", "--threads", name],
    ]
  }

  @Test(arguments: names)
  func `no command prints control characters to a terminal or a log`(_ name: String) throws {
    let folder = try TemporaryFolder()
    func manifest(_ file: String, _ id: String, _ selectors: String) throws -> String {
      try folder.makeFile(
        file,
        """
        {"assetPackID": \(Self.quoted(id)), "downloadPolicy": {"onDemand": {}},
         "fileSelectors": [\(selectors)], "platforms": [\(Self.quoted(name))]}
        """)
      return folder.path(file)
    }
    try folder.makeFile("tree/\(name)", "x")
    try folder.makeFile("tree/good.png", "")
    try folder.makeLink("tree/link", to: name + "/nowhere")
    let file = Self.quoted(name)
    let bad = try manifest(
      "\(name).json", name, #"{"file": \#(file)}, {"file": "link"}, {"directory": "."}"#)
    let whole = folder.path("\(name)-whole.json")
    try folder.makeFile(
      "\(name)-whole.json",
      #"""
      {"assetPackID": "T", "downloadPolicy": {"onDemand": {}},
       "fileSelectors": [{"file": "good.png"}], "platforms": []}
      """#)
    var bytes = PackBytes.beginning
    bytes.addFile("Contents/" + name, [1])
    bytes.addFile(name, [1])
    bytes.addFile("Contents/" + name, [2])
    try folder.makeFile("\(name).aar", bytes.container())
    try folder.makeFile("\(name).zip", "PK\u{3}\u{4}" + String(repeating: "x", count: 200))
    for arguments in Self.commandLines(folder.path, name, bad: bad, whole: whole) {
      for terminal in [false, true] {
        let run = Captured(arguments, terminal: terminal)
        #expect(Self.raw(run.messages) == [], "\(arguments)")
        #expect(
          !run.messages.split(separator: "\n").contains { $0.hasPrefix("::") }, "\(arguments)")
        if terminal { #expect(Self.raw(run.output).filter { $0 != "\t" } == [], "\(arguments)") }
        for line in run.output.split(separator: "\n") where line.hasPrefix("::") {
          #expect(line.hasPrefix("::error file=") || line.hasPrefix("::warning file="))
        }
      }
    }
  }

  @Test
  func `a long value is quoted with its first eighty characters`() throws {
    let long = String(repeating: "ab", count: 1 << 16)
    for member in [
      #""platforms": ["\#(long)"]"#, #""assetPackID": "\#(long)/x""#, #""language": "\#(long)""#,
      #""fileSelectors": [{"file": "/\#(long)"}]"#, #""\#(long)": 1"#,
      #""sourceRoot": "/\#(long)""#,
      #""fileSelectors": [{"\#(long)": "x"}]"#, #""downloadPolicy": {"\#(long)": {}}"#,
      #""fileSelectors": [{"filePattern": "[\#(long)"}, {"file": "\#(long)"}, "#
        + #"{"fileExclusion": "x\#(long)"}]"#,
    ] {
      let run = Captured("validate", "-", input: "{\(member), \"x\": }")
      #expect(run.ending == .status(.failed))
      for line in run.messages.split(separator: "\n") { #expect(line.utf8.count < 600) }
    }
  }
}
