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

  @Test(arguments: 0..<5, [1 as UInt64, 2])
  func `arbitrary paths give different names`(number: Int, seed: UInt64) {
    let style = [
      PackConstants.swiftStyle, PackConstants.objectiveCStyle, PackConstants.csharpStyle,
      PackConstants.cppStyle, PackConstants.gdscriptStyle,
    ][number]
    var random = Seeded(seed: seed)
    let pieces = [
      "a", "A", "b", "-", "_", ".", " ", "1", "2", "é", "e\u{301}", "日", "\u{202E}", "\"", "\\",
      "class", "Type", "folder", "Folder", "all", "$", "\n",
    ]
    var files: [String: UInt64] = [:]
    for _ in 0..<200 {
      let parts = (0...Int.random(in: 0...2, using: &random)).map { _ in
        (0...Int.random(in: 0...2, using: &random)).map { _ in
          pieces.randomElement(using: &random) ?? "a"
        }.joined()
      }
      files[parts.joined(separator: "/")] = 1
    }
    // One pack has a file and another one a folder with this name.
    files["x"] = 1
    files["x/y"] = 1
    let constants = PackConstants([.init("p", PackContents(files))])
    let tree = ConstantTree(constants, style, .files, folderMembers: ["folder"])
    var flat: [String] = []
    func check(_ folder: ConstantTree.Folder, _ prefix: String) {
      let names = folder.folders.map(\.name) + folder.files.map(\.name)
      #expect(Set(names).count == names.count)
      #expect(!names.contains("folder") && !names.contains(folder.name))
      #expect(
        names.allSatisfy { $0.wholeMatch(of: #/[\p{L}_][\p{L}\p{Mn}\p{Nd}_]*/#) != nil }, "\(names)"
      )
      flat += folder.files.map { prefix + $0.name }
      for inner in folder.folders { check(inner, prefix + inner.name + "_") }
    }
    check(tree.top, "")
    #expect(flat.count == constants.pathCount)
    // Objective-C has all names in one scope.
    if number == 1 { #expect(Set(flat).count == flat.count) }
  }
}
