import AppSide
import BAPackKit
import SourceDiagnostics
import SystemIO
import TestSupport
import Testing

@Suite struct LiteralSearchTests {
  private static let packs = PackPaths([
    ("cave", PackContents(["Levels/Cave/map.json": 40])),
    ("island", PackContents(["Textures/hero.png": 10, "logo.png": 5])),
    ("voices-en", PackContents(["Voices/door.wav": 30, "Voices/hello.txt": 1])),
  ])

  private func missing(_ text: String, _ name: String) -> [String] {
    var search = LiteralSearch(in: Self.packs)
    search.inspect(Array(text.utf8), named: name)
    return Self.places(search)
  }

  @Test func `GDScript has single quotes, multiline strings, and comments after a hash`() {
    #expect(
      missing(
        ##"""
        # load("Levels/comment.json")
        var a = load('res://Levels/a.json') # 'Levels/b.json'
        var b = "it's" + 'Levels/c.json'
        var c = """
          Levels/d.json
        Levels/e.json"""
        var d = '''Levels/f.json'''
        get_node($"Levels/node.json") // 'Levels/g.json'
        """##, "a.gd") == [
          "2:15 Levels/a.json", "3:19 Levels/c.json", "5:3 Levels/d.json", "6:1 Levels/e.json",
          "7:12 Levels/f.json", "8:35 Levels/g.json",
        ])
  }

  @Test func `Swift has nested comments, raw strings, multiline strings, and interpolation`() {
    #expect(
      missing(
        ##"""
        /* /* */ "Levels/comment.json" */ let a = #"Levels/a.json"#
        let b = """
            Levels/b.json
            Levels/\(name).json
            Levels/c.json
            """
        let c = "Levels/\(map["Levels/d.json"] ?? "x").json", d = "Levels/e.json"
        let d = #"say "x" \#(load("Levels/f.json"))"#, e = #"Levels/\(g).json"#
        """##, "a.swift") == [
          "1:45 Levels/a.json", "3:5 Levels/b.json", "5:5 Levels/c.json", "7:24 Levels/d.json",
          "7:60 Levels/e.json", "8:28 Levels/f.json",
        ])
  }

  @Test func `C# has verbatim and raw strings, characters, and directives`() {
    #expect(
      missing(
        ##"""
        #region "Levels/region.json"
        char q = '"'; Load("Levels/a.json"); // "Levels/b.json"
        Load(@"Levels/c.json"); Load($@"Levels/{x}.json"); Load($"{Get("Levels/d.json")}");
        var e = @"say ""x""
        Levels/e.json"; var f = """
          Levels/f.json
          """;
        """##, "a.cs") == [
          "2:21 Levels/a.json", "3:8 Levels/c.json", "3:65 Levels/d.json", "5:1 Levels/e.json",
          "6:3 Levels/f.json",
        ])
  }

  @Test(arguments: ["a.m", "a.mm", "a.cpp", "a.c", "a.h"])
  func `C and Objective-C have includes, characters, raw strings, and literals in parts`(
    name: String
  ) {
    #expect(
      missing(
        ##"""
        #include "Levels/a.json"
        # import "Levels/b.json"
        #pragma mark "Levels/c.json"
        #define MAP "Levels/d.json"
        NSString *s = @"Levels/e.json"; char c = '"', d = '\''; int n = 1'000;
        load("Levels/" /* the */ "f.json"); load(@"Levels/"
             @"g.json"); load(L"Levels/h.json");
        // continued \
        load("Levels/i.json");
        load(R"x(
        Levels/j.json)x"); load("Levels/\
        k.json"); load("Levels/Cave/" "map.json");
        """##, name) == [
          "4:14 Levels/d.json", "5:17 Levels/e.json", "6:7 Levels/f.json", "6:44 Levels/g.json",
          "7:25 Levels/h.json", "11:1 Levels/j.json", "11:26 Levels/k.json",
        ])
  }

  @Test func `the search accepts every text, even with deeply nested literals`() {
    #expect(missing(String(repeating: #""\("#, count: 100_000), "a.swift") == [])
    for text in ["#", "$", "#/\n", "=/", "/*", "(/ "] {
      let long = String(repeating: text, count: 300_000)
      for name in ["a.swift", "a.cs", "a.gd", "a.m"] { #expect(missing(long, name) == []) }
    }
    var random = Seeded(seed: 27)
    let parts = [
      "\"", "'", "\"\"\"", "'''", "\\", "\\(", ")", "{", "}", "$", "@", "#", "R\"(", "/*", "*/",
      "//", "\n", "\r\n", " ", "Levels/x.json", "#include ", "é",
    ]
    for _ in 0..<500 {
      let text = (0..<Int.random(in: 0...60, using: &random)).map { _ in
        parts.randomElement(using: &random) ?? ""
      }.joined()
      for name in ["a.swift", "a.cs", "a.gd", "a.m"] {
        #expect(missing(text, name).allSatisfy { $0.contains("Levels/x.json") }, "\(text)")
      }
    }
  }

  @Test func `source files of every language are found by their extensions`() throws {
    let folder = try TemporaryFolder()
    let names = ["a.swift", "b.cs", "c.gd", "d.m", "e.mm", "f.c", "g.cpp", "h.h", "i.hpp"]
    for name in names { try folder.makeFile(name, "load(\"Levels/\(name.prefix(1)).json\")") }
    try folder.makeFile("notes.txt", #""Levels/notes.json""#)
    var search = LiteralSearch(in: Self.packs)
    #expect(try search.search(in: folder.path, .unstoppable) == names.count)
    #expect(Self.places(search) == names.map { "1:7 Levels/\($0.prefix(1)).json" })
  }

  /// The position and the path of each finding.
  private static func places(_ search: LiteralSearch) -> [String] {
    search.findings.pages.flatMap { page in
      page.findings.filter { $0.id.name == "app.missing-path" }.map { finding in
        let position = page.source.position(of: finding.span?.start ?? 0)
        let path = finding.message.split(separator: "'")[1]
        return "\(position.line):\(position.column) \(path)"
      }
    }
  }

  private func findings(_ text: String, _ name: String = "a.swift") -> [String] {
    var search = LiteralSearch(in: Self.packs)
    search.inspect(Array(text.utf8), named: name)
    return search.findings.map { "\($0.message); \($0.fixes[0].message)" }
  }

  @Test func `a missing path has the most similar path as a suggestion`() {
    #expect(
      findings(#"load("Voice/hello.txt")"#) == [
        "no pack has 'Voice/hello.txt'; did you mean 'Voices/hello.txt'?"
      ])
    #expect(
      findings(#"load("Levels/Cave/mpa.json")"#) == [
        "no pack has 'Levels/Cave/mpa.json'; did you mean 'Levels/Cave/map.json'?"
      ])
    #expect(findings(#"load("Voices/hello.txt"); load("Levels/Cave")"#) == [])
  }

  @Test func `an unknown ID in a call of the framework is reported`() {
    #expect(
      findings(
        """
        try await manager.assetPack(withID: "cavee"); other(withID: "nothing")
        manager.remove(assetPackWithID:
          "voices-en"); x.contents(at: p, searchingInAssetPackWithID: "isle")
        """) == [
          "no pack has the ID 'cavee'; did you mean 'cave'?",
          "no pack has the ID 'isle'; correct the ID, or pack it, too",
        ])
    #expect(
      findings(#"[m getAssetPackWithIdentifier:@"caev" completionHandler:h];"#, "a.m") == [
        "no pack has the ID 'caev'; did you mean 'cave'?"
      ])
  }

  @Test func `texts of programs are paths only in folders of packs, or near a path of a pack`() {
    var search = LiteralSearch(in: Self.packs)
    let texts = [
      "Levels/none.json", "Levels/none.json", "Info/other.json", "Voice/hello.txt",
      "Voices/door.wav", "Levels/a\u{1}.json", "hero.png", "https://example.com/hero.png",
    ]
    for text in texts { search.inspect(Array(text.utf8)[...], inProgram: "Game") }
    #expect(
      search.findings.map(\.message) == [
        "no pack has 'Levels/none.json'", "no pack has 'Voice/hello.txt'",
      ])
    #expect(search.count == 4)
    #expect(search.findings.allSatisfy { $0.severity == .warning })
  }

  @Test func `literals that may be paths and that no pack contains are candidates`() {
    var search = LiteralSearch(in: Self.packs)
    search.inspect(
      Array(
        """
        let a = "Levels/Cave/map.json" // "Levels/comment.json"
        let b = "Levels/Cvae/map.json"; let folder = "Levels/Cave"
        /* "Levels/other.json" */ let c = load("res://Textures/hero.png"), d = "logo.PNG"
        let e = "Levels/\\(name).json", f = "https://example.com/a.json", g = "hello world"
        let h = "say \\"x\\" logo.png", i = "Voices/door.mp3", j = "image.svg", k = ""
        let open = "Levels/x.json
        """.utf8), named: "App.swift")
    #expect(
      Self.places(search) == [
        "2:10 Levels/Cvae/map.json", "3:73 logo.PNG", "5:36 Voices/door.mp3", "6:13 Levels/x.json",
      ])
    #expect(search.count == 7)
  }

  @Test func `sources in folders are found by their extensions`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("a/Game.cs", #"Load("Levels/nowhere.json");"#)
    try folder.makeFile("a/game.gd", #"load("res://Levels/nobody.json")"#)
    try folder.makeFile("a/game.cpp", #"open("Levels/none.json");"#)
    try folder.makeFile("a/README.md", #"`"Levels/readme.json"`"#)
    try folder.makeFile(".hidden/b.swift", #""Levels/hidden.json""#)
    var search = LiteralSearch(in: Self.packs)
    #expect(try search.search(in: folder.path, .unstoppable) == 3)
    #expect(
      Self.places(search) == [
        "1:7 Levels/nowhere.json", "1:7 Levels/none.json", "1:7 Levels/nobody.json",
      ])
  }
}
