import SourceDiagnostics
import TerminalText

/// A language tag in a text, with the places of its subtags.
struct WrittenLanguageTag: Equatable {
  /// The tag with corrected case.
  var tag: LanguageTag
  /// Whether it contains `_` instead of `-`.
  var hasUnderscore: Bool
  /// The places of the subtags, as UTF-8 offsets in the text.
  var language: Range<Int>
  var script: Range<Int>?
  var region: Range<Int>?

  /// A reason why a text is not a tag of a pack.
  enum Fault: Error, Equatable {
    /// The text is malformed, for a reason.
    case malformed(Finding.Message)
    /// BCP 47 allows the subtag, but packs do not support it.
    case unsupported(kind: String, subtag: String)
  }

  /// Parses a tag; `_` counts as `-`, and case is ignored.
  static func parse(_ text: String) -> Result<WrittenLanguageTag, Fault> {
    let subtags = split(text)
    for subtag in subtags {
      if subtag.text.isEmpty {
        return .failure(.malformed(text.isEmpty ? "it is empty" : "a subtag is empty"))
      }
      guard subtag.isLettersAndDigits, subtag.text.count <= 8 else {
        return .failure(.malformed("'\(subtag.text)' is not a subtag"))
      }
    }
    guard let first = subtags.first else { return .failure(.malformed("it is empty")) }
    guard first.isLetters, 2...3 ~= first.text.count else {
      if first.text.lowercased() == "x" {
        return .failure(.unsupported(kind: "private use", subtag: text))
      }
      return .failure(.malformed("a language has two or three letters, not '\(first.text)'"))
    }
    var rest = subtags.dropFirst()
    var result = WrittenLanguageTag(
      tag: LanguageTag(language: first.text.lowercased()),
      hasUnderscore: text.utf8.contains(UInt8(ascii: "_")), language: first.range)
    if let next = rest.first, next.isLetters, next.text.count == 3 {
      return .failure(.unsupported(kind: "an extended language", subtag: next.text))
    }
    if let script = rest.first, script.isLetters, script.text.count == 4 {
      result.tag.script = script.text.prefix(1).uppercased() + script.text.dropFirst().lowercased()
      result.script = script.range
      rest = rest.dropFirst()
    }
    if let region = rest.first, region.isRegion {
      result.tag.region = region.text.uppercased()
      result.region = region.range
      rest = rest.dropFirst()
    }
    if let surplus = rest.first { return .failure(fault(of: surplus)) }
    return .success(result)
  }

  /// Returns the fault of a subtag after language, script and region.
  private static func fault(of subtag: Subtag) -> Fault {
    let length = subtag.text.count
    if length == 1 {
      let isPrivate = subtag.text.lowercased() == "x"
      return .unsupported(kind: isPrivate ? "private use" : "an extension", subtag: subtag.text)
    }
    let beginsWithDigit = subtag.text.first?.isNumber ?? false
    if length == 3, subtag.isLetters {
      return .unsupported(kind: "an extended language", subtag: subtag.text)
    }
    if length >= 5 || (length == 4 && beginsWithDigit) {
      return .unsupported(kind: "a variant", subtag: subtag.text)
    }
    return .malformed("the subtag '\(subtag.text)' is in the wrong place")
  }

  private struct Subtag {
    var text: String
    var range: Range<Int>

    var isLetters: Bool { text.utf8.allSatisfy(\.isLetter) }
    var isLettersAndDigits: Bool { text.utf8.allSatisfy(\.isLetterOrDigit) }
    var isRegion: Bool {
      text.utf8.count == 2 ? isLetters : text.utf8.count == 3 && text.utf8.allSatisfy(\.isDigit)
    }
  }

  private static func split(_ text: String) -> [Subtag] {
    var subtags: [Subtag] = []
    var start = 0
    let bytes = Array(text.utf8)
    for index in 0...bytes.count {
      let isEnd = index == bytes.count
      guard isEnd || bytes[index] == UInt8(ascii: "-") || bytes[index] == UInt8(ascii: "_") else {
        continue
      }
      subtags.append(
        Subtag(text: String(decoding: bytes[start..<index], as: UTF8.self), range: start..<index))
      start = index + 1
    }
    return subtags
  }
}
