import Foundation
import TestSupport
import Testing

/// The language of texts: plain technical English.
extension HouseRules {
  @Test
  func `texts contain no word that has a plainer one`() throws {
    let words = try PlainWords(SourceTree.text("Tests/HouseTests/PlainWords.txt"))
    var files = sources + tests
    for folder in [".ci", "Benchmarks", "CMake", "Examples", "Fuzz", "Sources", "Tests", "docs"] {
      files += try SourceTree.others(below: folder)
    }
    for folder in ["Benchmarks", "Examples", "Fuzz"] {
      files += try SourceTree.files(below: folder, extensions: ["swift"])
    }
    let top = try FileManager.default.contentsOfDirectory(
      atPath: Checkout.top.path(percentEncoded: false))
    for name in top.sorted() where name.hasSuffix(".md") || Self.topFiles.contains(name) {
      files.append(SourceTree.File(path: name, text: try SourceTree.text(name)))
    }
    #expect(files.count > 1000)

    var found: [String] = []
    let exceptions = ["/WebFiles.swift", "/PlainWords.txt"]
    for file in files where !exceptions.contains(where: file.path.hasSuffix) {
      let isTest = file.path.hasPrefix("Tests/")
      // A literal of a test is data.
      let texts = file.texts.filter { $0.kind != .literal || !isTest && $0.isSentence }
      found += words.occurrences(in: texts).map {
        "\(file.path):\($0.line): \"\($0.word)\": write instead \($0.advice)"
      }
    }
    #expect(found.isEmpty, "\(found.count) words:\n\(found.joined(separator: "\n"))")
  }

  private static let topFiles: Set = ["Containerfile", "Makefile", "Package.swift", "action.yml"]
}

@Suite
struct PlainWordsTests {
  private let words: PlainWords

  init() throws { words = try PlainWords(#"\bwho(ever)?\b"# + "\tthe subject\nsigns\tcharacters") }

  private func occurrences(in path: String, _ text: String) -> [String] {
    words.occurrences(in: SourceTree.File(path: path, text: text).texts)
      .map { "\($0.line): \($0.word): \($0.advice)" }
  }

  @Test
  func `words are found in comments, literals and names of tests`() {
    let text = ##"""
      // No
      // signs.

      /// The user
      /// Who

      /// Who is not a continuation.
      func `a user who is named`() {
        let signs = "one \(text("who", "\(who) x")) signs"
        let who = #"raw \(who) signs "quoted" \#("WHO")"# // signs
        let long = """
          A line,
          a \
          line with signs: \(join([
            "who",
          ])) whoever
          """
        let pattern = #/"who" // signs/#
        let other = 'x' /* signs */ + "\u{201C}signs\" who"
      }
      """##
    #expect(
      occurrences(in: "x.swift", text) == [
        "2: signs: characters",
        "5: Who: the subject",
        "7: Who: the subject",
        "7: Who: a noun phrase, or a third-person verb",
        "8: who: the subject",
        "9: who: the subject",
        "9: signs: characters",
        "10: WHO: the subject",
        "10: signs: characters",
        "10: who: the subject",
        "10: signs: characters",
        "14: signs: characters",
        "14: whoever: the subject",
        "15: who: the subject",
        "19: signs: characters",
        "19: who: the subject",
      ])
  }

  @Test
  func `code contains no comments and no texts of literals`() {
    let text = #"""
      let a = "x \(f("y")) z" // b
      let c = """
        d
        """ + #/"e" \/\/ f/# /* g
      h */ + `i j`
      """#
    let code = SourceTree.File(path: "x.swift", text: text).code.map { "\($0.number): \($0.text)" }
    #expect(
      code == [
        #"1: let a = "" "#, "2: let c = ", "3: ", ##"4: "" + #/"e" \/\/ f/# "##, "5:  + `i j`",
      ])
  }

  @Test
  func `words are not found in quoted data, addresses and blocks of code`() {
    let text = """
      /// Accepts 'who', `who signs`, and https://example.com/who but the user's signs' text.
      /// ```
      /// who()
      /// ```
      """
    #expect(occurrences(in: "x.swift", text) == ["1: signs: characters"])
    let page = """
      A paragraph of
      two lines: who.

          who

      ```
      who
      ```
      'who' signs.
      """
    #expect(
      occurrences(in: "x.md", page) == ["2: who: the subject", "9: signs: characters"])
  }

  @Test
  func `words are found in comments of scripts and in web files`() {
    let script = """
      #!/usr/bin/who
      who="x" # who
      # signs
      """
    #expect(
      occurrences(in: "x.sh", script) == ["2: who: the subject", "3: signs: characters"])
    let page = """
      const who = 'a who'; // signs
      /* who
         signs */ const signs = `one ${who}
         who` + "\\" signs";
      """
    #expect(
      occurrences(in: "x.js", page) == [
        "1: signs: characters", "1: who: the subject", "2: who: the subject",
        "3: signs: characters", "4: who: the subject", "4: signs: characters",
      ])
    #expect(
      occurrences(in: "x.css", ".who { content: 'who' } /* who */ who { }")
        == ["1: who: the subject"])
  }
}
