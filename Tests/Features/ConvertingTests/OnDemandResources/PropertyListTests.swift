import AppSide
import Foundation
import Properties
import SourceDiagnostics
import TestSupport
import Testing

@testable import Converting

/// Property lists in all formats, and the errors of invalid ones.
@Suite struct PropertyListTests {
  private func read(_ bytes: [UInt8]) throws(Unreadable) -> PlacedValue {
    try OldPropertyList.read(bytes)
  }

  /// Returns a value on one line in the form of JSON, with data as digits.
  static func shown(_ value: PlacedValue) -> String {
    switch value.kind {
    case .string(let text): "\"\(text)\""
    case .number(let text): text
    case .bool(let bool): "\(bool)"
    case .date(let text): "date \(text)"
    case .data(let bytes): "<\(bytes.map { String(format: "%02x", $0) }.joined())>"
    case .null: "null"
    case .array(let elements): "[\(elements.map(shown).joined(separator: ","))]"
    case .dictionary(let members):
      "{\(members.map { "\($0.key):\(shown($0.value))" }.joined(separator: ","))}"
    }
  }

  @Test(arguments: [
    ("{}", "{}"), ("()", "[]"), ("a", #""a""#), ("\"\"", "\"\""),
    ("{a = b;}", #"{a:"b"}"#), ("{a = (b, c, );}", #"{a:["b","c"]}"#),
    ("{a = (b, c);}", #"{a:["b","c"]}"#), ("{a;}", #"{a:"a"}"#),
    ("// !$*UTF8*$!\n{a /* x */ = /* y */ b; // z\n}", #"{a:"b"}"#),
    (#"{"a b" = 'c "d"';}"#, #"{a b:"c "d""}"#),
    (
      #"("\"", "\\", "\n\t", "\101", "\U00e9", "\U2603")"#,
      "[\"\"\",\"\\\",\"\n\t\",\"A\",\"é\",\"☃\"]"
    ),
    // An octal escape is a NeXTSTEP character, and a surrogate pair is one character.
    (#"("\341", "\Ud83d\Ude00")"#, #"["Æ","😀"]"#),
    ("\"\\\u{e9}x\"", "\"éx\""), ("\"a\\\nb\"", "\"a\nb\""),
    ("<0a 0B\n0c>", "<0a0b0c>"), ("<>", "<>"),
    ("{p = a/b.c_$d-e:f;}", #"{p:"a/b.c_$d-e:f"}"#),
    ("{u = http://x.org/y;}", #"{u:"http://x.org/y"}"#),
    ("\u{FEFF}{}", "{}"), ("{ \u{2028} }", "{}"), ("{é = x;}", ""),
  ])
  func `the NeXTSTEP format is parsed like Apple's parser does`(text: String, value: String) {
    let read = try? read(Array(text.utf8))
    #expect((read.map(Self.shown) ?? "") == value)
  }

  @Test(arguments: [
    ("", "m", "the text ends where a value is expected"),
    ("{a = b⟦m:}⟧", "m", "expected ';' after the value of 'a'"),
    ("{a ⟦m:b⟧;}", "m", "expected '=' after the key 'a'"),
    ("(a ⟦m:b⟧)", "m", "expected ',' or ')'"),
    ("{a = ⟦m:\"⟧b;}", "m", "a string has no closing quote"),
    ("{a = b;} ⟦m:c⟧", "m", "unexpected 'c' after the property list"),
    ("⟦m:{⟧a = b;", "m", "this '{' has no '}'"), ("{a = ⟦m:(⟧b", "m", "this '(' has no ')'"),
    ("⟦m:/⟧* x", "m", "this comment has no '*/'"),
    ("{a = ⟦m:@⟧;}", "m", "unexpected '@' where a value is expected"),
    ("⟦m:<⟧*I5>", "m", "'<*' begins a GNUstep value, which is not supported"),
    ("⟦m:<⟧abc>", "m", "data requires two hexadecimal digits for each byte"),
    ("<a⟦m:x⟧>", "m", "unexpected 'x' among the hexadecimal digits of data"),
    ("{a = b;\n⟦m:<<<<<<<⟧ HEAD\n}", "m", "an unresolved merge conflict"),
    ("(a,\n⟦m:=======⟧\nb)", "m", "an unresolved merge conflict"),
    ("{a = ⟦m:é⟧;}", "m", "unexpected 'é' where a value is expected"),
  ])
  func `an invalid text is an error at its place`(marked: String, mark: String, reason: String) {
    let text = MarkedText(marked)
    do throws(Unreadable) {
      let value = try read(text.bytes)
      Issue.record("read \(Self.shown(value))")
    } catch {
      #expect(error.reason.text == reason)
      if let span = text.spans[mark] { #expect(error.span.start == span.start, "\(error.span)") }
      #expect(!error.remedy.text.isEmpty)
    }
  }

  @Test func `nesting and the number of values are limited`() {
    for opening in ["(", "{a="] {
      let text = String(repeating: opening, count: 1_000_000)
      #expect(throws: Unreadable.self) { try OldPropertyList.read(Array(text.utf8)) }
    }
    let xml = "<plist>" + String(repeating: "<array>", count: 100_000)
    #expect(throws: Unreadable.self) { try XMLPropertyList.read(Array(xml.utf8)) }
  }

  // MARK: XML, JSON, binary

  @Test(arguments: [
    ("<plist><dict/></plist>", "{}"), ("<plist><array></array></plist>", "[]"),
    (
      "<?xml version=\"1.0\"?><!DOCTYPE plist><!-- x --><plist version=\"1.0\"><true/></plist>",
      "true"
    ),
    (
      "<plist><dict><key>a</key><string>b &amp; &#233;&#x2603;</string></dict></plist>",
      #"{a:"b & é☃"}"#
    ),
    (
      "<plist><array><integer>-3</integer><real>0.5</real><false></false></array></plist>",
      "[-3,0.5,false]"
    ),
    ("<plist><string><![CDATA[<a>]]>b<!-- c --></string></plist>", #""<a>b""#),
    ("<plist><data>AAEC\n/w==</data></plist>", "<000102ff>"),
    ("<plist><string/></plist>", "\"\""),
  ])
  func `XML is parsed with the places of values`(text: String, value: String) throws {
    #expect(Self.shown(try XMLPropertyList.read(Array(text.utf8))) == value)
  }

  @Test(arguments: [
    (
      "<plist><dict><key>a</key>⟦m:</dict>⟧</plist>",
      "unexpected '</dict>' where a value is expected"
    ),
    (
      "<plist><dict>⟦m:<string>⟧b</string></dict></plist>",
      "unexpected '<string>' where a key is expected"
    ),
    ("<plist><string>⟦m:&nope;⟧</string></plist>", "'&nope;' is an unknown entity"),
    ("<plist><string>⟦m:&#x+41;⟧</string></plist>", "'&#x+41;' is an unknown entity"),
    ("<plist><string>⟦m:&#-65;⟧</string></plist>", "'&#-65;' is an unknown entity"),
    ("⟦m:<html>⟧</html>", "'html' is not a property list"),
    ("<plist>⟦m:<set>⟧</set></plist>", "unexpected '<set>' where a value is expected"),
    ("<plist><array>⟦m:x⟧</array></plist>", "unexpected 'x' in an array that is not closed"),
    ("<!DOCTYPE plist [<⟦m:⟧", "expected '>'"),
  ])
  func `invalid XML is an error at its place`(marked: String, reason: String) {
    let text = MarkedText(marked)
    do throws(Unreadable) {
      let value = try XMLPropertyList.read(text.bytes)
      Issue.record("read \(Self.shown(value))")
    } catch {
      #expect(error.reason.text == reason)
      if reason.hasPrefix("'<") || reason.hasPrefix("'&") {
        #expect(error.span == text.spans["m"])
      }
    }
  }

  @Test func `a list has the same value in every format`() throws {
    let list: [String: Any] = [
      "rootObject": "P", "objects": ["P": ["isa": "PBXProject", "targets": ["T", "é \"q\"\n"]]],
    ]
    let old = """
      // !$*UTF8*$!
      { objects = { P = { isa = PBXProject; targets = (T, "\\U00e9 \\"q\\"\\n", ); }; }; \
      rootObject = P; }
      """
    var forms = [
      Array(old.utf8),
      Array(try JSONSerialization.data(withJSONObject: list, options: .sortedKeys)),
    ]
    for format in [PropertyListSerialization.PropertyListFormat.xml, .binary] {
      forms.append(
        Array(
          try PropertyListSerialization.data(fromPropertyList: list, format: format, options: 0)))
    }
    #expect(forms.map { PropertyListText.format(of: $0) } == [.old, .json, .xml, .binary])
    for bytes in forms {
      var findings = Ledger()
      let value = PropertyListText.read(
        SourceText(bytes, named: "p"), into: &findings)
      #expect(findings.isEmpty)
      let members = value?["objects"]?["P"]?["targets"]?.texts.map(\.text)
      #expect(members == ["T", "é \"q\"\n"])
      #expect(value?["rootObject"]?.text == "P")
    }
  }

  @Test func `numbers, dates and data of a binary list are kept`() throws {
    let list: [String: Any] = [
      "n": -5, "r": 0.95, "big": UInt64.max, "t": true, "d": Data([1, 2]), "u": "ü",
      "when": Date(timeIntervalSince1970: 0),
    ]
    let bytes = try PropertyListSerialization.data(
      fromPropertyList: list, format: .binary, options: 0)
    var findings = Ledger()
    let value = PropertyListText.read(
      SourceText(Array(bytes), named: "p"), into: &findings)
    #expect(
      value.map(Self.shown)
        == "{big:18446744073709551615,d:<0102>,n:-5,r:0.95,t:true,u:\"ü\",when:date "
        + "1970-01-01T00:00:00Z}"
    )
  }

  @Test func `a text in UTF-16, a damaged binary and a huge text are errors with a remedy`() {
    for bytes in [
      [0xFF, 0xFE, 0x7B, 0], Array("bplist00nonsense".utf8), Array("{\"objects\": {".utf8),
    ] {
      var findings = Ledger()
      let value = PropertyListText.read(
        SourceText(bytes, named: "p"), into: &findings)
      #expect(value == nil)
      #expect(findings.hasErrors)
    }
  }

  @Test func `a value that is written again is unchanged`() throws {
    let project = try Data(
      contentsOf: Checkout.file("Examples/Lantern/Lantern.xcodeproj/project.pbxproj"))
    let value = try OldPropertyList.read(Array(project))
    #expect(try OldPropertyList.read(Array(OnDemandProperties.written(value).utf8)) == value)
  }

  @Test(.heavy)
  func `a hundred thousand lines are parsed in each format`() throws {
    var old = "// !$*UTF8*$!\n{ rootObject = P; objects = {\n"
    var xml = "<plist>\n<dict>\n<key>rootObject</key><string>P</string><key>objects</key>\n<dict>\n"
    var json = "{\"rootObject\": \"P\", \"objects\": {\n"
    for index in 0..<100_000 {
      old += """
        \t\tB\(index) /* map \(index).json in Resources */ = {isa = PBXBuildFile; fileRef = \
        F\(index) \
        /* map \(index).json */; settings = {ASSET_TAGS = (level\(index % 100), ); }; };\n
        """
      xml += """
        <key>B\(index)</key><dict><key>isa</key><string>PBXBuildFile</string><key>fileRef</key>\
        <string>F\(index)</string></dict>\n
        """
      json += "\"B\(index)\": {\"isa\": \"PBXBuildFile\", \"fileRef\": \"F\(index)\"},\n"
    }
    let project = "P = { isa = PBXProject; targets = (T); mainGroup = G; }; }; }"
    let texts = [
      old + project,
      xml
        + "<key>P</key><dict><key>isa</key><string>PBXProject</string></dict>"
        + "</dict></dict></plist>",
      json + "\"P\": {\"isa\": \"PBXProject\"}}}",
    ].map { SourceText(Array($0.utf8), named: "p") }
    for text in texts {
      var findings = Ledger()
      let list = try #require(PropertyListText.read(text, into: &findings))
      _ = try XcodeProject(list)
      #expect(findings.isEmpty)
    }
  }
}
