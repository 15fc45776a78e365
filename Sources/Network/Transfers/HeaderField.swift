import SystemIO

/// A field of a request head.
///
/// Descriptions omit the value, because it can be a secret.
package struct HeaderField: Sendable, CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  package let name: String
  package let value: String

  package init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }

  package var description: String { "\(name): …" }
  package var debugDescription: String { description }
  package var customMirror: Mirror { Mirror(self, children: ["name": name]) }

  /// Whether the field is a single line, so that it cannot contain further fields.
  var isSound: Bool {
    let isName = name.utf8.allSatisfy {
      $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: ";")
    }
    return isName && !name.isEmpty && value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
  }
}

/// The status and the header fields of a response.
package struct ResponseHead: Sendable, Equatable {
  package var status = 0
  /// The fields in order, with names in lower case.
  package var fields: [(name: String, value: String)] = []

  package init() {}

  /// The value of the first field with a name in lower case.
  package subscript(name: String) -> String? { fields.first { $0.name == name }?.value }

  package static func == (left: ResponseHead, right: ResponseHead) -> Bool {
    left.status == right.status
      && left.fields.elementsEqual(right.fields) { $0.name == $1.name && $0.value == $1.value }
  }

  /// The size of the body in bytes, if the head contains it.
  var length: UInt64? { self["content-length"].flatMap { UInt64($0) } }

  /// The start of the range in the body, and the size of the file if it is known.
  ///
  /// `bytes 100-199/1000`
  var range: (start: UInt64, total: UInt64?)? {
    guard let text = self["content-range"], text.hasPrefix("bytes ") else { return nil }
    let parts = text.dropFirst(6).split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let start = parts[0].split(separator: "-").first.flatMap({ UInt64($0) })
    else { return nil }
    return (start, UInt64(parts[1]))
  }

  /// The size of the file if the requested range does not exist: `bytes */1000`.
  var total: UInt64? {
    guard let text = self["content-range"], text.hasPrefix("bytes */") else { return nil }
    return UInt64(text.dropFirst(8))
  }

  /// The strong `ETag`, which differs for different bytes.
  var validator: String? {
    guard let tag = self["etag"], tag.hasPrefix("\""), tag.count > 2 else { return nil }
    return tag
  }

  /// The digest of the complete file (`Repr-Digest`), as the text of the header field.
  package var digest: String? { self["repr-digest"] }

  var isRedirect: Bool { [301, 302, 303, 307, 308].contains(status) && self["location"] != nil }
}

/// Parses the lines of response heads; each response, such as a redirect, starts a new head.
struct HeadReader {
  private(set) var head = ResponseHead()
  /// Whether the last line of the head was read.
  private(set) var isComplete = false
  private var size = 0

  /// The maximum size of a head; real servers send less.
  private static let largest = 64 << 10

  /// Parses a line; returns false if the header is too large.
  mutating func parse(_ line: [UInt8]) -> Bool {
    var text = line[...]
    while let last = text.last, [0x0A, 0x0D, 0x20, 0x09].contains(last) { text.removeLast() }
    if text.starts(with: "HTTP/".utf8) {
      head = ResponseHead()
      isComplete = false
      size = 0
      let parts = text.split(separator: 0x20, maxSplits: 2)
      if parts.count > 1 { head.status = Int(String(decoding: parts[1], as: UTF8.self)) ?? 0 }
      return true
    }
    size += line.count
    guard size <= Self.largest else { return false }
    if text.isEmpty {
      // An informational response, such as `100 Continue`, is not the final response.
      isComplete = head.status >= 200
      return true
    }
    guard let colon = text.firstIndex(of: UInt8(ascii: ":")) else { return true }
    let name = String(decoding: text[..<colon], as: UTF8.self).lowercased()
    let value = text[(colon + 1)...].drop { $0 == 0x20 || $0 == 0x09 }
    head.fields.append((name, String(decoding: value, as: UTF8.self)))
    return true
  }
}
