import BAPackKit
import SourceDiagnostics
import SystemIO

/// Something that goes wrong on purpose, so that a developer sees what an app makes of it.
package struct Fault: Sendable, Equatable {
  /// What goes wrong.
  package enum Kind: Sendable, Equatable {
    /// The connection ends behind so much of a body, as when a cable is pulled.
    case cut(Amount)
    /// The connection is thrown away behind so much of a body.
    case reset(Amount)
    /// The answer is this status and nothing else.
    case status(Int)
    /// Nothing comes for so long in the middle of a body.
    case stall(Duration)
    /// The length that is announced is shorter than the pack, and kept.
    case truncate
    /// One bit of the body is another one.
    case corrupt
    /// The manifest is the one before the last change.
    case stale
    /// The manifest is no JSON.
    case notJSON
    /// The connection ends without an answer, and without the end that TLS prescribes.
    case tlsClose
  }

  /// How much of a body there is before something goes wrong.
  package enum Amount: Sendable, Equatable {
    case bytes(UInt64)
    case percent(Int)

    /// In bytes of a body that has so many.
    package func bytes(of size: UInt64) -> UInt64 {
      switch self {
      case .bytes(let count): min(count, size)
      case .percent(let share):
        UInt64(min(Double(size), (Double(size) * Double(share) / 100).rounded(.down)))
      }
    }
  }

  /// What it happens to: a pattern for the IDs of packs, as for names of files, or `manifest`.
  package let subject: String
  package let kind: Kind
  /// How often it happens to one device and path; nil for always.
  package let times: Int?
  /// The subject as a pattern; nil if it is none.
  private let pattern: NamePattern?

  package init(_ subject: String, _ kind: Kind, times: Int? = nil) {
    self.subject = subject
    pattern = try? NamePattern(parsing: FileName(subject))
    self.kind = kind
    self.times = times
  }

  /// Whether it happens to a pack, or to the manifest.
  package func concerns(_ target: Target) -> Bool {
    switch target {
    case .manifest: subject == "manifest" && kind.isPossible(for: target)
    case .pack(let id):
      kind.isPossible(for: target)
        && pattern?.matches(Array(id.utf8)[...], dotIsOrdinary: true) ?? false
    }
  }

  /// Returns the pack ID or pattern with the most similar spelling; nil if none is similar.
  package func nearestSubject(among ids: [String]) -> String? {
    // In a pattern, only the characters before '*' can be misspelt: 'levle-*'.
    guard subject.hasSuffix("*") else {
      return Spelling.nearest(to: subject, among: ids + ["manifest"])
    }
    let start = subject.dropLast()
    let starts = ids.filter { $0.count > start.count }.map { String($0.prefix(start.count)) }
    return Spelling.nearest(to: String(start), among: starts).map { $0 + "*" }
  }

  /// What a request asks for.
  package enum Target: Sendable, Hashable {
    case manifest
    case pack(String)
  }
}

extension Fault.Kind {
  /// Returns whether the fault changes a response whose body has `size` bytes.
  ///
  /// A fault that changes nothing does not count as an occurrence. Examples are a corruption of an
  /// empty body and a cut after the end of the body.
  package func happens(toBodyOf size: UInt64) -> Bool {
    switch self {
    case .cut(let amount), .reset(let amount): amount.bytes(of: size) < size
    case .stall, .truncate, .corrupt: size > 0
    case .status, .stale, .notJSON, .tlsClose: true
    }
  }
}

extension Fault.Kind {
  /// Whether it can happen to what is asked for.
  package func isPossible(for target: Fault.Target) -> Bool {
    switch self {
    case .stale, .notJSON: target == .manifest
    case .cut, .reset, .status, .stall, .truncate, .corrupt, .tlsClose: true
    }
  }

  /// The kind as it is written.
  package var text: String {
    switch self {
    case .cut(let amount): "cut \(amount.text)"
    case .reset(let amount): "reset \(amount.text)"
    case .status(let code): "status \(code)"
    case .stall(let time): "stall \(time.written)"
    case .truncate: "truncate"
    case .corrupt: "corrupt"
    case .stale: "stale"
    case .notJSON: "not-json"
    case .tlsClose: "tls-close"
    }
  }
}

extension Fault.Amount {
  fileprivate var text: String {
    switch self {
    case .bytes(let count):
      if let unit = ByteCount.units.first(where: { count > 0 && count % $0.size == 0 }) {
        "\(count / unit.size)\(unit.letter)"
      } else {
        "\(count)"
      }
    case .percent(let share): "\(share)%"
    }
  }
}

extension Fault: CustomStringConvertible {
  /// The fault as it is written: `level-*: status 503 3 times`.
  package var description: String {
    let often =
      switch times {
      case nil: ""
      case 1: " once"
      case 2: " twice"
      case .some(let count): " \(count) times"
      }
    return "\(subject): \(kind.text)\(often)"
  }
}

// MARK: - Reading

extension Fault {
  /// What is wrong with the text of a fault.
  package struct Mistake: Error, Sendable, Equatable {
    package let reason: String
    /// The range of the wrong characters; nil if the whole text is wrong.
    package var place: Range<Int>?
    /// The single faults, if the text contains several.
    package var parts: [String] = []

    init(reason: String) { self.reason = reason }
  }

  /// All kinds, as they are written.
  package static let kinds = [
    "cut 60%", "cut 1M", "reset 1M", "status 503", "stall 10s", "truncate", "corrupt", "tls-close",
    "manifest: stale", "manifest: not-json",
  ]

  /// The longest text that is read, in bytes.
  private static let longestText = 4096

  /// Reads `level-*: cut 60%`, `manifest: stale`, `*: status 503 twice`.
  package init(parsing text: String) throws(Mistake) {
    guard text.utf8.count <= Self.longestText else {
      throw Mistake(reason: "the text of a fault has at most \(Self.longestText) bytes")
    }
    guard let colon = text.lastIndex(of: ":") else {
      throw Mistake(reason: "before a ':' stands whom it happens to, as in 'level-*: cut 60%'")
    }
    let subject = text[..<colon].trimmed
    guard !subject.isEmpty else {
      throw Mistake(reason: "nobody stands before the ':'; '*' means every pack")
    }
    if let mistake = Self.severalFaults(in: text, before: colon) { throw mistake }
    var words = text[text.index(after: colon)...].split(separator: " ").map(String.init)
    let times = try Self.times(&words)
    guard let name = words.first else {
      throw Mistake(reason: "nothing stands behind the ':'; \(Self.list)")
    }
    let rest = Array(words.dropFirst())
    self.init(subject, try Self.kind(name, rest), times: times)
    guard pattern != nil else {
      throw Mistake(
        reason: "'\(subject)' is no pattern: a '[' has no end, or a '\\' nothing behind it")
    }
    let isPossible = kind.isPossible(for: subject == "manifest" ? .manifest : .pack(""))
    guard isPossible else {
      throw Mistake(reason: "'\(name)' can happen to the manifest only: 'manifest: \(name)'")
    }
  }

  /// The first word of each fault kind.
  private static let kindNames = Set(
    kinds.compactMap { $0.split(separator: " ").first { !$0.hasSuffix(":") }.map(String.init) })

  /// Returns the mistake of a text that contains several faults; nil for a single fault.
  ///
  /// Without this check, the first faults would be read as the subject of the last one.
  private static func severalFaults(in text: String, before colon: String.Index) -> Mistake? {
    let subject = text[..<colon]
    for separator in subject.indices where [",", ";", "\n"].contains(subject[separator]) {
      let first = subject[..<separator]
      // An ID can also contain a colon.
      guard let inner = first.lastIndex(of: ":"),
        let name = first[first.index(after: inner)...].split(separator: " ").first,
        kindNames.contains(String(name))
      else { continue }
      let rest = text[text.index(after: separator)...]
      var mistake = Mistake(
        reason: "one fault is expected, and a second one begins after the '\(text[separator])'")
      let start = text.distance(from: text.startIndex, to: separator)
      mistake.place = start..<start + 1
      mistake.parts = [first.trimmed] + parts(of: rest.trimmed)
      return mistake
    }
    return nil
  }

  /// Returns the single faults in a text.
  private static func parts(of text: String) -> [String] {
    guard let colon = text.lastIndex(of: ":") else { return [text] }
    return severalFaults(in: text, before: colon)?.parts ?? [text]
  }

  private static let list = "a fault is one of \(kinds.map { "'\($0)'" }.joined(separator: ", "))"

  /// Takes `once`, `twice` or `5 times` off the end.
  private static func times(_ words: inout [String]) throws(Mistake) -> Int? {
    switch words.last {
    case "once":
      words.removeLast()
      return 1
    case "twice":
      words.removeLast()
      return 2
    case "times":
      words.removeLast()
      guard let number = words.popLast(), let count = Int(number), count > 0 else {
        throw Mistake(reason: "a number stands before 'times'")
      }
      return count
    default: return nil
    }
  }

  private static func kind(_ name: String, _ rest: [String]) throws(Mistake) -> Kind {
    func alone(_ kind: Kind) throws(Mistake) -> Kind {
      guard rest.isEmpty else {
        throw Mistake(reason: "nothing but how often stands behind '\(name)'")
      }
      return kind
    }
    func one() throws(Mistake) -> String {
      guard rest.count == 1 else {
        throw Mistake(reason: "'\(name)' needs one value, as in \(example(name))")
      }
      return rest[0]
    }
    switch name {
    case "cut": return .cut(try amount(try one(), of: name))
    case "reset": return .reset(try amount(try one(), of: name))
    case "status":
      guard let code = Int(try one()), (400...599).contains(code) else {
        throw Mistake(reason: "'\(rest[0])' is no status of an error: 400 to 599")
      }
      return .status(code)
    case "stall":
      guard let time = Duration(written: try one()) else {
        throw Mistake(reason: "'\(rest[0])' is no time; 10s, 500ms and 2m are")
      }
      return .stall(time)
    case "truncate": return try alone(.truncate)
    case "corrupt": return try alone(.corrupt)
    case "stale": return try alone(.stale)
    case "not-json": return try alone(.notJSON)
    case "tls-close": return try alone(.tlsClose)
    default: throw Mistake(reason: "there is no fault '\(name)'; \(list)")
    }
  }

  private static func example(_ name: String) -> String {
    "'\(kinds.first { $0.hasPrefix(name) } ?? name)'"
  }

  private static func amount(_ text: String, of name: String) throws(Mistake) -> Amount {
    if text.hasSuffix("%") {
      guard let share = Int(text.dropLast()), (0...100).contains(share) else {
        throw Mistake(reason: "'\(text)' is no share: 0% to 100%")
      }
      return .percent(share)
    }
    guard let count = ByteCount.read(text) else {
      throw Mistake(reason: "'\(text)' is no amount; 60%, 1M and 500K are")
    }
    return .bytes(count)
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
