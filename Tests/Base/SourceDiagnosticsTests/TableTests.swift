import SourceDiagnostics
import TestSupport
import Testing

private struct Point: Equatable, Described {
  var x = 0
  var name: String?

  static let table = Table("a point", blank: Point()) {
    Key("x", \.x, .count, "The distance.")
    Key("name", \.name, .text, "The name.")
  }
}

private enum Shape: Equatable, Sendable {
  case nothing
  case line(Point)
  case circle(Int)

  var end: Point? { if case .line(let end) = self { end } else { nil } }
  var radius: Int? { if case .circle(let radius) = self { radius } else { nil } }
}

private enum Colour: String, CaseIterable, Sendable { case red, green }

private struct Drawing: Equatable, Described {
  var title = ""
  var colour = Colour.red
  var scale = 1
  var origin = Point()
  var shape = Shape.nothing
  var points: [Point] = []
  var note: String?

  static let table = Table("a drawing", blank: Drawing()) {
    Key("title", \.title, .text, "The title.")
    Key("colour", \.colour, .word, "The colour.")
    Key("scale", \.scale, .integer(in: 1...9), is: .optional, "The scale.")
    Key(inlined: \.origin)
    Key(cases: "shape", \.shape, "The shape.") {
      Case("nothing", .nothing)
      Case("line", Shape.line, \.end, blank: Point()) {
        Key("end", \.self, .object, "The end of the line.")
      }
      Case("circle", Shape.circle, \.radius, blank: 0) {
        Key("radius", \.self, .count, "The radius.")
      }
    }
    Key("note", \.note, .nullable(.text), is: .optional, "A note.")
    Key(
      "points", rows: Point.table, "The points.", each: { $0.points.forEach($1) },
      add: { point, _, drawing, _ in drawing.points.append(point) })
  }

  static let sample = Drawing(
    title: "T", colour: .green, scale: 2, origin: Point(x: 3, name: "o"), shape: .circle(4),
    points: [Point(x: 1), Point(x: 2, name: "p")], note: "n")
}

private struct Window: Described {
  var title: String?
  var hasFrame = false
  var width: Int?
  var places: [String: SourceSpan] = [:]

  static let frame = Table<Window>("a frame", blank: Window(), unknown: .refused) {
    Key("width", \.width, .count, "The width.")
  }

  static let table = Table("a window", blank: Window(), placing: { $2.places[$0] = $1 }) {
    Key("title", \.title, .text, "The title.")
    Key(
      JSONKey("frame", .record(frame.record), is: .optional, "The frame."), part: frame,
      isPresent: \Window.hasFrame)
  }
}

struct TableTests {
  private func read(_ text: String) -> (Drawing?, [String]) {
    let source = SourceText(Array(text.utf8), named: "drawing.json")
    var findings = Ledger(about: source)
    let document = JSONDocument(parsing: source)
    let drawing = document.root.flatMap { Drawing.table.read($0, into: &findings) }
    return (drawing, findings.all.map(\.message))
  }

  private let start = #"{"title": "T", "colour": "red", "x": 1, "shape": "nothing", "points": []"#

  @Test func `each property of a document is written and read`() throws {
    try expectRoundTrip(Drawing.sample)
    var line = Drawing.sample
    line.shape = .line(Point(x: 7))
    try expectRoundTrip(line)
  }

  @Test func `long lists have a line for each element`() {
    #expect(
      String(decoding: Drawing.table.lines(of: .sample), as: UTF8.self) == """
        {
        "title":"T",
        "colour":"green",
        "scale":2,
        "x":3,
        "name":"o",
        "shape":"circle",
        "radius":4,
        "note":"n",
        "points":[
        {"x":1},
        {"x":2,"name":"p"}]
        }

        """)
  }

  @Test func `the members of a part are properties of the whole`() throws {
    #expect(Window.table.name(of: \.title) == "title")
    #expect(Window.table.name(of: \.width) == "frame.width")
    #expect(Window.table.name(of: \.hasFrame) == nil)
    let text = #"{"title":"T","frame":{"width":3}}"#
    let source = SourceText(Array(text.utf8), named: "window.json")
    var findings = Ledger(about: source)
    let root = try #require(JSONDocument(parsing: source).root)
    var window = try #require(Window.table.read(root, into: &findings))
    #expect(window.width == 3 && window.hasFrame && findings.isEmpty)
    #expect(window.places["title"] == SourceSpan(9, 12))
    #expect(String(decoding: Window.table.bytes(of: window, .compact), as: UTF8.self) == text)
    window = Window(hasFrame: true)
    #expect(Window.table.bytes(of: window, .compact) == Array(#"{"frame":{}}"#.utf8))
    #expect(Window.table.bytes(of: Window(), .compact) == Array("{}".utf8))
  }

  @Test func `absent members have their default value, and unknown members are ignored`() {
    let (drawing, findings) = read(start + #", "other": [1]}"#)
    #expect(drawing == Drawing(title: "T", origin: Point(x: 1)))
    #expect(findings == [])
  }

  @Test(arguments: [
    (#", "scale": 10}"#, "'scale' must be a whole number from 1 to 9, not '10'"),
    (#", "scale": "a"}"#, "'scale' must be a whole number, not a string"),
    (#", "name": 1}"#, "'name' must be a string, not a number"),
  ])
  func `a wrong value is a finding`(_ rest: String, _ message: String) {
    #expect(read(start + rest).1 == [message])
  }

  @Test func `a constant member has one value`() throws {
    let table = Table("a form", blank: Point()) { Key(constant: "kind", "point", "The kind.") }
    let source = SourceText(Array(#"{"kind": "line"}"#.utf8), named: "form.json")
    var findings = Ledger(about: source)
    let root = try #require(JSONDocument(parsing: source).root)
    _ = table.read(root, into: &findings)
    #expect(findings.hasErrors)
    #expect(findings.all.map(\.message) == ["'kind' must be 'point', not 'line'"])
    #expect(
      String(decoding: table.bytes(of: Point(), .compact), as: UTF8.self) == #"{"kind":"point"}"#)
  }

  @Test func `a missing member, an unknown value and a wrong element are findings`() {
    let (drawing, findings) = read(
      #"{"colour": "blue", "x": 1, "shape": "oval", "points": [{"x": -1}]}"#)
    #expect(drawing == nil)
    #expect(
      findings.sorted() == [
        "'colour' must be 'red' or 'green', not 'blue'",
        "'shape' must be 'nothing', 'line' or 'circle', not 'oval'",
        "'x' must be a whole number from 0, not '-1'", "a drawing must contain the key 'title'",
      ])
  }

  @Test func `a case needs its own members`() {
    let (drawing, findings) = read(
      #"{"title": "T", "colour": "red", "x": 1, "shape": "circle", "points": []}"#)
    #expect(drawing == nil)
    #expect(findings == ["an object must contain the key 'radius'"])
  }

  @Test func `the schema has the members of properties, cases and elements`() throws {
    let schema = JSONWriter.string(Drawing.table.schema(title: "Drawing"), .compact)
    let shape = #"{"shape":{"description":"The shape.","enum":["nothing"]}}"#
    #expect(
      schema.contains(
        #""allOf":[{"oneOf":[{"type":"object","properties":\#(shape),"required":["shape"]}"#))
    #expect(schema.contains(#""required":["title","colour","x","points"]"#))
    #expect(!schema.contains("additionalProperties"))
  }
}
