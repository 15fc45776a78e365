import TerminalText
import Testing

@Suite struct TextTableTests {
  @Test
  func `columns are as wide as their widest cells, and end without spaces`() {
    var table = TextTable([.left, .right])
    table.add("a", "1", "first")
    table.add("longer", "1,000", "")
    table.add("b", "20")
    #expect(table.lines == ["a           1  first", "longer  1,000", "b          20"])
  }

  @Test
  func `a wide character has two columns, and a combining mark has none`() {
    var table = TextTable()
    table.add("語", "x")
    table.add("cafe\u{301}", "x")
    table.add("\u{1F1E9}\u{1F1EA}", "x")
    #expect(table.lines == ["語    x", "cafe\u{301}  x", "\u{1F1E9}\u{1F1EA}    x"])
  }

  @Test
  func `a cell wider than the limit moves only its own row`() {
    var table = TextTable(widest: 4)
    table.add("123456", "x")
    table.add("1", "x")
    #expect(table.lines == ["123456  x", "1     x"])
  }

  @Test
  func `cells are escaped before they are measured`() {
    var table = TextTable()
    table.add("a\u{1B}b", "x")
    table.add("a", "x")
    #expect(table.lines == ["a\\x1Bb  x", "a       x"])
  }

  @Test
  func `a table without rows has no lines`() {
    #expect(TextTable().lines.isEmpty)
  }

  @Test
  func `a text is padded on the side of its alignment, and never cut`() {
    #expect("12".padded(to: 4) == "12  ")
    #expect("12".padded(to: 4, .right) == "  12")
    #expect("12345".padded(to: 4) == "12345")
    #expect("12".padded(to: -1) == "12")
  }
}
