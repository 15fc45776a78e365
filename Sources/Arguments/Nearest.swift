/// The one of `candidates` that `word` was probably meant to be, if one is near enough: a third of
/// its letters may differ, capitals do not count, and the beginning of a name is enough.
package func nearest(to word: String, among candidates: [String]) -> String? {
  let lowered = Array(word.lowercased())
  var best: (name: String, distance: Int)?
  for candidate in candidates {
    let distance = editDistance(lowered, Array(candidate.lowercased()))
    if distance <= max(1, candidate.count / 3), distance < best?.distance ?? .max {
      best = (candidate, distance)
    }
  }
  if let best { return best.name }
  let beginnings = candidates.filter { $0.lowercased().hasPrefix(word.lowercased()) }
  return lowered.count >= 3 && beginnings.count == 1 ? beginnings.first : nil
}

/// How many letters have to be added, dropped, replaced or swapped with their neighbour.
func editDistance(_ left: [Character], _ right: [Character]) -> Int {
  var beforeLast: [Int] = []
  var last = Array(0...right.count)
  for i in left.indices {
    var row = [i + 1]
    for j in right.indices {
      let substitution = last[j] + (left[i] == right[j] ? 0 : 1)
      var cost = min(substitution, last[j + 1] + 1, row[j] + 1)
      if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] {
        cost = min(cost, beforeLast[j - 1] + 1)
      }
      row.append(cost)
    }
    beforeLast = last
    last = row
  }
  return last[right.count]
}
