import Arguments
import BAPackCommands
import BAPackKit
import Foundation
import TestSupport
import Testing

/// Names that would command a terminal, forge a line or turn a text around, through every command.
@Suite("Names in messages")
struct NamesInMessagesTests {
  static let names = [
    "a\u{1B}[2Jb", "a\rb", "a\n::error::b", "a\u{9B}2Jb", "a\u{202E}gnp", "a\u{200B}b",
    "a\u{2028}b",
    "a\u{7F}b", "a\tb",
  ]

  /// What must never arrive as it is.
  private static func isHostile(_ scalar: UnicodeScalar) -> Bool {
    scalar != "\n"
      && (scalar.properties.generalCategory == .control || scalar.properties.isBidiControl
        || scalar.properties.isDefaultIgnorableCodePoint || scalar == "\u{2028}")
  }

  /// What the program itself sends: colours, and the end of a progress line.
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

  @Test(arguments: names)
  func `no command lets one through to a terminal or a log`(_ name: String) throws {
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
    let archive = folder.path("\(name).aar")
    try folder.makeFile("\(name).zip", "PK\u{3}\u{4}" + String(repeating: "x", count: 200))
    let root = ["--source-root", folder.path("tree")]
    let lines: [[String]] = [
      ["validate", bad] + root, ["validate", bad, "--no-files", "--format", "github"],
      ["validate", "-v", folder.path] + root, ["validate", folder.path("no\(name).json")],
      ["validate", bad, "--source-root", folder.path("\(name).zip")],
      ["validate", bad, "--fix", "--no-files"], ["validate", "-v", bad, bad, "--no-files"],
      ["evaluate", bad] + root, ["evaluate", whole] + root,
      ["pack", bad, "-o", folder.path("out")] + root,
      ["pack", "-v", whole, "-o", folder.path("\(name)-out.aar"), "--sha256"] + root,
      ["pack", "--dry-run", whole, "-o", folder.path("\(name)-out")] + root,
      ["pack", whole, "-o", folder.path("\(name)-out.aar")] + root,
      ["pack", whole, "-o", folder.path("no/\(name)/x.aar")] + root,
      ["list", archive], ["list", "-l", archive], ["list", "--all", archive], ["info", archive],
      ["list", folder.path(name)], ["info", folder.path("\(name).zip")],
      ["extract", "-v", archive, "-o", folder.path("into\(name)")],
      ["extract", archive, name, "-o", folder.path("into2\(name)")],
      ["extract", "--all", archive, "-o", folder.path("\(name).tar")],
      ["verify", "-v", archive], ["verify", archive, "--against", whole] + root,
      ["verify", folder.path(name)], ["template", "-o", folder.path("\(name)/x.json")],
      ["template", "--asset-pack-id", name, "--file", name, "--on-demand"],
      ["schema", "-o", folder.path("no\(name)/s.json")], ["explain", name],
      [
        "download-manifest", "create", archive, "--ios", "--download-base-url",
        "https://x.example/\(name)",
      ],
      ["download-manifest", "check", folder.path("\(name).aar")],
      ["download-manifest", "info-plist", archive, "--download-base-url", "https://x.example"],
      [name], ["--\(name)"], ["list", "--format", name, archive], ["pack", "--threads", name],
    ]
    for words in lines {
      for terminal in [false, true] {
        let run = Captured(words, terminal: terminal)
        #expect(Self.raw(run.messages) == [], "\(words)")
        #expect(!run.messages.split(separator: "\n").contains { $0.hasPrefix("::") }, "\(words)")
        if terminal { #expect(Self.raw(run.output).filter { $0 != "\t" } == [], "\(words)") }
        for line in run.output.split(separator: "\n") where line.hasPrefix("::") {
          #expect(line.hasPrefix("::error file=") || line.hasPrefix("::warning file="))
        }
      }
    }
  }

  @Test
  func `a long value is quoted with its first eighty signs`() throws {
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
