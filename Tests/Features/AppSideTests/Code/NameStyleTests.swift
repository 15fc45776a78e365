import BAPackKit
import TestSupport
import Testing

@testable import AppSide

/// Names of constants for the names of files, folders and packs.
@Suite struct NameStyleTests {
  private static let swift = NameStyle(
    constants: .lowerCamel, folders: .upperCamel, reserved: ["class", "self", "Type"],
    allowsUnicode: true)
  private static let snake = NameStyle(
    constants: .lowerSnake, folders: .lowerSnake, reserved: ["class"])

  @Test(arguments: [
    ("hero.png", "heroPng", "hero_png"), ("hero@2x.png", "hero2xPng", "hero_2x_png"),
    ("README.md", "readmeMd", "readme_md"), ("URLFile", "urlFile", "urlfile"),
    ("someFile", "someFile", "some_file"), ("class", "class_", "class_"),
    ("class.txt", "classTxt", "class_txt"), ("self", "self_", "self"),
    ("1.png", "_1Png", "_1_png"), ("tile1.2", "tile1_2", "tile1_2"), ("tile12", "tile12", "tile12"),
    ("a b-c_d", "aBCD", "a_b_c_d"), ("日本.txt", "日本Txt", "u65e5u672c_txt"),
    ("---", "u2du2du2d", "u2du2du2d"), ("é", "é", "ue9"), ("𝒜", "u1d49c", "u1d49c"),
    ("\u{202E}a", "a", "a"), ("$", "u24", "u24"),
  ])
  func `a name is spelled by the rules of a language`(text: String, camel: String, other: String) {
    #expect(Self.swift.name(for: text, .lowerCamel) == camel)
    #expect(Self.snake.name(for: text, .lowerSnake).lowercased() == other.lowercased())
  }

  @Test
  func `equal names receive a part of a hash, and other names do not change`() {
    var collisions: [NameCollision] = []
    let names = Self.swift.names(
      for: ["a-b", "a_b", "c"].map { .init(text: $0) }, in: "x", &collisions)
    #expect(names == ["aB_e61a", "aB_e6c4", "c"])
    #expect(collisions.map(\.folder) == ["x"])
    #expect(collisions.map { $0.names.map(\.text) } == [["a-b", "a_b"]])
    // A third text with this name does not rename the constants of the others.
    let more = Self.swift.names(
      for: ["a b", "a-b", "a_b", "c"].map { .init(text: $0) }, in: "x", &collisions)
    #expect(more.dropFirst() == names[...])
    #expect(Set(more).count == 4)
  }

  @Test
  func `a name in use is avoided, also the name that replaces it`() {
    var collisions: [NameCollision] = []
    let names = Self.swift.names(
      for: [.init(text: "folder"), .init(text: "x")], besides: ["folder", "folder_"], &collisions)
    #expect(names == ["folder__", "x"])
    #expect(collisions.isEmpty)
  }

  @Test(arguments: CodeLanguage.allCases, [1 as UInt64, 2])
  func `arbitrary paths give different names`(language: CodeLanguage, seed: UInt64) {
    var random = Seeded(seed: seed)
    let pieces = [
      "a", "A", "b", "-", "_", ".", " ", "1", "2", "é", "e\u{301}", "日", "\u{202E}", "\"", "\\",
      "class", "Type", "folder", "Folder", "all", "$", "\n",
    ]
    var files: [String: UInt64] = [:]
    for _ in 0..<80 {
      let parts = (0...Int.random(in: 0...2, using: &random)).map { _ in
        (0...Int.random(in: 0...3, using: &random)).map { _ in
          pieces.randomElement(using: &random) ?? "a"
        }.joined()
      }
      files[parts.filter { $0 != "." && $0 != ".." }.joined(separator: "/")] = 1
    }
    files[""] = nil
    let constants = PackConstants([.init("p", PackContents(files))])
    let code = constants.code(in: language, .files, generatedBy: "a test").text
    #expect(code == constants.code(in: language, .files, generatedBy: "a test").text)
    let declared = #/(var|const string|NSString \*const|std::string_view|const) ([^\s:=]+) ?[:=]/#
    var scopes: [[String: Int]] = [[:]]
    // The code for apps follows the constants.
    let constantsOnly =
      (code.firstRange(of: "\nimport BackgroundAssets") ?? code.firstRange(of: "\n@interface"))?
      .lowerBound
    for line in code[..<(constantsOnly ?? code.endIndex)].split(separator: "\n") {
      if line.contains(#/^\s*(public enum|class|namespace|public static class) /#) {
        scopes.append([:])
      }
      guard let name = line.firstMatch(of: declared)?.2, name != "std" else { continue }
      scopes[scopes.count - 1][String(name), default: 0] += 1
    }
    // Files precede folders, so that no name of an outer scope follows an inner one.
    for scope in scopes { #expect(scope.filter { $0.value > 1 } == [:]) }
  }
}
