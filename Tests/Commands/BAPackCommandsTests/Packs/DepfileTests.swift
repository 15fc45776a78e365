import Arguments
import BAPackCommands
import Foundation
import TestSupport
import Testing

/// `pack --depfile`: the dependencies for Make and Ninja.
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
    // A symbolic link can change, which is visible in its folder.
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

  /// The text of a name in a depfile for Make, for Ninja, for CMake, and for both Make and Ninja.
  ///
  /// It is nil if there is none. Tests/World/depfile-names.py tests the same names with the tools.
  private static let words:
    [(name: String, make: String?, ninja: String?, cmake: String?, both: String?)] = [
      ("plain.png", "plain.png", "plain.png", "plain.png", "plain.png"),
      ("a b", #"a\ b"#, #"a\ b"#, #"a\ b"#, #"a\ b"#),
      ("a:b", #"a\:b"#, #"a\:b"#, nil, #"a\:b"#),
      ("a#b", ##"a\#b"##, ##"a\#b"##, nil, ##"a\#b"##),
      ("a$b", "a$$b", "a$$b", nil, "a$$b"),
      ("a[1]b", #"a\[1]b"#, "a[1]b", nil, nil),
      ("100%", "100%", "100%", nil, nil),
      ("a=b", "a$(subst x,=,x)b", "a=b", "a=b", nil),
      ("a;b", #"a[\:-<]b"#, nil, nil, nil),
      ("a|b", #"a\|b"#, nil, nil, nil),
      ("it's", "it's", nil, nil, nil),
      ("a*b?", #"a\*b\?"#, nil, nil, nil),
      (#"i\ j"#, #"i\\\ j"#, #"i\\\ j"#, nil, #"i\\\ j"#),
      (#"k\l"#, #"k\l"#, #"k\l"#, nil, #"k\l"#),
      (#"k\[l"#, #"k\\\[l"#, #"k\[l"#, nil, nil),
      (#"end\"#, #"end[\\]"#, nil, nil, nil),
      ("end ", #"end[[\:blank\:]]"#, #"end\ "#, #"end\ "#, nil),
      ("end&", "end&", nil, nil, nil),
      ("a(b)", nil, "a(b)", nil, nil),
      ("a(b", "a(b", "a(b", nil, "a(b"),
    ]

  private static func manifest(in folder: borrowing TemporaryFolder) throws -> String {
    try folder.makeFile(
      "m.json",
      """
      {"assetPackID": "Art", "downloadPolicy": {"onDemand": {}}, "platforms": [],
       "sourceRoot": "src", "fileSelectors": [{"directory": "."}]}
      """)
    return folder.path("m.json")
  }

  @Test(arguments: words.indices)
  func `each tool gets a name in its own syntax, or an error before anything is packed`(
    _ index: Int
  ) throws {
    let row = Self.words[index]
    let folder = try TemporaryFolder()
    try folder.makeFile("src/\(row.name)")
    let manifest = try Self.manifest(in: folder)
    let forms: [(options: [String], word: String?)] = [
      (["--depfile-format", "make"], row.make), (["--depfile-format", "ninja"], row.ninja),
      (["--depfile-format", "cmake"], row.cmake), ([], row.both),
    ]
    for (number, (options, word)) in forms.enumerated() {
      let archive = folder.path("\(number).aar")
      let run = Captured(
        ["pack", manifest, "-q", "-o", archive, "--depfile", folder.path("x.d")] + options)
      guard let word else {
        #expect(run.ending == .status(.failed), "\(options)")
        #expect(run.messages.contains("the name '"), "\(run.messages)")
        #expect(!FileManager.default.fileExists(atPath: archive))
        continue
      }
      #expect(run.ending == .status(.done), "\(options): \(run.messages)")
      let text = String(decoding: try folder.contents("x.d"), as: UTF8.self)
      #expect(text.contains("src/\(word)\n"), "\(options): \(word) in \(text)")
    }
  }

  @Test func `a folder whose name looks like a member of a library is named with a slash`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("src/a(b)/c")
    let run = Captured(
      "pack", try Self.manifest(in: folder), "-q", "-o", folder.path("x.aar"), "--depfile",
      folder.path("x.d"), "--depfile-format", "make")
    #expect(run.ending == .status(.done), "\(run.messages)")
    let text = String(decoding: try folder.contents("x.d"), as: UTF8.self)
    #expect(text.contains("/src/a(b)/ \\\n"), "\(text)")
    #expect(text.contains("/src/a(b)/:\n"))
  }

  @Test(.needs("make"))
  func `parentheses in two names are no members of a library for Make`() throws {
    let folder = try TemporaryFolder()
    for name in ["a(x", "b y)", "c)", "d"] { try folder.makeFile("src/\(name)") }
    let run = Captured(
      "pack", try Self.manifest(in: folder), "-q", "-o", folder.path("x.aar"), "--depfile",
      folder.path("x.d"), "--depfile-format", "make")
    #expect(run.ending == .status(.done), "\(run.messages)")
    let target = folder.path("x.aar")
    try folder.makeFile("Makefile", "include x.d\n\(target):\n\ttouch $@\n")
    #expect(try Peer.run("make -q '\(target)'", in: folder.path) == 0)
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 4_102_444_800)],
      ofItemAtPath: folder.path("src/b y)"))
    #expect(try Peer.run("make -q '\(target)'", in: folder.path) == 1)
  }

  @Test func `an archive inside a folder that it depends on is not older than that folder`() throws
  {
    let folder = try TemporaryFolder()
    try folder.makeFile("src/a")
    let manifest = try Self.manifest(in: folder)
    func modified(_ path: String) throws -> Date? {
      try FileManager.default.attributesOfItem(atPath: folder.path(path))[.modificationDate]
        as? Date
    }
    for _ in 0..<20 {
      let run = Captured(
        "pack", manifest, "-q", "-f", "-o", folder.path("src/x.aar"), "--depfile",
        folder.path("src/x.d"))
      #expect(run.ending == .status(.done), "\(run.messages)")
      let (archive, parent) = (try #require(try modified("src/x.aar")), try modified("src"))
      #expect(archive >= (try #require(parent)))
    }
    // The depfile is not a file of the pack.
    #expect(Captured("list", folder.path("src/x.aar")).output == "a\n")
  }

  @Test func `a depfile format without a depfile is refused`() {
    let run = Captured("pack", "m.json", "-o", "x.aar", "--depfile-format", "make")
    #expect(run.ending == .status(.usage))
    #expect(run.messages.contains("'--depfile-format' has no effect without '--depfile'"))
  }

  @Test(arguments: ["--dry-run", "--update --check"])
  func `without an archive, --depfile is an error`(_ words: String) {
    let run = Captured(
      ["pack", "a.json", "-o", "b", "--depfile", "c"]
        + words.split(separator: " ").map(String.init))
    #expect(run.ending == .status(.usage))
  }

  @Test func `a depfile for Ninja in a folder that is packed is a warning`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("src/a")
    try folder.makeFolder("out")
    let manifest = try Self.manifest(in: folder)
    func messages(_ depfile: String, _ format: String) -> String {
      let run = Captured(
        "pack", manifest, "-f", "-o", folder.path("out/x.aar"), "--depfile", folder.path(depfile),
        "--depfile-format", format)
      #expect(run.ending == .status(.done), "\(run.messages)")
      return run.messages
    }
    let warning = "warning: the depfile is in '"
    #expect(messages("src/x.d", "ninja").lowercased().contains(warning))
    #expect(!messages("out/x.d", "ninja").lowercased().contains(warning))
    #expect(!messages("src/x.d", "make").lowercased().contains(warning))
  }
}
