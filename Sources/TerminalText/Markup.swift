/// Text as it stands in HTML and XML, between tags or as the value of an attribute.
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

/// Text as it stands in Markdown, in a cell of a table, too: no tags, no links, no end of the cell.
package func inMarkdown(_ text: String) -> String {
  var escaped = ""
  for sign in inMarkup(shown(text)).unicodeScalars {
    // Before these signs a backslash would not keep GitHub from mentioning somebody, or an issue.
    if sign == "@" || sign == "#" {
      escaped += "&#\(sign.value);"
      continue
    }
    if "\\`*_[]|~".unicodeScalars.contains(sign) { escaped += "\\" }
    escaped.unicodeScalars.append(sign)
  }
  // An address would become a link by itself.
  return escaped.replacing("://", with: "&#58;//").replacing("www.", with: "www&#46;")
}

/// A name as code in Markdown, in a cell of a table, too: nothing in it is obeyed, and nobody is
/// mentioned by it.
package func codeInMarkdown(_ name: String) -> String {
  let name = shown(name).replacing("|", with: "\\|")
  var (longest, run) = (0, 0)
  for sign in name {
    run = sign == "`" ? run + 1 : 0
    longest = max(longest, run)
  }
  let fence = String(repeating: "`", count: longest + 1)
  let space = name.hasPrefix("`") || name.hasSuffix("`") || name.isEmpty ? " " : ""
  return fence + space + name + space + fence
}
