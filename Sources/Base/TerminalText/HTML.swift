/// A piece of HTML, in which text that is not a literal is escaped.
///
/// Literals are markup, and HTML that is interpolated is inserted unchanged. Any other text is
/// shown (``shown(_:)``) and escaped, for a place between tags or in a quoted attribute. No
/// initializer accepts a `String`, so unescaped text does not compile.
///
/// In a `<script>` or `<style>` element escapes have no meaning: only embedded files and
/// ``init(scriptData:)`` are allowed there. An address may be in `href` only as a ``LinkTarget``.
package struct HTML: ExpressibleByStringInterpolation, Sendable {
  /// The HTML in UTF-8.
  package private(set) var bytes: [UInt8]

  package init(stringLiteral markup: StaticString) { bytes = Array(markup.description.utf8) }

  /// Creates HTML from a literal with interpolations.
  package init(stringInterpolation parts: StringInterpolation) { bytes = parts.bytes }

  /// Creates the contents of a `<script type="application/json">` element.
  ///
  /// In JSON a `<` occurs only in strings, where it is replaced by an escape. So the data cannot
  /// end the element.
  package init(scriptData json: [UInt8]) {
    bytes = []
    bytes.reserveCapacity(json.count)
    for byte in json {
      if byte == UInt8(ascii: "<") { bytes += "\\u003c".utf8 } else { bytes.append(byte) }
    }
  }

  package var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Returns the first piece followed by the second.
  package static func + (first: HTML, second: HTML) -> HTML { "\(first)\(second)" }

  /// Appends another piece.
  package static func += (html: inout HTML, other: HTML) { html.bytes += other.bytes }

  /// Returns a link to an address.
  package static func link(to target: LinkTarget, _ content: HTML) -> HTML {
    "<a href=\"\(target.text)\">\(content)</a>"
  }

  /// The parts of a literal.
  package struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var bytes: [UInt8] = []

    package init(literalCapacity: Int, interpolationCount: Int) {
      bytes.reserveCapacity(literalCapacity + 16 * interpolationCount)
    }

    package mutating func appendLiteral(_ markup: StaticString) { bytes += markup.description.utf8 }

    /// Appends a text, escaped.
    package mutating func appendInterpolation(_ text: some StringProtocol) {
      for byte in shown(text).utf8 {
        switch byte {
        case UInt8(ascii: "&"): bytes += "&amp;".utf8
        case UInt8(ascii: "<"): bytes += "&lt;".utf8
        case UInt8(ascii: ">"): bytes += "&gt;".utf8
        case UInt8(ascii: "\""): bytes += "&quot;".utf8
        case UInt8(ascii: "'"): bytes += "&#39;".utf8
        default: bytes.append(byte)
        }
      }
    }

    package mutating func appendInterpolation(_ number: some BinaryInteger) {
      bytes += "\(number)".utf8
    }

    /// Appends HTML unchanged; appends no text for nil.
    package mutating func appendInterpolation(_ html: HTML?) { bytes += html?.bytes ?? [] }

    /// Appends HTML unchanged if the condition is true.
    package mutating func appendInterpolation(_ html: HTML, if condition: Bool) {
      if condition { bytes += html.bytes }
    }

    /// Appends pieces of HTML unchanged, one after the other.
    package mutating func appendInterpolation(
      _ pieces: some Sequence<HTML>, separator: HTML = ""
    ) {
      var isFirst = true
      for piece in pieces {
        if !isFirst { bytes += separator.bytes }
        bytes += piece.bytes
        isFirst = false
      }
    }

    /// Appends an address for a link.
    package mutating func appendInterpolation(_ target: LinkTarget) {
      appendInterpolation(target.text)
    }
  }
}

/// An address that a page may link to: an absolute one of `http` or `https`.
package struct LinkTarget: Sendable {
  package let text: String

  /// Checks an address; nil if it is not an absolute `http` or `https` address.
  package init?(_ text: String) {
    let scheme = text.prefix { $0 != ":" }
    guard ["http", "https"].contains(scheme.lowercased()),
      text.utf8.dropFirst(scheme.utf8.count).starts(with: "://".utf8)
    else { return nil }
    self.text = text
  }
}
