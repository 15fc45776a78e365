/// The secrets that messages must not contain, not even in pieces.
struct Secrets {
  /// The pieces of the secrets, by their size.
  private var pieces: [Int: Set<[UInt8]>] = [:]

  init(_ secrets: [String]) {
    for secret in secrets.map({ Array($0.utf8) }) where !secret.isEmpty {
      let size = min(secret.count, Self.smallestPiece)
      for start in 0...secret.count - size {
        pieces[size, default: []].insert(Array(secret[start..<start + size]))
      }
    }
  }

  /// The size of the smallest piece of a secret that is removed.
  static let smallestPiece = 8
  /// The number of characters of a text in a response that are kept.
  static let longestDetail = 1000
  /// The number of bytes of a text that are read.
  static let longestText = 64 << 10

  /// Returns the first characters of a text, without the pieces of secrets and without the queries
  /// of URLs.
  ///
  /// The text is cut last: a piece at the end of a cut text would not be recognized.
  func removed(from text: String, upTo count: Int) -> String {
    let text = withoutQueries(String(decoding: text.utf8.prefix(Self.longestText), as: UTF8.self))
    let bytes = Array(text.utf8)
    var isSecret = [Bool](repeating: false, count: bytes.count)
    for (size, pieces) in pieces where size <= bytes.count {
      for start in 0...bytes.count - size
      where pieces.contains(Array(bytes[start..<start + size])) {
        for index in start..<start + size { isSecret[index] = true }
      }
    }
    var shown: [UInt8] = []
    for index in bytes.indices {
      if !isSecret[index] {
        shown.append(bytes[index])
      } else if index == 0 || !isSecret[index - 1] {
        shown += "…".utf8
      }
    }
    return String(String(decoding: shown, as: UTF8.self).prefix(count))
  }

  private func withoutQueries(_ text: String) -> String {
    guard text.contains("://") else { return text }
    return text.split(separator: " ", omittingEmptySubsequences: false).map { word in
      guard word.contains("://"), let mark = word.firstIndex(where: { $0 == "?" || $0 == "#" })
      else { return String(word) }
      return String(word[..<mark]) + "?…"
    }.joined(separator: " ")
  }
}
