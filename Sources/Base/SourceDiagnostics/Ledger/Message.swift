import TerminalText

extension Finding {
  /// The text of a message, on one line.
  ///
  /// Interpolated values are escaped, because they come from outside: they cannot move the cursor,
  /// reverse the text or hide characters, and a quoted value is cut after eighty characters. Paths
  /// have a natural limit and are useless without their end, so they are interpolated with `\(path:
  /// …)` and are not cut.
  public struct Message: Sendable, Equatable {
    /// The text.
    public let text: String

    fileprivate init(fit text: String) { self.text = text }

    /// Creates a message from a text of another source, such as the reason of an error.
    public init(whole phrase: String) { text = Self.quote(phrase, limit: Self.pathLimit) }

    /// Returns the first text, then the second.
    public static func + (first: Message, second: Message) -> Message {
      Message(fit: first.text + second.text)
    }
  }
}

extension Finding.Message: ExpressibleByStringInterpolation {
  /// The maximum number of characters of a quoted value.
  public static let quoteLimit = 80
  /// The maximum number of characters of a quoted path: no existing file has a longer path.
  private static let pathLimit = 4096

  /// Creates a message from a literal of the program.
  public init(stringLiteral phrase: String) { text = phrase }

  /// Creates a message from literals with values between them.
  public init(stringInterpolation phrase: StringInterpolation) { text = phrase.text }

  /// The parts of a message during interpolation.
  public struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var text = ""

    /// Reserves capacity.
    public init(literalCapacity: Int, interpolationCount: Int) {
      text.reserveCapacity(literalCapacity + interpolationCount * 16)
    }

    /// Adds a literal of the program.
    public mutating func appendLiteral(_ phrase: String) { text += phrase }

    /// Adds a value, truncated if it is long.
    public mutating func appendInterpolation(_ value: String) {
      text += Finding.Message.quote(value, limit: quoteLimit)
    }

    /// Adds a value, truncated if it is long.
    public mutating func appendInterpolation(_ value: Substring) {
      appendInterpolation(String(value))
    }

    /// Adds the path of a file or folder, in full.
    public mutating func appendInterpolation(path: String) {
      text += Finding.Message.quote(path, limit: pathLimit)
    }

    /// Adds a message, which is already escaped.
    public mutating func appendInterpolation(_ phrase: Finding.Message) { text += phrase.text }

    /// Adds a number.
    public mutating func appendInterpolation(_ number: some BinaryInteger) {
      text += String(number)
    }

    /// Adds the text of any other value.
    @_disfavoredOverload
    public mutating func appendInterpolation(_ value: some CustomStringConvertible) {
      appendInterpolation(value.description)
    }
  }

  /// Returns the start of a value, escaped.
  ///
  /// `limit` is a number of code points, because one character can consist of millions of them.
  private static func quote(_ value: String, limit: Int) -> String {
    let scalars = value.unicodeScalars
    guard let end = scalars.index(scalars.startIndex, offsetBy: limit, limitedBy: scalars.endIndex),
      end < scalars.endIndex
    else { return shown(value) }
    var head = String(scalars[..<end])
    // Do not cut inside a character, unless it is the only one.
    if let last = head.last, head.count > 1, (String(last) + String(scalars[end])).count == 1 {
      head.removeLast()
    }
    return shown(head) + "…"
  }
}

extension Finding.Message: CustomStringConvertible {
  /// The text.
  public var description: String { text }
}

extension Finding {
  /// Returns names in quotes, with commas and an "and".
  package static func list(_ names: [String], _ conjunction: Message = "and") -> Message {
    var phrase: Message = ""
    for (index, name) in names.enumerated() {
      if index > 0 { phrase = phrase + (index == names.count - 1 ? " \(conjunction) " : ", ") }
      phrase = phrase + "'\(path: name)'"
    }
    return phrase
  }
}
