import SystemIO

/// A field of a request's head.
///
/// Its value may be a secret, so that no description of it shows one.
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

  /// Whether it is one line, so that it cannot bring further fields with it.
  var isSound: Bool {
    let isName = name.utf8.allSatisfy {
      $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: ";")
    }
    return isName && !name.isEmpty && value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
  }
}

/// The status and the fields of an answer.
package struct AnswerHead: Sendable, Equatable {
  package var status = 0
  /// The fields in their order, their names in lower case.
  package var fields: [(name: String, value: String)] = []

  package init() {}

  /// The first field of a name, which is given in lower case.
  package subscript(name: String) -> String? { fields.first { $0.name == name }?.value }

  package static func == (left: AnswerHead, right: AnswerHead) -> Bool {
    left.status == right.status
      && left.fields.elementsEqual(right.fields) { $0.name == $1.name && $0.value == $1.value }
  }

  /// How many bytes the body has, if the head says it.
  var length: UInt64? { self["content-length"].flatMap { UInt64($0) } }

  /// The part that the body is: from where on, and of how many bytes if that is known.
  ///
  /// `bytes 100-199/1000`
  var range: (start: UInt64, total: UInt64?)? {
    guard let text = self["content-range"], text.hasPrefix("bytes ") else { return nil }
    let parts = text.dropFirst(6).split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let start = parts[0].split(separator: "-").first.flatMap({ UInt64($0) })
    else { return nil }
    return (start, UInt64(parts[1]))
  }

  /// How large the whole is, where the part that was asked for does not exist: `bytes */1000`.
  var total: UInt64? {
    guard let text = self["content-range"], text.hasPrefix("bytes */") else { return nil }
    return UInt64(text.dropFirst(8))
  }

  /// What tells these bytes from others, so strictly that a part of them can be put behind another:
  /// a strong tag.
  var validator: String? {
    guard let tag = self["etag"], tag.hasPrefix("\""), tag.count > 2 else { return nil }
    return tag
  }

  /// The server's digest of the whole file (`Repr-Digest`), as the text of the header field.
  package var digest: String? { self["repr-digest"] }

  var isRedirect: Bool { [301, 302, 303, 307, 308].contains(status) && self["location"] != nil }
}

/// Puts a head together from its lines; each answer on the way, as of redirects, begins a new one.
struct HeadReader {
  private(set) var head = AnswerHead()
  /// Whether the last line of the head was read.
  private(set) var isComplete = false
  private var size = 0

  /// No server sends more than this with good intentions.
  private static let largest = 64 << 10

  /// Takes a line; false if the header is too large.
  mutating func take(_ line: [UInt8]) -> Bool {
    var text = line[...]
    while let last = text.last, [0x0A, 0x0D, 0x20, 0x09].contains(last) { text.removeLast() }
    if text.starts(with: "HTTP/".utf8) {
      head = AnswerHead()
      isComplete = false
      size = 0
      let words = text.split(separator: 0x20, maxSplits: 2)
      if words.count > 1 { head.status = Int(String(decoding: words[1], as: UTF8.self)) ?? 0 }
      return true
    }
    size += line.count
    guard size <= Self.largest else { return false }
    if text.isEmpty {
      // An answer before the answer, such as `100 Continue`, is none.
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
