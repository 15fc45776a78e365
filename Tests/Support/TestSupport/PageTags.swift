/// Returns the tags of a page in order, each with its attributes but without their values.
///
/// If text is interpreted as markup, the page has a tag or an attribute that a page with other
/// texts lacks.
package func tags(of page: [UInt8]) -> [String] {
  var found: [String] = []
  var rest = page[...]
  while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
    var tag = ""
    var quote: UInt8?
    var end = start
    while end < rest.endIndex {
      let byte = rest[end]
      end += 1
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      } else {
        tag.unicodeScalars.append(UnicodeScalar(byte))
        if byte == UInt8(ascii: ">") { break }
      }
    }
    found.append(tag)
    rest = rest[end...]
    // Scripts and styles contain no tags; the next end tag ends them.
    guard tag.hasPrefix("<script") || tag.hasPrefix("<style") else { continue }
    while !rest.isEmpty, !rest.starts(with: "</".utf8) { rest = rest.dropFirst() }
  }
  return found
}

/// A text with all special characters of HTML, and one that reverses text.
package let hostileText = "<b>&\"'\u{200F}"
