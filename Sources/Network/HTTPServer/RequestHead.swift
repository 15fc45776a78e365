import SystemIO
import TerminalText

/// The head of a request: method, target and fields.
package struct RequestHead: Sendable, Equatable {
  /// The method, for example `GET`.
  package let method: String
  /// The target without changes: `/manifest?platform=iOS`.
  package let target: String
  /// The percent-decoded path: bytes that start with `/`.
  package let path: [UInt8]
  /// The encoded text after the first `?`; nil without `?`.
  package let query: String?
  /// The minor version: 1 for `HTTP/1.1`.
  package let minorVersion: Int
  /// The `Host`: `localhost:8443`; nil if an HTTP/1.0 client does not send it.
  package let host: String?
  /// The size of the body in bytes; nil without a body and for a body in chunks.
  package let bodySize: UInt64?
  /// Whether the body is sent in chunks, without a size.
  package let isChunked: Bool
  /// All fields in their order, with names in lower case.
  package let fields: [Field]

  package struct Field: Sendable, Equatable {
    package let name: String
    package let value: String
  }

  /// The value of a field; several values are joined with commas.
  package subscript(name: String) -> String? {
    guard let first = fields.firstIndex(where: { $0.name == name }) else { return nil }
    let others = fields[(first + 1)...]
    guard others.contains(where: { $0.name == name }) else { return fields[first].value }
    return fields.filter { $0.name == name }.map(\.value).joined(separator: ", ")
  }

  /// The path as text, for messages.
  package var pathText: String { String(decoding: path, as: UTF8.self) }

  /// Whether the client keeps the connection open after the response.
  package var keepsAlive: Bool {
    guard let connection = self["connection"] else { return minorVersion > 0 }
    let options = connection.lowercased().split(separator: ",")
      .map { $0.filter { $0 != " " && $0 != "\t" } }
    if options.contains("close") { return false }
    return minorVersion > 0 || options.contains("keep-alive")
  }

  /// Whether the client waits for `100 Continue` before it sends the body.
  package var expectsContinue: Bool {
    minorVersion > 0 && self["expect"]?.lowercased() == "100-continue"
  }

  /// The decoded names and values of the query; the value is empty for a name without `=`.
  package var queryItems: [(name: String, value: String)] {
    (query ?? "").split(separator: "&").map { part in
      let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (Self.formText(pair[0]), pair.count == 2 ? Self.formText(pair[1]) : "")
    }
  }

  /// The values of a name in the query.
  package func query(_ name: String) -> [String] {
    queryItems.filter { $0.name == name }.map(\.value)
  }

  private static func formText(_ text: Substring) -> String {
    let spaced = text.utf8.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
    return String(decoding: percentDecoded(spaced[...]) ?? spaced, as: UTF8.self)
  }
}

/// The reason why a request is refused before its path is resolved.
package struct RequestError: Error, Sendable, Equatable {
  package let status: Int
  package let reason: String

  package init(_ status: Int, _ reason: String) {
    self.status = status
    self.reason = reason
  }
}

/// Limits of the head of a request.
package struct RequestLimits: Sendable {
  /// The maximum size of a head in bytes.
  package var headSize = 16 << 10
  /// The maximum number of fields.
  package var fieldCount = 100
  /// Whether a body can be sent in chunks.
  package var acceptsChunks = false

  package init() {}
}

// MARK: - Reading

extension RequestHead {
  /// Returns the size of a head with its empty line; nil if the empty line is not received yet.
  ///
  /// The search starts at `start`, the end of the previous search.
  package static func size(of bytes: [UInt8], from start: Int = 0) -> Int? {
    var index = max(0, start - 3)
    while index + 3 < bytes.count {
      if bytes[index] == cr, bytes[index + 1] == lf, bytes[index + 2] == cr, bytes[index + 3] == lf
      {
        return index + 4
      }
      index += 1
    }
    return nil
  }

  /// Parses a head with the empty line that ends it.
  package init(
    parsing bytes: ArraySlice<UInt8>, limits: RequestLimits = RequestLimits()
  ) throws(RequestError) {
    guard bytes.count <= limits.headSize else { throw Self.tooLarge }
    var lines = HeadLines(bytes)
    // A client may send an empty line after the body of the previous request.
    guard var line = try lines.next() else { throw Self.malformed("the request is empty") }
    if line.isEmpty {
      guard let second = try lines.next() else { throw Self.malformed("the request is empty") }
      line = second
    }
    let request = try RequestLine(line)
    var fields: [Field] = []
    while true {
      guard let line = try lines.next() else { throw Self.malformed("the header has no end") }
      if line.isEmpty { break }
      guard fields.count < limits.fieldCount else {
        throw RequestError(431, "more than \(limits.fieldCount) header fields")
      }
      fields.append(try Self.field(line))
    }
    guard lines.isAtEnd else { throw Self.malformed("unexpected data after the request header") }
    method = request.method
    target = request.target
    path = request.path
    query = request.query
    minorVersion = request.minorVersion
    self.fields = fields
    host = try Self.host(fields, request)
    isChunked = try Self.isChunked(fields)
    guard !isChunked || limits.acceptsChunks else {
      throw RequestError(411, "a request body requires 'Content-Length'")
    }
    bodySize = try Self.bodySize(fields)
  }

  package static let tooLarge = RequestError(431, "the request header is too large")

  static func malformed(_ reason: String) -> RequestError { RequestError(400, reason) }

  private static func field(_ line: ArraySlice<UInt8>) throws(RequestError) -> Field {
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex else {
      throw malformed("a header field has no name")
    }
    let name = line[..<colon]
    // Programs interpret a space before the colon, or at the start of a line, in different ways.
    guard name.allSatisfy(isTokenCharacter) else {
      throw malformed("invalid character in the name of a header field")
    }
    var value = line[(colon + 1)...]
    while let first = value.first, isBlank(first) { value = value.dropFirst() }
    while let last = value.last, isBlank(last) { value = value.dropLast() }
    guard value.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 9 }) else {
      throw malformed("control character in the value of a header field")
    }
    return Field(
      name: String(decoding: name, as: UTF8.self).lowercased(),
      value: String(decoding: value, as: UTF8.self))
  }

  private static func host(
    _ fields: [Field], _ request: RequestLine
  ) throws(RequestError) -> String? {
    let given = try onlyValue(of: "host", "Host", in: fields)
    if let authority = request.authority { return authority }
    guard let host = given else {
      if request.minorVersion > 0 { throw malformed("'Host' is missing") }
      return nil
    }
    guard
      host.utf8.allSatisfy({
        $0 > 0x20 && $0 < 0x7F && $0 != slash && $0 != UInt8(ascii: "@")
      })
    else {
      throw malformed("'Host' is not a host name")
    }
    return host
  }

  /// Returns the value of a field that a head can contain only once; nil without the field.
  private static func onlyValue(
    of name: String, _ title: String, in fields: [Field]
  ) throws(RequestError) -> String? {
    var value: String?
    for field in fields where field.name == name {
      guard value == nil else { throw malformed("duplicate '\(title)'") }
      value = field.value
    }
    return value
  }

  private static func isChunked(_ fields: [Field]) throws(RequestError) -> Bool {
    let encodings = fields.filter { $0.name == "transfer-encoding" }
    guard let encoding = encodings.first else { return false }
    // Contradicting sizes of a body allow request smuggling.
    guard encodings.count == 1, encoding.value.lowercased() == "chunked",
      !fields.contains(where: { $0.name == "content-length" })
    else { throw malformed("unsupported 'Transfer-Encoding'") }
    return true
  }

  private static func bodySize(_ fields: [Field]) throws(RequestError) -> UInt64? {
    guard let size = try onlyValue(of: "content-length", "Content-Length", in: fields) else {
      return nil
    }
    guard !size.isEmpty, size.utf8.allSatisfy(\.isDigit), let number = UInt64(size)
    else { throw malformed("'Content-Length' is not a number") }
    return number
  }
}

/// The first line of a request.
private struct RequestLine {
  let method: String
  let target: String
  let path: [UInt8]
  let query: String?
  let minorVersion: Int
  /// The host of an absolute target.
  let authority: String?

  init(_ line: ArraySlice<UInt8>) throws(RequestError) {
    guard let first = line.firstIndex(of: space), let last = line.lastIndex(of: space),
      first < last, !line[(first + 1)..<last].contains(space)
    else { throw RequestHead.malformed("invalid request line") }
    let name = line[..<first]
    guard !name.isEmpty, name.count <= 32, name.allSatisfy(isTokenCharacter) else {
      throw RequestHead.malformed("invalid request line")
    }
    method = String(decoding: name, as: UTF8.self)
    minorVersion = try Self.version(line[(last + 1)...])
    var rest = line[(first + 1)..<last]
    guard rest.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
      throw RequestHead.malformed("the target has characters that must be percent-encoded")
    }
    target = String(decoding: rest, as: UTF8.self)
    var authority: String?
    // Nearly all targets begin with a slash.
    for scheme in ["http://", "https://"]
    where rest.first != slash && rest.starts(with: scheme.utf8) {
      rest = rest.dropFirst(scheme.utf8.count)
      let host = rest.prefix { $0 != slash && $0 != UInt8(ascii: "?") }
      guard !host.isEmpty, !host.contains(UInt8(ascii: "@")) else {
        throw RequestHead.malformed("the target has no host")
      }
      authority = String(decoding: host, as: UTF8.self)
      rest = rest.dropFirst(host.count)
      if rest.first != slash { rest = [slash] + rest }
    }
    self.authority = authority
    let mark = rest.firstIndex(of: UInt8(ascii: "?"))
    query = mark.map { String(decoding: rest[($0 + 1)...], as: UTF8.self) }
    path = try Self.path(rest[..<(mark ?? rest.endIndex)])
  }

  private static func version(_ text: ArraySlice<UInt8>) throws(RequestError) -> Int {
    if text.elementsEqual("HTTP/1.1".utf8) { return 1 }
    if text.elementsEqual("HTTP/1.0".utf8) { return 0 }
    guard text.starts(with: "HTTP/".utf8) else {
      throw RequestHead.malformed("invalid request line")
    }
    throw RequestError(505, "unsupported HTTP version; use HTTP/1.1 or HTTP/1.0")
  }

  private static func path(_ text: ArraySlice<UInt8>) throws(RequestError) -> [UInt8] {
    guard text.first == slash, !text.contains(UInt8(ascii: "#")) else {
      throw RequestHead.malformed("the target is not a path")
    }
    guard !hasEncodedSlash(text) else { throw RequestError(404, "unknown path") }
    guard let path = percentDecoded(text) else {
      throw RequestHead.malformed("a '%' in the path is not followed by two hexadecimal digits")
    }
    guard !path.contains(0) else { throw RequestHead.malformed("the path contains a NUL") }
    guard !hasParentName(path) else { throw RequestHead.malformed("the path contains '..'") }
    return path
  }

  /// Whether a name in a path that begins with a slash is `..`.
  private static func hasParentName(_ path: [UInt8]) -> Bool {
    path.indices.contains { index in
      path[index] == slash && index + 2 < path.count
        && path[index + 1] == dot && path[index + 2] == dot
        && (index + 3 == path.count || path[index + 3] == slash)
    }
  }

  private static func hasEncodedSlash(_ text: ArraySlice<UInt8>) -> Bool {
    text.indices.contains { index in
      text[index] == UInt8(ascii: "%") && index + 2 < text.endIndex
        && text[index + 1] == UInt8(ascii: "2") && text[index + 2] | 0x20 == UInt8(ascii: "f")
    }
  }
}

/// The lines of a head; each line ends with CR LF and contains no other CR or LF.
private struct HeadLines {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func next() throws(RequestError) -> ArraySlice<UInt8>? {
    if rest.isEmpty { return nil }
    guard let end = rest.firstIndex(where: { $0 == cr || $0 == lf }) else {
      throw RequestHead.malformed("a header line has no end")
    }
    guard rest[end] == cr, end + 1 < rest.endIndex, rest[end + 1] == lf else {
      throw RequestHead.malformed("a header line does not end with CR LF")
    }
    defer { rest = rest[(end + 2)...] }
    return rest[..<end]
  }
}

/// Whether names in HTTP may contain the character.
private func isTokenCharacter(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "!"), UInt8(ascii: "#")...UInt8(ascii: "'"), UInt8(ascii: "*"),
    UInt8(ascii: "+"), UInt8(ascii: "-"), dot, UInt8(ascii: "^")...UInt8(ascii: "`"),
    UInt8(ascii: "|"), UInt8(ascii: "~"):
    true
  default: byte.isLetterOrDigit
  }
}

private func isBlank(_ byte: UInt8) -> Bool { byte == space || byte == 9 }

private let space = UInt8(ascii: " ")
private let dot = UInt8(ascii: ".")

private let cr = UInt8(ascii: "\r")
private let lf = UInt8(ascii: "\n")
