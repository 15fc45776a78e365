import TerminalText

/// A property list, with the required types.
package enum PropertyList {
  /// A value of a property list.
  package enum Value: Sendable {
    case bool(Bool)
    case integer(UInt64)
    case string(String)
    case array([Value])
    case dictionary([(key: String, value: Value)])
  }

  /// Returns the document in the format of Xcode and `plutil`; keys keep their order.
  ///
  /// A comment is on the line before the value.
  package static func xml(_ value: Value, comment: String? = nil) -> String {
    let head = """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
      "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">

      """
    let note = comment.map { "<!-- \($0) -->\n" } ?? ""
    return head + note + lines(of: value, level: 0).joined(separator: "\n") + "\n</plist>\n"
  }

  /// Returns the keys and values of a dictionary without its tags, for a larger property list.
  package static func members(_ members: [(key: String, value: Value)]) -> String {
    lines(of: .dictionary(members), level: 0).dropFirst().dropLast()
      .map { $0.dropFirst() + "\n" }.joined()
  }

  private static func lines(of value: Value, level: Int) -> [String] {
    let indent = String(repeating: "\t", count: level)
    switch value {
    case .bool(let bool): return [indent + (bool ? "<true/>" : "<false/>")]
    case .integer(let number): return ["\(indent)<integer>\(number)</integer>"]
    case .string(let text): return ["\(indent)<string>\(inMarkup(text))</string>"]
    case .array(let elements):
      guard !elements.isEmpty else { return [indent + "<array/>"] }
      let inner = elements.flatMap { lines(of: $0, level: level + 1) }
      return [indent + "<array>"] + inner + [indent + "</array>"]
    case .dictionary(let members):
      guard !members.isEmpty else { return [indent + "<dict/>"] }
      let inner = members.flatMap { member in
        ["\(indent)\t<key>\(inMarkup(member.key))</key>"]
          + lines(of: member.value, level: level + 1)
      }
      return [indent + "<dict>"] + inner + [indent + "</dict>"]
    }
  }
}
