import SourceDiagnostics
import SystemIO
import TestSupport
import Testing

@testable import Converting

/// The subset of YAML that specs use.
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
    ("a: \"*.swift\"", #"{a:"*.swift"}"#),
    ("a: é\r\nb: c\r\n", #"{a:"é",b:"c"}"#),
  ])
  func `the syntax of specs is parsed`(text: String, value: String) {
    let read = try? YAMLText.read(Array(text.utf8))
    #expect((read.map(PropertyListTests.shown) ?? "") == value)
  }

  @Test(arguments: [
    ("a:\n⟦m:\t⟧b: c", "this line is indented with a tab"),
    ("a: ⟦m:!⟧!str b", "YAML tags are not supported"),
    ("a: ⟦m:*⟧x", "'&x' is not defined"),
    (
      "a: $(SRCROOT)/x\nb: *⟦m:.⟧swift",
      "did not find expected alphabetic or numeric character, while scanning an alias"
    ),
    ("a: ⟦m:\"⟧b", "found unexpected end of stream, while scanning a quoted scalar"),
    ("a: [b, c⟦m:⟧", "did not find expected ',' or ']', while parsing a flow sequence"),
    ("? ⟦m:[⟧a]\n: b", "a key is not a string"),
    ("a: b⟦m::⟧ c", "mapping values are not allowed in this context"),
    ("é: ö\nü: b⟦m::⟧ c", "mapping values are not allowed in this context"),
    ("\u{FEFF}é: b⟦m::⟧ c", "mapping values are not allowed in this context"),
    ("a: b\n  c⟦m::⟧ d", "mapping values are not allowed in this context"),
    ("a: b\nc: d\n---\n⟦m:e⟧: f", "the file contains a second document"),
    ("a:\n  b: c\n ⟦m:d⟧: e", "did not find expected key, while parsing a block mapping"),
    ("a: [b ⟦m:{⟧c}]", "did not find expected ',' or ']', while parsing a flow sequence"),
    ("a: b\nc⟦m:⟧", "could not find expected ':', while scanning a simple key"),
    ("a: \"⟦m:\\⟧q\"", "found unknown escape character, while parsing a quoted scalar"),
    (
      "a: \"\\u⟦m:+⟧041\"", "did not find expected hexdecimal number, while parsing a quoted scalar"
    ),
    ("a: \"\\x⟦m:-⟧1\"", "did not find expected hexdecimal number, while parsing a quoted scalar"),
  ])
  func `unsupported syntax is an error at its place`(marked: String, reason: String) {
    let text = MarkedText(marked)
    do throws(Unreadable) {
      let value = try YAMLText.read(text.bytes)
      Issue.record("read \(PropertyListTests.shown(value))")
    } catch {
      #expect(error.reason.text == reason)
      #expect(error.span.start == text.spans["m"]?.start, "\(error.span)")
    }
  }

  @Test func `values and keys have their places, in texts with any letters`() throws {
    let text = MarkedText("é:\n  - ⟦a:ö ü⟧ # ä\n  - ⟦b:\"x\"⟧\n⟦k:ß⟧: ⟦c:{n: [1]}⟧\n")
    let value = try YAMLText.read(text.bytes)
    let list = value["é"]?.elements ?? []
    #expect(list.map(\.span) == [text.spans["a"], text.spans["b"]])
    #expect(value["ß"]?.span == text.spans["c"])
    #expect(value.members.last?.keySpan == text.spans["k"])
  }

  @Test func `without libyaml, a spec is an error with the name of the package`() {
    let refused: Unreadable? = ForcedFailures.inject(.always(.load, 79)) {
      do throws(Unreadable) {
        _ = try YAMLText.read(Array("a: b".utf8))
        return nil
      } catch {
        return error
      }
    }
    #expect(refused?.reason.text.contains("libyaml") == true)
    #expect(refused?.remedy.text.contains("package is libyaml-0-2") == true)
  }

  @Test func `aliases of aliases are limited`() {
    var text = "a0: &a0 [x]\n"
    for index in 1..<60 { text += "a\(index): &a\(index) [*a\(index - 1), *a\(index - 1)]\n" }
    #expect(throws: Unreadable.self) { try YAMLText.read(Array(text.utf8)) }
  }
}
