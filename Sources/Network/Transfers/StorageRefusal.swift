/// An error response of object storage, in XML:
/// `<Error><Code>…</Code><Message>…</Message></Error>`.
package struct StorageRefusal: Sendable, Equatable {
  package let code: String
  package let message: String

  /// Reads the body of a response; nil if it is not such an error.
  package init?(_ body: [UInt8]) {
    let text = String(decoding: body.prefix(Self.longest), as: UTF8.self)
    guard let error = Self.contents(of: "Error", in: text[...]),
      let code = Self.contents(of: "Code", in: error), !code.isEmpty
    else { return nil }
    self.code = Self.unescaped(code)
    message = Self.unescaped(Self.contents(of: "Message", in: error) ?? "")
  }

  /// The number of bytes that are read.
  ///
  /// An error response is shorter.
  private static let longest = 16 << 10

  private static func contents(of name: String, in text: Substring) -> Substring? {
    guard let start = text.firstRange(of: "<\(name)>"),
      let end = text[start.upperBound...].firstRange(of: "</\(name)>")
    else { return nil }
    return text[start.upperBound..<end.lowerBound]
  }

  private static func unescaped(_ text: Substring) -> String {
    [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&")]
      .reduce(String(text)) { $0.replacing($1.0, with: $1.1) }
  }
}
