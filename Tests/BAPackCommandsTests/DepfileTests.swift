import Arguments
import BAPackCommands
import Foundation
import TestSupport
import Testing

/// `pack --depfile`: what Make and Ninja have to know.
@Suite struct DepfileTests {
  private static func pack(
    _ folder: borrowing TemporaryFolder, _ selectors: String, root: String = "src"
  ) throws -> String {
    try folder.makeFolder("out")
    try folder.makeFile(
      "m.json",
      """
      {"assetPackID": "Art", "downloadPolicy": {"onDemand": {}}, "platforms": [],
       "sourceRoot": "\(root)", "fileSelectors": [\(selectors)]}
      """)
    let run = Captured(
      "pack", folder.path("m.json"), "-f", "-q", "-o", folder.path("out/Art.aar"), "--depfile",
      folder.path("Art.d"))
    #expect(run.ending == .status(.done), "\(run.messages)")
    return String(decoding: try folder.contents("Art.d"), as: UTF8.self)
      .replacingOccurrences(of: folder.path + "/", with: "")
      .replacingOccurrences(of: folder.path, with: "")
  }

  @Test func `an archive depends on its manifest, the folders that were listed, and the files`()
    throws
  {
    let folder = try TemporaryFolder()
    for name in ["Art/a.png", "Art/deep/b.png", "Other/c.png", "Other/no.txt", "one", "far/away"] {
      try folder.makeFile("src/\(name)")
    }
    try folder.makeLink("src/near", to: "far/away")
    let text = try Self.pack(
      folder, #"{"directory": "Art"}, {"filePattern": "Other/*.png"}, {"file": "one"}"#)
    #expect(
      text == """
        out/Art.aar: \\
          m.json \\
          src/Art \\
          src/Art/deep \\
          src/Other \\
          src/Art/a.png \\
          src/Art/deep/b.png \\
          src/Other/c.png \\
          src/one
        m.json:
        src/Art:
        src/Art/deep:
        src/Other:
        src/Art/a.png:
        src/Art/deep/b.png:
        src/Other/c.png:
        src/one:

        """)
    // A link can be made to lead elsewhere, which its folder shows.
    #expect(try Self.pack(folder, #"{"file": "near"}"#).contains("\n  src \\\n  src/near\n"))
  }

  @Test func `a source root that is an archive is one dependency`() throws {
    let folder = try TemporaryFolder()
    var tar = TarBytes()
    tar.add("x", contents: "x")
    try folder.makeFile("src.tar", tar.archive)
    let text = try Self.pack(folder, #"{"directory": "."}"#, root: "src.tar")
    #expect(text == "out/Art.aar: \\\n  m.json \\\n  src.tar\nm.json:\nsrc.tar:\n")
  }

  @Test func `names are escaped as Make reads them`() throws {
    let folder = try TemporaryFolder()
    for name in ["a b", "c$d", "e#f", "g:h", #"i\ j"#, #"k\l"#, "100%"] {
      try folder.makeFile("src/\(name)")
    }
    let text = try Self.pack(folder, #"{"directory": "."}"#)
    for name in [#"a\ b"#, "c$$d", ##"e\#f"##, #"g\:h"#, #"i\\\ j"#, #"k\l"#, "100%"] {
      #expect(text.contains("\n  src/\(name)"), "\(name) in \(text)")
    }
  }

  @Test func `a name with a line end is left out and said`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("s\nrc/a")
    try folder.makeFile(
      "m.json",
      """
      {"assetPackID": "Art", "downloadPolicy": {"onDemand": {}}, "platforms": [],
       "sourceRoot": "s\\nrc", "fileSelectors": [{"directory": "."}]}
      """)
    let run = Captured(
      "pack", folder.path("m.json"), "-q", "-o", folder.path("x.aar"), "--depfile",
      folder.path("x.d"))
    #expect(run.messages.contains("Warning: a depfile cannot name"))
    #expect(run.ending == .status(.done))
  }

  @Test(arguments: ["--dry-run", "--update --check"])
  func `where no archive is written no depfile is asked for`(_ words: String) {
    let run = Captured(
      ["pack", "a.json", "-o", "b", "--depfile", "c"]
        + words.split(separator: " ").map(String.init))
    #expect(run.ending == .status(.usage))
  }
}
