/// The nearest of several words to one that is not among them, for suggestions.
public enum Spelling {
  /// The candidate that `word` was probably meant to be: equal but for case, or at most a third of
  /// its letters away; nil when none is near.
  public static func nearest(to word: String, among candidates: [String]) -> String? {
    guard word.utf8.count <= 64 else { return nil }
    let lowered = word.lowercased()
    if let same = candidates.first(where: { $0.lowercased() == lowered }) { return same }
    let letters = Array(lowered.unicodeScalars)
    var best: (distance: Int, candidate: String)?
    for candidate in candidates {
      let count = candidate.unicodeScalars.count
      // Nothing that is farther than this, or than the best so far, is worth the comparison.
      let limit = min(max(1, max(letters.count, count) / 3), (best?.distance ?? .max) - 1)
      guard abs(count - letters.count) <= limit,
        let distance = distance(letters, Array(candidate.lowercased().unicodeScalars), limit)
      else { continue }
      best = (distance, candidate)
      if distance == 0 { break }
    }
    return best?.candidate
  }

  /// How many letters must be put in, taken out, changed or swapped with a neighbour; nil when that is
  /// more than `limit`.
  static func distance(
    _ left: [Unicode.Scalar], _ right: [Unicode.Scalar], _ limit: Int
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
      // A swap reaches back over one row, so that both must be too far.
      if best > limit, last.allSatisfy({ $0 > limit }) { return nil }
      swap(&beforeLast, &last)
      swap(&last, &current)
    }
    return last[right.count] <= limit ? last[right.count] : nil
  }
}
