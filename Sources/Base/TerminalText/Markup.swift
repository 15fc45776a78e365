/// Returns a text escaped for HTML and XML, between tags or as the value of an attribute.
package func inMarkup(_ text: String) -> String {
  var escaped = ""
  for character in text.unicodeScalars {
    switch character {
    case "&": escaped += "&amp;"
    case "<": escaped += "&lt;"
    case ">": escaped += "&gt;"
    case "\"": escaped += "&quot;"
    default: escaped.unicodeScalars.append(character)
    }
  }
  return escaped
}

/// Returns a text escaped for XML, between tags; U+FFFD replaces characters that XML forbids.
package func inXML(_ text: String) -> String {
  let allowed = text.unicodeScalars.map { scalar in
    scalar.value >= 0x20 && scalar.value != 0xFFFE && scalar.value != 0xFFFF
      || "\t\n\r".unicodeScalars.contains(scalar) ? scalar : "\u{FFFD}"
  }
  // A reader would replace a literal return by a line feed.
  return inMarkup(String(String.UnicodeScalarView(allowed)))
    .replacingBytes(of: "\r", with: "&#13;")
}

/// Returns a text escaped for the value of an XML attribute: a reader gets exactly this text.
package func inXMLAttribute(_ text: String) -> String {
  // A reader would replace a literal tab or line feed by a space.
  inXML(text).replacingBytes(of: "\t", with: "&#9;").replacingBytes(of: "\n", with: "&#10;")
}

/// Returns a text escaped for Markdown, also in a cell of a table: the text cannot contain tags or
/// links, and cannot end the cell.
package func inMarkdown(_ text: String) -> String {
  var escaped = ""
  for scalar in inMarkup(shown(text)).unicodeScalars {
    // A backslash before these characters would not stop GitHub from linking a user or an issue.
    if scalar == "@" || scalar == "#" {
      escaped += "&#\(scalar.value);"
      continue
    }
    if "\\`*_[]|~".unicodeScalars.contains(scalar) { escaped += "\\" }
    escaped.unicodeScalars.append(scalar)
  }
  // GitHub would automatically turn an address into a link.
  return escaped.replacingBytes(of: "://", with: "&#58;//")
    .replacingBytes(of: "www.", with: "www&#46;")
}

/// Returns a name as code in Markdown, also in a cell of a table: no character in it has an effect,
/// and it mentions no user.
package func codeInMarkdown(_ name: String) -> String {
  // By code point: a backtick with a combining mark is one character, but Markdown reads a
  // backtick.
  var code = ""
  var (longest, run) = (0, 0)
  for scalar in shown(name).unicodeScalars {
    run = scalar == "`" ? run + 1 : 0
    longest = max(longest, run)
    if scalar == "|" { code += "\\" }
    code.unicodeScalars.append(scalar)
  }
  let fence = String(repeating: "`", count: longest + 1)
  // A combining mark would combine with the backtick before it.
  let begins = code.unicodeScalars.first.map { $0 == "`" || !$0.isASCII } ?? true
  let ends = code.unicodeScalars.last == "`"
  let space = begins || ends ? " " : ""
  return fence + space + code + space + fence
}
