/// The spelling of the names of constants in a language.
struct NameStyle: Sendable {
  /// The form of a name that consists of several words.
  enum Form: Sendable {
    /// `heroPng`.
    case lowerCamel
    /// `HeroPng`.
    case upperCamel
    /// `hero_png`.
    case lowerSnake
    /// `HERO_PNG`.
    case upperSnake
  }

  /// The form of the names of packs and files.
  var constants: Form
  /// The form of the names of folders.
  var folders: Form
  /// A part after the names of folders, where a language has global names of the same form.
  var folderEnding = ""
  /// The names that a constant cannot have: keywords, members of all types, and names that the
  /// generated code uses.
  var reserved: Set<String> = []
  /// Whether letters outside of ASCII can be in names.
  var allowsUnicode = false

  /// Returns the name for a text; names for different texts can be equal.
  ///
  /// A name does not depend on other names, so that adding a file does not rename constants.
  func name(for text: String, _ form: Form) -> String {
    var words = words(of: text)
    if words.isEmpty { words = [text.unicodeScalars.map(Self.number).joined()] }
    if form == .lowerSnake || form == .upperSnake { words = words.flatMap(Self.parts) }
    var name = ""
    for (index, word) in words.enumerated() {
      let spelled =
        switch form {
        case .lowerCamel: index == 0 ? Self.lowered(word) : Self.raised(word)
        case .upperCamel: Self.raised(word)
        case .lowerSnake: word.lowercased()
        case .upperSnake: word.uppercased()
        }
      let isSnake = form == .lowerSnake || form == .upperSnake
      // '1.2' and '12' are different names.
      let joinsDigits =
        Self.isDigit(name.unicodeScalars.last) && Self.isDigit(word.unicodeScalars.first)
      if index > 0, isSnake || joinsDigits { name += "_" }
      name += spelled
    }
    if let first = name.unicodeScalars.first, !Self.isLetter(first) { name = "_" + name }
    return reserved.contains(name) ? name + "_" : name
  }

  /// Returns the words of a text: sequences of letters and digits.
  private func words(of text: String) -> [String] {
    var words: [String] = []
    var word = ""
    for scalar in text.unicodeScalars {
      let isAllowed = scalar.isASCII || allowsUnicode && scalar.value < 0x10000
      if Self.isLetter(scalar) || Self.isDigit(scalar) || Self.isMark(scalar) {
        if isAllowed { word.unicodeScalars.append(scalar) } else { word += Self.number(scalar) }
      } else if !word.isEmpty {
        words.append(word)
        word = ""
      }
    }
    if !word.isEmpty { words.append(word) }
    return words
  }

  private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter: true
    default: false
    }
  }

  private static func isDigit(_ scalar: Unicode.Scalar?) -> Bool {
    scalar?.properties.generalCategory == .decimalNumber
  }

  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .spacingMark: true
    default: false
    }
  }

  /// `u65e5`.
  private static func number(_ scalar: Unicode.Scalar) -> String {
    "u" + String(scalar.value, radix: 16)
  }

  /// Returns a word that begins with a lower-case letter: `README` is `readme`, `URLFile` is
  /// `urlFile`.
  private static func lowered(_ word: String) -> String {
    let capitals = word.prefix { $0.isUppercase }
    if capitals.count == word.count { return word.lowercased() }
    let rest = word.dropFirst(capitals.count)
    if capitals.count < 2 || rest.first?.isLetter != true {
      return capitals.lowercased() + rest
    }
    return capitals.dropLast().lowercased() + word.dropFirst(capitals.count - 1)
  }

  private static func raised(_ word: String) -> String {
    (word.first?.uppercased() ?? "") + word.dropFirst()
  }

  /// Returns the parts of a word at capitals: `someFile` has `some` and `File`.
  private static func parts(of word: String) -> [String] {
    var parts: [String] = []
    var part = ""
    for character in word {
      if character.isUppercase, part.last?.isLowercase == true {
        parts.append(part)
        part = ""
      }
      part.append(character)
    }
    return parts + [part]
  }
}

/// Several texts whose constants would have the same name.
package struct NameCollision: Sendable, Equatable {
  /// The folder of the names; nil for IDs of packs.
  package let folder: String?
  /// The texts, and the names of their constants.
  package let names: [(text: String, name: String)]

  package static func == (left: NameCollision, right: NameCollision) -> Bool {
    left.folder == right.folder && left.names.elementsEqual(right.names, by: ==)
  }
}

extension NameStyle {
  /// A text that needs a name, and the form of the name.
  struct Wanted {
    var text: String
    var isFolder = false
  }

  /// Returns different names for texts of one scope.
  ///
  /// Of texts with the same name, each receives a part of its hash. A number would change when
  /// another file is added, and the constant would then be another file.
  func names(
    for wanted: [Wanted], in folder: String? = nil, besides taken: Set<String> = [],
    _ collisions: inout [NameCollision]
  ) -> [String] {
    var names = wanted.map { item in
      let name = name(for: item.text, item.isFolder ? folders : constants)
      var full = item.isFolder ? name + folderEnding : name
      while taken.contains(full) { full += "_" }
      return full
    }
    // Strings are equal if they are canonically equivalent, as compilers may compare names.
    var places: [String: [Int]] = [:]
    for (index, name) in names.enumerated() { places[name, default: []].append(index) }
    guard places.count < names.count else { return names }
    var used = Set(places.keys)
    for name in places.keys.sorted() {
      guard let colliding = places[name], colliding.count > 1 else { continue }
      for index in colliding {
        // A folder and a file can have one name in different packs.
        let digits = Self.hash(wanted[index].text + (wanted[index].isFolder ? "/" : ""))
        let hash = constants == .upperSnake ? digits.uppercased() : digits
        var length = 4
        while !used.insert(name + "_" + hash.prefix(length)).inserted, length < 16 { length += 1 }
        names[index] = name + "_" + hash.prefix(length)
      }
      collisions.append(
        NameCollision(folder: folder, names: colliding.map { (wanted[$0].text, names[$0]) }))
    }
    return names
  }

  /// Returns 16 hexadecimal digits that depend on the bytes of a text (FNV-1a).
  private static func hash(_ text: String) -> String {
    var value: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in text.utf8 { value = (value ^ UInt64(byte)) &* 0x100_0000_01b3 }
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
