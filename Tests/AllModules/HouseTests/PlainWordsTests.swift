import Testing

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
        #"1: let a = "" "#, "2: let c = ", ##"4: "" + #/"e" \/\/ f/# "##, "5:  + `i j`",
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
    let python = """
      \"\"\"A user who

      signs.\"\"\"
      who = 1
          \"\"\"Who.\"\"\"
      x = "signs" # signs
      """
    #expect(
      occurrences(in: "x.py", python) == [
        "1: who: the subject", "3: signs: characters", "5: Who: the subject",
        "6: signs: characters",
      ])
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
