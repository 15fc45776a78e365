import SourceDiagnostics

/// Returns the candidate that is nearest to `word` by spelling, or the only one that starts with a
/// `word` of three characters or more.
///
/// The dashes of options do not count. A candidate with another first letter may have no other
/// difference, because `include` is not a misspelling of `exclude`.
func nearest(to word: String, among candidates: [String]) -> String? {
  func name(_ word: String) -> String { String(word.drop { $0 == "-" }) }
  let own = name(word)
  let similar = candidates.filter { candidate in
    let other = name(candidate)
    return own.first?.lowercased() == other.first?.lowercased()
      || Spelling.isNear(own, to: other, differences: 1)
  }
  if let near = Spelling.nearest(to: own, among: similar.map(name)),
    let found = similar.first(where: { name($0) == near })
  {
    return found
  }
  let beginnings = candidates.filter { name($0).lowercased().hasPrefix(own.lowercased()) }
  return own.count >= 3 && beginnings.count == 1 ? beginnings.first : nil
}
