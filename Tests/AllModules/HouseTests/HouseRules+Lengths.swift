import Testing

/// The rules for lengths of lines and of functions.
extension HouseRules {
  /// All files except those that `.ci/embed` generates from web files.
  private var written: [SourceTree.File] {
    (sources + tests).filter { !$0.path.hasSuffix("/WebFiles.swift") }
  }

  @Test
  func `no line is longer than 100 columns`() {
    let long = written.flatMap { file in
      file.lines.enumerated().filter { $0.element.utf8.count > 100 && $0.element.count > 100 }
        .map { "\(file.path):\($0.offset + 1)" }
    }
    #expect(long == [])
  }

  /// Files whose longest function is one loop over each byte of the input, with the state of the
  /// search in local variables.
  private static let loops: Set = [
    "Sources/Formats/LZFSE/Best/MatchTree.swift", "Sources/Formats/LZFSE/Best/OptimalParser.swift",
  ]

  @Test
  func `no function is longer than 60 lines`() {
    let text = """
        func first() {
          if true {
          }
        }

        func second() { }
        init(
          third: Int
        ) {

        }
        func fourth()
      }
      """
    let example = SourceTree.File(path: "x.swift", text: text)
    #expect(Self.functions(in: example).map(\.lines) == [4, 1, 5])
    let long = written.filter { !Self.loops.contains($0.path) }.flatMap { file in
      Self.functions(in: file).filter { $0.lines > 60 }
        .map { "\(file.path):\($0.start): \($0.lines) lines" }
    }
    #expect(long == [])
  }

  /// Returns the first line and the number of lines of each function that has a body.
  private static func functions(in file: SourceTree.File) -> [(start: Int, lines: Int)] {
    let code = file.code
    return code.indices.compactMap { index -> (start: Int, lines: Int)? in
      let (start, text) = code[index]
      guard text.contains("func") || text.contains("init"),
        text.contains(#/^ *(@?\w+(\([^)]*\))? )*(func\b|init[?(<])/#)
      else { return nil }
      if text.contains("{"), text.hasSuffix("}") { return (start, 1) }
      // The formatter aligns the closing brace with the first character.
      let indentation = Self.indentation(of: text)
      for (number, text) in code[(index + 1)...] {
        let own = text.drop { $0 == " " }
        guard !own.isEmpty, Self.indentation(of: text) <= indentation else { continue }
        if own.hasPrefix("}"), Self.indentation(of: text) == indentation {
          return (start, number - start + 1)
        }
        guard own.hasPrefix(")") || own.hasPrefix("{") || own.hasPrefix("where") else { return nil }
      }
      return nil
    }
  }

  private static func indentation(of text: String) -> Int { text.utf8.prefix { $0 == 0x20 }.count }
}
