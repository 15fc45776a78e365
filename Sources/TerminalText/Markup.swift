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
