import TerminalText

/// A language as the name of a folder, or as a part of a file name: `de`, `pt_BR`, `english`.
///
/// Nearly all other names are rejected after a few bytes, without an allocation.
package struct LanguageName: Sendable, Equatable {
  /// The tag, with current codes; `zh_CN` is `zh-Hans`.
  package let tag: LanguageTag
  /// Whether the name alone means a language; false for `no`, `bg`, `ne` or `cat`.
  package let isCertain: Bool

  /// Recognizes the name of a folder, or a part of a file name; nil if it is not a language.
  package init?(_ name: ArraySlice<UInt8>) {
    guard (2...LanguageTable.longestName).contains(name.count) else { return nil }
    if let bundle = Self.prefix(of: name, before: Self.bundleExtension) {
      guard let language = Self(bundle) else { return nil }
      self.init(language.tag, isCertain: true)
    } else if let language = Self(code: name) ?? Self(named: name) ?? Self(annotated: name) {
      self = language
    } else {
      return nil
    }
  }

  /// Creates a name with a known tag.
  package init(_ tag: LanguageTag, isCertain: Bool) {
    self.tag = tag
    self.isCertain = isCertain
  }

  /// Returns the name next to names of other languages: next to `pt-BR`, `pt` is the language of
  /// Portugal.
  package func next(to others: [LanguageTag]) -> LanguageName {
    guard tag.description == "pt", others.contains(where: { $0.description == "pt-BR" }) else {
      return self
    }
    return LanguageName(LanguageTag(language: "pt", region: "PT"), isCertain: true)
  }

  /// Returns the number of subtags after the language of a name: one for `en_US`, none for `en`.
  package static func subtags(of name: ArraySlice<UInt8>) -> Int {
    guard let tag = LanguageName(name)?.tag else { return 0 }
    return [tag.script, tag.region].count { $0 != nil }
  }

  private static let bundleExtension = Array(".lproj".utf8)

  private static func prefix(
    of name: ArraySlice<UInt8>, before end: [UInt8]
  ) -> ArraySlice<UInt8>? {
    guard name.count > end.count,
      zip(name.suffix(end.count), end).allSatisfy({ $0.lowercased == $1 })
    else { return nil }
    return name.dropLast(end.count)
  }
}

// MARK: - Codes: de, zh-Hant, pt_BR, sr@latin, de_DE.UTF-8

extension LanguageName {
  private init?(code name: ArraySlice<UInt8>) {
    var end = name.startIndex
    var key = 0
    while end < name.endIndex, name[end].isLetter {
      guard end - name.startIndex < 3 else { return nil }
      key = key << 8 | Int(name[end].lowercased)
      end += 1
    }
    guard let code = LanguageTable.codes[key] else { return nil }
    if end == name.endIndex {
      self.init(code.tag, isCertain: code.isCertain)
      return
    }
    var parts = Parts(language: name[..<end])
    guard parts.read(name[end...]), let language = Self(code, parts) else { return nil }
    self = language
  }

  private init?(_ code: LanguageTable.Entry, _ parts: Parts) {
    var tag = code.tag
    if let script = parts.script { tag.script = script }
    guard let region = parts.region else {
      self.init(tag, isCertain: code.isCertain || parts.script != nil)
      return
    }
    // Codes of countries and former codes are used alone: 'jp', but not 'jp_JP'.
    tag.region = region
    if let usual = LanguageTable.usualTags[tag.description[...]] {
      self.init(usual, isCertain: true)
      return
    }
    guard tag.hasCurrentCodes else { return nil }
    let isUsual =
      parts.isCanonical || parts.script != nil
      || LanguageTable.usualRegions.contains(tag.description[...])
      || tag.isEquivalent(to: code.tag)
    guard isUsual || code.isCertain else { return nil }
    self.init(tag, isCertain: isUsual)
  }

  /// The parts of a code after the language.
  private struct Parts {
    var script: String?
    var region: String?
    /// Whether the case is that of locales: `it_IT`, but not `it_it`.
    var isCanonical: Bool

    init(language: ArraySlice<UInt8>) { isCanonical = language.allSatisfy { $0.lowercased == $0 } }

    /// Reads the rest of a name, which begins with a separator.
    mutating func read(_ text: ArraySlice<UInt8>) -> Bool {
      var rest = text
      while let separator = rest.popFirst() {
        switch separator {
        case UInt8(ascii: "-"), UInt8(ascii: "_"):
          let part = rest.prefix { $0.isLetterOrDigit }
          guard readSubtag(part) else { return false }
          rest = rest[part.endIndex...]
        case UInt8(ascii: "."):
          let end = rest.firstIndex(of: UInt8(ascii: "@")) ?? rest.endIndex
          let encoding = lowercased(rest[..<end])
          guard LanguageTable.encodings.contains(where: encoding.hasPrefix) else { return false }
          rest = rest[end...]
        case UInt8(ascii: "@"):
          return readModifier(lowercased(rest))
        default:
          return false
        }
      }
      return true
    }

    private func lowercased(_ bytes: ArraySlice<UInt8>) -> String {
      String(decoding: bytes.lazy.map(\.lowercased), as: UTF8.self)
    }

    private mutating func readSubtag(_ part: ArraySlice<UInt8>) -> Bool {
      guard region == nil, 2...4 ~= part.count else { return false }
      let text = lowercased(part)
      if let found = LanguageTable.scripts[text] {
        guard script == nil else { return false }
        script = found
        return true
      }
      // Android: 'pt-rBR'.
      let isAndroid = part.count == 3 && part.first == UInt8(ascii: "r")
      let code = isAndroid ? part.dropFirst() : part
      let isLetters = code.count == 2 && code.allSatisfy(\.isLetter)
      guard isLetters || part.count == 3 && part.allSatisfy(\.isDigit) else { return false }
      isCanonical = isCanonical && code.allSatisfy { !$0.isLetter || $0.lowercased != $0 }
      guard !isAndroid || isCanonical else { return false }
      region = text.suffix(code.count).uppercased()
      return true
    }

    private mutating func readModifier(_ text: String) -> Bool {
      if text == "euro" { return true }
      guard script == nil, let found = LanguageTable.modifiers[text] else { return false }
      script = found
      return true
    }
  }
}

// MARK: - Names: English, chinese_traditional, español, Portuguese(Brazil), german(de)

extension LanguageName {
  /// The start and the end of the combining marks U+0300 to U+036F, in UTF-8.
  private static let marks = (first: UInt8(0xCC), last: UInt8(0xCD))

  private init?(named name: ArraySlice<UInt8>) {
    guard name.count >= 3, LanguageTable.canStart(name) else { return nil }
    var key: [UInt8] = []
    key.reserveCapacity(name.count)
    var rest = name
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: " "), UInt8(ascii: "("),
        UInt8(ascii: ")"):
        continue
      case Self.marks.first...Self.marks.last:
        // File systems of Apple decompose letters: 'n' and U+0303 for 'ñ'.
        rest = rest.dropFirst()
      default:
        key.append(byte.lowercased)
      }
    }
    guard let entry = LanguageTable.names[key] else { return nil }
    self.init(entry.tag, isCertain: entry.isCertain)
  }

  /// Recognizes `chinese(traditional)(zh-tw)`.
  private init?(annotated name: ArraySlice<UInt8>) {
    guard name.last == UInt8(ascii: ")"), let start = name.lastIndex(of: UInt8(ascii: "(")),
      let code = Self(code: name[(start + 1)...].dropLast()),
      let outer = Self(named: name[..<start]),
      LanguageTag(language: outer.tag.language)
        .isEquivalent(to: LanguageTag(language: code.tag.language))
    else { return nil }
    self.init(code.tag, isCertain: true)
  }
}
