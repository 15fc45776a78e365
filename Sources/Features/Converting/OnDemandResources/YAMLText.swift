package import SourceDiagnostics
import SystemIO
import TerminalText
import YAMLEvents

/// A parser for YAML as XcodeGen specs use it, with the place of each value.
///
/// libyaml parses the text, and this type interprets the events. Tags, keys that are not strings,
/// and several documents are errors.
package struct YAMLText {
  private let events: YAMLEvents
  private var count = 0
  private var anchors: [String: (value: PlacedValue, count: Int)] = [:]

  /// Parses a text and returns its value.
  package static func read(_ bytes: [UInt8]) throws(Unreadable) -> PlacedValue {
    func refusal(_ reason: Finding.Message, _ remedy: Finding.Message) -> Unreadable {
      Unreadable(SourceSpan(0, min(1, bytes.count)), reason, remedy: remedy)
    }
    guard bytes.count <= ReadingLimits.bytes else {
      throw refusal("it has more than \(ReadingLimits.bytes >> 20) MiB", "use a smaller file")
    }
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw refusal("the text is not UTF-8", "save it as UTF-8")
    }
    let events: YAMLEvents
    do throws(Failure) {
      events = try YAMLEvents(bytes)
    } catch {
      throw refusal(
        "cannot open libyaml, which is required to read YAML",
        "install libyaml; on Debian and Ubuntu, the package is libyaml-0-2")
    }
    var reader = YAMLText(events: events)
    return try reader.document()
  }

  private init(events: YAMLEvents) { self.events = events }

  private func nextEvent() throws(Unreadable) -> YAMLEvent {
    do throws(YAMLFault) {
      return try events.next()
    } catch {
      let span = SourceSpan(error.place.lowerBound, error.place.upperBound)
      if error.isTab {
        throw Unreadable(span, "this line is indented with a tab", remedy: "indent with spaces")
      }
      throw Unreadable(
        span, .init(whole: error.problem),
        remedy: "fix the indentation, or put the text in quotes")
    }
  }

  private mutating func document() throws(Unreadable) -> PlacedValue {
    var value: PlacedValue?
    while true {
      let event = try nextEvent()
      switch event.kind {
      case .beginning, .endOfDocument: continue
      case .endOfText: return value ?? PlacedValue(.null, at: SourceSpan(0, 0))
      case .scalar, .alias, .list, .mapping, .end:
        guard value == nil else {
          throw Unreadable(
            event.span, "the file contains a second document",
            remedy: "put each spec into a separate file")
        }
        value = try node(event, depth: 1)
      }
    }
  }

  // MARK: Values

  private mutating func node(_ event: YAMLEvent, depth: Int) throws(Unreadable) -> PlacedValue {
    count += 1
    guard count <= PlacedValue.countLimit, depth <= PlacedValue.depthLimit else {
      throw Self.tooLarge(event)
    }
    guard event.tag == nil else {
      throw Unreadable(
        event.span, "YAML tags are not supported", remedy: "write the value without '!'")
    }
    let start = count
    let value: PlacedValue
    switch event.kind {
    case .scalar(let text, let isPlain):
      value = PlacedValue(isPlain ? Self.kind(of: text) : .string(text), at: event.span)
    case .alias(let name): value = try alias(name, event)
    case .list: value = try list(event, depth)
    case .mapping: value = try mapping(event, depth)
    case .end, .beginning, .endOfDocument, .endOfText:
      throw Unreadable(event.span, "a value is missing", remedy: "complete the file")
    }
    if let anchor = event.anchor { anchors[anchor] = (value, count - start) }
    return value
  }

  private mutating func list(_ event: YAMLEvent, _ depth: Int) throws(Unreadable) -> PlacedValue {
    var elements: [PlacedValue] = []
    while true {
      let next = try nextEvent()
      if case .end = next.kind {
        return PlacedValue(
          .array(elements), at: Self.span(event, elements.last?.span.end, next))
      }
      elements.append(try node(next, depth: depth + 1))
    }
  }

  private mutating func mapping(
    _ event: YAMLEvent, _ depth: Int
  ) throws(Unreadable) -> PlacedValue {
    var members: [PlacedValue.Member] = []
    var merged: [PlacedValue] = []
    var end: Int?
    while true {
      let next = try nextEvent()
      if case .end = next.kind {
        Self.merge(merged, into: &members)
        return PlacedValue(.dictionary(members), at: Self.span(event, end, next))
      }
      let key = try keyText(next, depth)
      let value = try node(try nextEvent(), depth: depth + 1)
      end = value.span.end
      if key == "<<" {
        merged += value.elements.isEmpty ? [value] : value.elements
      } else {
        members.append(.init(key: key, keySpan: next.span, value: value))
      }
    }
  }

  /// Returns the text of a key as written.
  private mutating func keyText(_ event: YAMLEvent, _ depth: Int) throws(Unreadable) -> String {
    if case .scalar(let text, _) = event.kind, event.tag == nil {
      _ = try node(event, depth: depth + 1)
      return text
    }
    let isAlias = if case .alias = event.kind { true } else { false }
    guard isAlias, let text = try node(event, depth: depth + 1).text else {
      throw Unreadable(event.span, "a key is not a string", remedy: "write 'key: value'")
    }
    return text
  }

  /// Returns the place of a list or mapping; without brackets it ends with its last value.
  private static func span(_ start: YAMLEvent, _ last: Int?, _ end: YAMLEvent) -> SourceSpan {
    let end = start.isFlow ? end.span.end : last ?? start.span.end
    return SourceSpan(start.span.start, max(start.span.start, end))
  }

  /// Adds the missing members from other mappings.
  private static func merge(_ others: [PlacedValue], into members: inout [PlacedValue.Member]) {
    guard !others.isEmpty else { return }
    var keys = Set(members.map(\.key))
    for member in others.flatMap(\.members) where keys.insert(member.key).inserted {
      members.append(member)
    }
  }

  private mutating func alias(_ name: String, _ event: YAMLEvent) throws(Unreadable) -> PlacedValue
  {
    guard let anchor = anchors[name] else {
      throw Unreadable(
        event.span, "'&\(name)' is not defined", remedy: "define it before it is used")
    }
    count += anchor.count
    guard count <= PlacedValue.countLimit else { throw Self.tooLarge(event) }
    return anchor.value
  }

  private static func tooLarge(_ event: YAMLEvent) -> Unreadable {
    Unreadable(
      event.span, "it is nested too deeply, or has too many values",
      remedy: "use an XcodeGen spec")
  }

  /// Returns the meaning of an unquoted text.
  private static func kind(of text: String) -> PlacedValue.Kind {
    switch text {
    case "", "~", "null", "Null", "NULL": return .null
    case "true", "True", "TRUE", "yes", "Yes", "YES", "on", "On", "ON": return .bool(true)
    case "false", "False", "FALSE", "no", "No", "NO", "off", "Off", "OFF": return .bool(false)
    default:
      let isNumber = text.utf8.allSatisfy {
        $0.isDigit || "+-.".utf8.contains($0)
      }
      return isNumber && Double(text) != nil ? .number(text) : .string(text)
    }
  }
}

extension YAMLEvent {
  fileprivate var span: SourceSpan { SourceSpan(place.lowerBound, place.upperBound) }
}
