import BAPackKit

/// The IDs of proposed packs: valid at App Store Connect, and unique ignoring case.
struct PackNames {
  private static let longest = 60
  /// Letters with accents, and the same letters without.
  private static let plainLetters = Dictionary(
    zip(
      "àáâãäåçèéêëìíîïñòóôõöøùúûüýÿčďěłńřśšťůźżž".unicodeScalars,
      "aaaaaaceeeeiiiinoooooouuuuyycdelnrsstuzzz".unicodeScalars)
  ) { first, _ in first }
  private var used: Set<String> = []

  mutating func id(of parts: [String]) -> String {
    var name = Self.sanitized(parts.joined(separator: "-"))
    if name.isEmpty { name = "pack" }
    var id = name
    var number = 1
    while !used.insert(id.lowercased()).inserted {
      number += 1
      id = "\(name)-\(number)"
    }
    return id
  }

  /// Returns the letters and digits of a text, with single hyphens between them.
  ///
  /// The accents of common letters are removed; other characters are replaced.
  static func sanitized(_ text: String) -> String {
    var id = ""
    for character in text.unicodeScalars {
      let scalar = plainLetters[character] ?? character
      switch scalar {
      case "A"..."Z", "a"..."z", "0"..."9": id.unicodeScalars.append(scalar)
      default: if !id.isEmpty, !id.hasSuffix("-") { id += "-" }
      }
      if id.utf8.count == longest { break }
    }
    while id.hasSuffix("-") { id.removeLast() }
    return id
  }
}
