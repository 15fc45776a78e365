import TerminalText

extension Finding {
  /// Words about a text, on one line.
  ///
  /// What is put into them comes from outside, so it is made fit to show on the way: nothing in it
  /// moves a cursor, turns the text around or hides, and a quoted value ends after eighty signs. Paths,
  /// which are bounded by nature and worthless without their end, are written `\(path: …)` and kept.
  public struct Message: Sendable, Equatable {
    /// The words.
    public let text: String

    fileprivate init(fit text: String) { self.text = text }

    /// Takes over words that somebody else chose, such as the reason of an error.
    public init(whole words: String) { text = Self.quote(words, limit: Self.pathLimit) }

    /// The first words, then the others.
    public static func + (first: Message, second: Message) -> Message {
      Message(fit: first.text + second.text)
    }
  }
}

extension Finding.Message: ExpressibleByStringInterpolation {
  /// How many signs of a value are quoted.
  public static let quoteLimit = 80
  /// How many signs of a path are: no path of a file that exists has more.
  private static let pathLimit = 4096

  /// Takes words that stand in the program.
  public init(stringLiteral words: String) { text = words }

  /// Takes words with values between them.
  public init(stringInterpolation words: StringInterpolation) { text = words.text }

  /// Words as they are put together.
  public struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var text = ""

    /// Makes room.
    public init(literalCapacity: Int, interpolationCount: Int) {
      text.reserveCapacity(literalCapacity + interpolationCount * 16)
    }

    /// Adds words that stand in the program.
    public mutating func appendLiteral(_ words: String) { text += words }

    /// Adds a value, cut where it is long.
    public mutating func appendInterpolation(_ value: String) {
      text += Finding.Message.quote(value, limit: quoteLimit)
    }

    /// Adds a value, cut where it is long.
    public mutating func appendInterpolation(_ value: Substring) {
      appendInterpolation(String(value))
    }

    /// Adds the path of a file or folder, whole.
    public mutating func appendInterpolation(path: String) {
      text += Finding.Message.quote(path, limit: pathLimit)
    }

    /// Adds words that are fit already.
    public mutating func appendInterpolation(_ words: Finding.Message) { text += words.text }

    /// Adds a number.
    public mutating func appendInterpolation(_ number: some BinaryInteger) {
      text += String(number)
    }

    /// Adds what has a text of its own.
    @_disfavoredOverload
    public mutating func appendInterpolation(_ value: some CustomStringConvertible) {
      appendInterpolation(value.description)
    }
  }

  /// The beginning of a value, as it may be shown.
  ///
  /// Counted in code points, since a single character may be made of millions of them.
  private static func quote(_ value: String, limit: Int) -> String {
    let scalars = value.unicodeScalars
    guard let end = scalars.index(scalars.startIndex, offsetBy: limit, limitedBy: scalars.endIndex),
      end < scalars.endIndex
    else { return shown(value) }
    var head = String(scalars[..<end])
    // Not in the middle of a character, unless that is all there is.
    if let last = head.last, head.count > 1, (String(last) + String(scalars[end])).count == 1 {
      head.removeLast()
    }
    return shown(head) + "…"
  }
}

extension Finding.Message: CustomStringConvertible {
  /// The words.
  public var description: String { text }
}
