import TerminalText

/// Finds the most similar of several texts, for suggestions.
package enum Spelling {
  /// Returns the candidate that `word` was probably intended to be; nil if none is similar.
  ///
  /// A candidate is similar if it differs only in case, or in at most a third of its letters.
  package static func nearest(to word: String, among candidates: [String]) -> String? {
    guard word.utf8.count <= 64 else { return nil }
    let letters = Self.letters(word)
    var best: (distance: Int, candidate: String)?
    for candidate in candidates {
      let others = Self.letters(candidate)
      // Candidates further away than this, or than the current best, are not compared to the end.
      let limit = min(max(1, max(letters.count, others.count) / 3), (best?.distance ?? .max) - 1)
      guard abs(others.count - letters.count) <= limit,
        let distance = distance(letters, others, limit)
      else { continue }
      best = (distance, candidate)
      if distance == 0 { break }
    }
    return best?.candidate
  }

  /// Returns the number of differences of two texts, regardless of case; nil if there are more
  /// than `limit`.
  package static func distance(_ left: String, _ right: String, atMost limit: Int) -> Int? {
    let (first, second) = (letters(left), letters(right))
    guard abs(first.count - second.count) <= limit else { return nil }
    return distance(first, second, limit)
  }

  /// Returns whether two words have at most this number of differences.
  package static func isNear(_ left: String, to right: String, differences: Int) -> Bool {
    distance(left, right, atMost: differences) != nil
  }

  /// Returns the letters of a word in one case.
  private static func letters(_ word: String) -> [UInt32] {
    guard word.utf8.allSatisfy({ $0 < 0x80 }) else {
      return word.lowercased().unicodeScalars.map(\.value)
    }
    return word.utf8.map { UInt32($0.lowercased) }
  }

  /// Returns the number of letters that must be inserted, removed, changed or swapped with an
  /// adjacent one; nil if that is more than `limit`.
  static func distance<Letter: Equatable>(
    _ left: [Letter], _ right: [Letter], _ limit: Int
  ) -> Int? {
    var beforeLast = [Int](repeating: 0, count: right.count + 1)
    var last = Array(0...right.count)
    var current = last
    for row in left.indices {
      current[0] = row + 1
      var best = row + 1
      for column in right.indices {
        var least = min(
          last[column + 1] + 1, current[column] + 1,
          last[column] + (left[row] == right[column] ? 0 : 1))
        if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
          least = min(least, beforeLast[column - 1] + 1)
        }
        current[column + 1] = least
        best = min(best, least)
      }
      // A swap uses the row before the last, so both rows must be too far away.
      if best > limit, last.allSatisfy({ $0 > limit }) { return nil }
      swap(&beforeLast, &last)
      swap(&last, &current)
    }
    return last[right.count] <= limit ? last[right.count] : nil
  }
}
