import SourceDiagnostics
import TestSupport
import Testing

@testable import Converting

/// The part of YAML that specs are written in.
@Suite struct YAMLTextTests {
  @Test(arguments: [
    ("a: b", #"{a:"b"}"#), ("a:\n  b: 1\n  c: true\n", "{a:{b:1,c:true}}"),
    ("- a\n- b", #"["a","b"]"#), ("a:\n- b\n- c\nd: e", #"{a:["b","c"],d:"e"}"#),
    ("a:\n  - b: c\n    d: e\n  - f", #"{a:[{b:"c",d:"e"},"f"]}"#),
    ("a: [b, 'c d', \"e\\n\", {f: g, h: [1, 2]}]", "{a:[\"b\",\"c d\",\"e\n\",{f:\"g\",h:[1,2]}]}"),
    ("# x\n---\na: b # c\n...\n", #"{a:"b"}"#), ("a: x#y", #"{a:"x#y"}"#),
    ("a: http://b.c/d", #"{a:"http://b.c/d"}"#), ("\"a b\": c\n'd': e", #"{a b:"c",d:"e"}"#),
    ("a: |\n  one\n   two\n\n  three\nb: c", "{a:\"one\n two\n\nthree\n\",b:\"c\"}"),
    ("a: >-\n  one\n  two\n\n  three\n", "{a:\"one two\nthree\"}"), ("a: |-\n  x\n", #"{a:"x"}"#),
    ("a: one\n  two\n  three\nb: c", #"{a:"one two three",b:"c"}"#),
    ("a: &x {b: c}\nd: *x", #"{a:{b:"c"},d:{b:"c"}}"#),
    ("a: &x\n  b: c\n  e: f\nd:\n  <<: *x\n  b: g", #"{a:{b:"c",e:"f"},d:{b:"g",e:"f"}}"#),
    ("a:\nb: c", #"{a:null,b:"c"}"#), ("a: ~", "{a:null}"), ("", "null"),
    ("a: 'it''s'", #"{a:"it's"}"#),
    ("a: \"one\n  two\"", #"{a:"one two"}"#), ("- - a\n  - b\n- c", #"[["a","b"],"c"]"#),
    ("-\n  a: b\n", #"[{a:"b"}]"#), ("a: [\n  b,\n  c, # d\n]\n", #"{a:["b","c"]}"#),
    ("a: {b: c,\n  d: e}", #"{a:{b:"c",d:"e"}}"#), ("a: -1.5\nb: 2.0.1", #"{a:-1.5,b:"2.0.1"}"#),
    ("a: $(SRCROOT)/x\nb: *.swift", ""), ("a: \"*.swift\"", #"{a:"*.swift"}"#),
    ("a: é\r\nb: c\r\n", #"{a:"é",b:"c"}"#),
  ])
  func `what specs use is read`(text: String, value: String) {
    let read = try? YAMLText.read(Array(text.utf8))
    #expect((read.map(PropertyListTests.shown) ?? "") == value)
  }

  @Test(arguments: [
    ("a:\n⟦m:\t⟧b: c", "a tab indents this line"), ("a: ⟦m:!⟧!str b", "tags of YAML are not read"),
    ("a: ⟦m:*⟧x", "nothing above is called '&x'"),
    ("a: ⟦m:\"⟧b", "a text without its second quote"),
    ("a: ⟦m:[⟧b, c", "this has no ']'"), ("⟦m:?⟧ a", "keys that begin with '?' are not read"),
    ("a: b\n  ⟦m:c: d⟧", ""), ("a: b\n⟦m:---⟧\nc: d", "a second document"),
    ("a:\n  b: c\n ⟦m:d⟧: e", "this is indented as nothing above it is"),
    ("a: [b ⟦m:{⟧c}]", "',' or ']' is missing here"), ("a: b\n⟦m:c⟧", "a key is missing here"),
    ("a: \"⟦m:\\⟧q\"", "this escape stands for nothing"),
    ("a: \"⟦m:\\⟧u+041\"", "'\\' needs 4 hexadecimal digits here"),
    ("a: \"⟦m:\\⟧x-1\"", "'\\' needs 2 hexadecimal digits here"),
  ])
  func `what is not read is refused where it is`(marked: String, reason: String) {
    let text = MarkedText(marked)
    do throws(Unreadable) {
      let value = try YAMLText.read(text.bytes)
      Issue.record("read \(PropertyListTests.shown(value))")
    } catch {
      if !reason.isEmpty {
        #expect(error.reason.text == reason)
        #expect(error.span.start == text.spans["m"]?.start, "\(error.span)")
      }
    }
  }

  @Test func `aliases of aliases are no trouble`() {
    var text = "a0: &a0 [x]\n"
    for index in 1..<60 { text += "a\(index): &a\(index) [*a\(index - 1), *a\(index - 1)]\n" }
    #expect(throws: Unreadable.self) { try YAMLText.read(Array(text.utf8)) }
  }
}
