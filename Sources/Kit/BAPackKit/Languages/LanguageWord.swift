import SystemIO
import TerminalText

/// The spellings of a language in names of files: `es-ES`, `es_ES` or `es` for the tag `es-ES`.
package struct LanguageWord: Sendable {
  /// The spellings in lower case, the longest first.
  private let spellings: [[UInt8]]

  private static let star = UInt8(ascii: "*")

  /// Creates the spellings of a tag.
  package init(_ tag: LanguageTag) {
    let tags = [
      tag, tag.minimized, tag.maximized, LanguageTag(language: tag.language, script: tag.script),
      LanguageTag(language: tag.language),
    ]
    let words = Set(tags.map { Array($0.description.lowercased().utf8) })
    spellings = words.sorted { ($1.count, "\($1)") < ($0.count, "\($0)") }
  }

  /// Returns a name with each occurrence of the language replaced by `*`.
  package func starred(_ name: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(name.count)
    var index = name.startIndex
    while index < name.endIndex {
      let isStart = index == name.startIndex || !Self.isPartOfWord(name[index - 1])
      if isStart, let spelling = spellings.first(where: { matches($0, in: name, at: index) }) {
        result.append(Self.star)
        index += spelling.count
      } else {
        result.append(name[index])
        index += 1
      }
    }
    return result
  }

  /// Returns a path with each occurrence of the language replaced by `*`.
  package func starred(_ path: AssetPath) -> AssetPath {
    AssetPath(unchecked: starred(path.bytes)[...])
  }

  /// Returns the common part of the paths of a file in all languages.
  ///
  /// The result for a file in a folder with the name of the language is the folder: `Voices/*` for
  /// `Voices/fr/door.wav`. The language is removed from other names: `intro.mp4` for
  /// `intro.fr.mp4`.
  func commonPart(of path: AssetPath) -> [UInt8] {
    let starred = starred(path.bytes)
    guard starred.contains(Self.star) else { return starred }
    var start = 0
    for end in starred.indices where starred[end] == slash {
      if starred[start..<end] == [Self.star] { return Array(starred[..<end]) }
      start = end + 1
    }
    var result: [UInt8] = []
    for (place, byte) in starred.enumerated() {
      if byte != Self.star {
        result.append(byte)
      } else if let last = result.last, last != slash, place > 0, !Self.isPartOfWord(last) {
        result.removeLast()
      }
    }
    return result
  }

  private func matches(
    _ spelling: [UInt8], in name: ArraySlice<UInt8>, at index: Int
  ) -> Bool {
    let end = index + spelling.count
    guard end <= name.endIndex, end == name.endIndex || !Self.isPartOfWord(name[end]) else {
      return false
    }
    return zip(name[index..<end], spelling).allSatisfy(Self.isSame)
  }

  private static func isPartOfWord(_ byte: UInt8) -> Bool { byte.isLetterOrDigit || byte >= 0x80 }

  /// Returns whether a byte is a letter of a spelling, ignoring case; `_` matches `-`.
  private static func isSame(_ byte: UInt8, _ letter: UInt8) -> Bool {
    byte == letter || byte == UInt8(ascii: "_") && letter == UInt8(ascii: "-")
      || byte.lowercased == letter
  }
}
