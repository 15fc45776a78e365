import BAPackKit
import DeviceSimulator
import SystemIO
import TestSupport
import Testing

@Suite struct AskedPathsTests {
  private func missing(_ text: String, _ name: String) -> [String] {
    var asked = AskedPaths(of: Lantern.one)
    asked.inspect(Array(text.utf8), named: name)
    return asked.missing.map { "\($0.line):\($0.column) \($0.path)" }
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
    var asked = AskedPaths(of: Lantern.one)
    try asked.search(in: folder.path, .unstoppable)
    #expect(asked.missing.map(\.path) == names.map { "Levels/\($0.prefix(1)).json" })
  }
}
