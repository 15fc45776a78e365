import SystemIO

/// The error in the text of a fault.
package struct FaultMistake: Error, Sendable, Equatable {
  package let reason: String
  /// The range of the wrong characters; nil if the whole text is wrong.
  package var place: Range<Int>?
  /// The single faults, if the text contains several.
  package var parts: [String] = []

  init(_ reason: String) { self.reason = reason }
}

extension FaultScope {
  /// The longest text of a fault that is read, in bytes.
  fileprivate static let longestText = 4096
}

extension Fault {
  /// Parses `[METHOD] SUBJECT: KIND [VALUE] [once|twice|N times|call N|calls N-M]`.
  ///
  /// The last `:` ends the subject, because the ID of a pack can contain a colon.
  package init(parsing text: String) throws(FaultMistake) {
    let scope = Effect.scope
    guard text.utf8.count <= FaultScope.longestText else {
      throw FaultMistake("the text of a fault has at most \(FaultScope.longestText) bytes")
    }
    guard let colon = text.lastIndex(of: ":") else {
      throw FaultMistake("expected \(scope.form)")
    }
    let subject = text[..<colon].trimmed
    guard !subject.isEmpty else {
      throw FaultMistake("the subject before ':' is missing: expected \(scope.form)")
    }
    if let mistake = scope.severalFaults(in: text, before: colon) { throw mistake }
    var parts = text[text.index(after: colon)...].split(separator: " ").map(String.init)
    let turns = try FaultTurns(removedFrom: &parts)
    guard let name = parts.first else {
      throw FaultMistake("the fault after ':' is missing; \(scope.list)")
    }
    guard let kind = FaultKind.named(name) else { throw scope.unknownFault(name) }
    var values = FaultValues(kind, parts.dropFirst())
    guard let effect = try Effect.read(kind, &values) else { throw scope.unknownFault(name) }
    try values.end()
    self.init(try Effect.Subject(parsing: subject), effect, turns)
    guard self.subject.canHave(faultsOn: routes) else {
      throw FaultMistake("'\(name)' applies to the manifest only: 'manifest: \(name)'")
    }
  }
}

extension DownloadSubject {
  package init(parsing text: String) throws(FaultMistake) {
    guard let pattern = FaultPattern(text) else {
      throw FaultMistake(
        "'\(text)' is not a pattern: '[' has no end, or no character follows '\\'")
    }
    self.pattern = pattern
  }
}

extension ServiceSubject {
  package init(parsing text: String) throws(FaultMistake) {
    let parts = text.split(separator: " ").map(String.init)
    guard parts.count == 2 else {
      throw FaultMistake("expected \(FaultScope.service.form)")
    }
    guard let method = Method(rawValue: parts[0]) else {
      let methods = Method.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
      throw FaultMistake("unknown method '\(parts[0])'; expected one of \(methods)")
    }
    guard parts[1].hasPrefix("/") || parts[1].hasPrefix("*"), let pattern = FaultPattern(parts[1])
    else {
      throw FaultMistake("'\(parts[1])' is not a pattern for paths such as '/v1/apps/*'")
    }
    self.method = method
    self.pattern = pattern
  }
}

extension FaultTurns {
  /// Removes `once`, `twice`, `5 times`, `call 3` or `calls 3-5` from the end.
  fileprivate init(removedFrom parts: inout [String]) throws(FaultMistake) {
    func number(_ text: (some StringProtocol)?, _ example: String) throws(FaultMistake) -> Int {
      guard let number = text.flatMap({ Int($0) }), number > 0 else {
        throw FaultMistake("expected a positive number, for example '\(example)'")
      }
      return number
    }
    self = .always
    switch parts.last {
    case "once":
      parts.removeLast()
      self = .first(1)
    case "twice":
      parts.removeLast()
      self = .first(2)
    case "times":
      parts.removeLast()
      self = .first(try number(parts.popLast(), "5 times"))
    case let last?:
      switch parts.dropLast().last {
      case "call":
        let call = try number(last, "call 3")
        self = .calls(call...call)
      case "calls":
        let ends = last.split(separator: "-")
        let (first, last) = (
          try number(ends.first, "calls 3-5"), try number(ends.last, "calls 3-5")
        )
        guard ends.count == 2, first <= last else {
          throw FaultMistake("expected the first and the last call, for example 'calls 3-5'")
        }
        self = .calls(first...last)
      default: return
      }
      parts.removeLast(2)
    case nil: return
    }
  }
}

extension FaultScope {
  fileprivate var list: String {
    "a fault is one of \(examples.map { "'\($0)'" }.joined(separator: ", "))"
  }

  fileprivate func unknownFault(_ name: String) -> FaultMistake {
    FaultMistake("unknown fault '\(name)'; \(list)")
  }

  /// Returns the mistake of a text that contains several faults; nil for a single fault.
  ///
  /// Without this check, the first faults would be read as the subject of the last one.
  fileprivate func severalFaults(in text: String, before colon: String.Index) -> FaultMistake? {
    let subject = text[..<colon]
    for separator in subject.indices where [",", ";", "\n"].contains(subject[separator]) {
      let first = subject[..<separator]
      // An ID can also contain a colon.
      guard let inner = first.lastIndex(of: ":"),
        let name = first[first.index(after: inner)...].split(separator: " ").first,
        kinds.contains(where: { $0.name == name })
      else { continue }
      let rest = text[text.index(after: separator)...]
      var mistake = FaultMistake(
        "expected one fault; a second one starts after '\(text[separator])'")
      let start = text.distance(from: text.startIndex, to: separator)
      mistake.place = start..<start + 1
      mistake.parts = [first.trimmed] + parts(of: rest.trimmed)
      return mistake
    }
    return nil
  }

  /// Returns the single faults in a text.
  private func parts(of text: String) -> [String] {
    guard let colon = text.lastIndex(of: ":") else { return [text] }
    return severalFaults(in: text, before: colon)?.parts ?? [text]
  }
}

/// The parts after the name of a fault, which are parsed one after the other.
package struct FaultValues {
  private let kind: FaultKind
  private var rest: ArraySlice<String>

  fileprivate init(_ kind: FaultKind, _ parts: ArraySlice<String>) {
    self.kind = kind
    rest = parts
  }

  fileprivate func end() throws(FaultMistake) {
    if let part = rest.first {
      throw FaultMistake("unexpected '\(part)'; only a limit such as 'once' can follow the fault")
    }
  }

  private var example: String { "'\(kind.examples.first ?? kind.name)'" }

  private mutating func next() throws(FaultMistake) -> String {
    guard let part = rest.popFirst() else {
      throw FaultMistake(
        "'\(kind.name)' requires a value, for example \(example)")
    }
    return part
  }

  mutating func amount() throws(FaultMistake) -> FaultAmount {
    let text = try next()
    if text.hasSuffix("%") {
      guard let share = Int(text.dropLast()), (0...100).contains(share) else {
        throw FaultMistake("'\(text)' is not a percentage from 0% to 100%")
      }
      return .percent(share)
    }
    guard let count = ByteCount.read(text) else {
      throw FaultMistake("'\(text)' is not an amount such as 60%, 1M or 500K")
    }
    return .bytes(count)
  }

  mutating func status() throws(FaultMistake) -> Int {
    let text = try next()
    guard let code = Int(text), (400...599).contains(code) else {
      throw FaultMistake("'\(text)' is not an error status from 400 to 599")
    }
    return code
  }

  mutating func duration() throws(FaultMistake) -> Duration {
    let text = try next()
    guard let time = Duration(written: text) else {
      throw FaultMistake("'\(text)' is not a duration such as 500ms, 10s or 2m")
    }
    return time
  }

  /// Reads a number of seconds; nil if there are no more parts.
  mutating func secondsIfAny() throws(FaultMistake) -> Int? {
    guard let text = rest.popFirst() else { return nil }
    guard let time = Duration(written: text), time.wholeMilliseconds % 1000 == 0 else {
      throw FaultMistake("'\(text)' is not a number of seconds such as 5s")
    }
    return Int(time.components.seconds)
  }

  mutating func wait() throws(FaultMistake) -> ServiceEffect.Wait {
    switch rest.first {
    case "date":
      rest.removeFirst()
      return .date
    case "past":
      rest.removeFirst()
      return .past
    default: return try secondsIfAny().map { .seconds($0) } ?? .none
    }
  }

  /// Reads one of the values of an enumeration.
  mutating func choice<Choice: RawRepresentable<String> & CaseIterable>()
    throws(FaultMistake) -> Choice
  {
    let text = try next()
    guard let choice = Choice(rawValue: text) else {
      let all = Choice.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
      throw FaultMistake("'\(text)' is not one of \(all)")
    }
    return choice
  }
}

extension Substring {
  fileprivate var trimmed: String {
    var rest = self
    while rest.first == " " { rest.removeFirst() }
    while rest.last == " " { rest.removeLast() }
    return String(rest)
  }
}
