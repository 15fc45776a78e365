import TerminalText
import TestSupport
import Testing

@Suite struct HTMLTests {
  @Test func `a text is shown and escaped, and HTML is inserted unchanged`() {
    let name = hostileText
    let html: HTML = "<p title=\"\(name)\">\(name)\("<br>" as HTML)</p>"
    let escaped = "&lt;b&gt;&amp;&quot;&#39;\\u{200F}"
    #expect(html.text == "<p title=\"\(escaped)\">\(escaped)<br></p>")
    #expect(("<i>" + ("\(name[...])" as HTML)).text == "<i>" + escaped)
  }

  @Test func `numbers, sequences, conditions and nil are inserted`() {
    let items = ["a", "<"].map { item -> HTML in "<li>\(item)</li>" }
    let none: HTML? = nil
    let html: HTML = """
      \(items)|\(items, separator: ", ")|\("<hr>", if: true)\("<br>", if: false)\(none)\(42)\
      \(UInt64.max)
      """
    #expect(
      html.text
        == "<li>a</li><li>&lt;</li>|<li>a</li>, <li>&lt;</li>|<hr>4218446744073709551615")
  }

  @Test func `data of a script cannot end the script`() {
    let json = Array(#"{"a":"</script><!--"}"#.utf8)
    #expect(HTML(scriptData: json).text == #"{"a":"\u003c/script>\u003c!--"}"#)
  }

  @Test(arguments: ["http://127.0.0.1:8480", "https://a.example/?x=<b>", "HTTPS://a.example/"])
  func `a page links to addresses of servers`(address: String) throws {
    let target = try #require(LinkTarget(address))
    let link = HTML.link(to: target, "<b>\(target)</b>").text
    let escaped = ("\(address)" as HTML).text
    #expect(link == "<a href=\"\(escaped)\"><b>\(escaped)</b></a>")
  }

  @Test(arguments: [
    "", "//a", "/a", "javascript:alert(1)", "data:text/html,x", "http:a", " http://a",
  ])
  func `a page has no external links`(address: String) {
    #expect(LinkTarget(address) == nil)
  }
}
