/// What is wrong with the name of an entry.
enum ForeignPathFault: Error, Equatable {
  case absolute
  case leavesTheArchive
  case notUTF8
}

/// The name of an entry as we use it: `./` prefixes, doubled and trailing slashes taken away.
///
/// Nil is the root itself, which `tar -C folder .` stores as `./`.
func cleanedPath(_ stored: [UInt8]) throws(ForeignPathFault) -> String? {
  guard let text = String(validating: stored, as: UTF8.self) else { throw .notUTF8 }
  if stored.first == UInt8(ascii: "/") { throw .absolute }
  var components: [Substring] = []
  for component in text.utf8.split(separator: UInt8(ascii: "/")) {
    let name = Substring(component)
    if name == "." { continue }
    if name == ".." { throw .leavesTheArchive }
    components.append(name)
  }
  return components.isEmpty ? nil : components.joined(separator: "/")
}

/// Bytes as a message shows them: what is no UTF-8 and what would move the cursor is escaped.
func shown(_ bytes: [UInt8]) -> String {
  var text = ""
  for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
    if scalar.value < 0x20 || scalar.value == 0x7F {
      text += "\\x" + String(scalar.value, radix: 16)
    } else {
      text.unicodeScalars.append(scalar)
    }
  }
  return text
}
