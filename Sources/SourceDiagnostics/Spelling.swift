/// The nearest of several words to one that is not among them, for suggestions.
public enum Spelling {
  /// The candidate that `word` was probably meant to be: equal but for case, or at most a third of
  /// its letters away; nil when none is near.
  public static func nearest(to word: String, among candidates: [String]) -> String? {
    guard word.utf8.count <= 64 else { return nil }
    let lowered = word.lowercased()
    if let same = candidates.first(where: { $0.lowercased() == lowered }) { return same }
    var best: (distance: Int, candidate: String)?
    for candidate in candidates {
      let distance = distance(lowered, candidate.lowercased())
      let limit = max(1, max(word.count, candidate.count) / 3)
      guard distance <= limit, distance < best?.distance ?? Int.max else { continue }
      best = (distance, candidate)
    }
    return best?.candidate
  }

  /// How many letters must be put in, taken out, changed or swapped with a neighbour.
  static func distance(_ first: String, _ second: String) -> Int {
    let left = Array(first)
    let right = Array(second)
    var beforeLast = [Int](repeating: 0, count: right.count + 1)
    var last = Array(0...right.count)
    for row in left.indices {
      var current = [row + 1]
      current.reserveCapacity(right.count + 1)
      for column in right.indices {
        var least = min(
          last[column + 1] + 1, current[column] + 1,
          last[column] + (left[row] == right[column] ? 0 : 1))
        if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
          least = min(least, beforeLast[column - 1] + 1)
        }
        current.append(least)
      }
      (beforeLast, last) = (last, current)
    }
    return last[right.count]
  }
}
