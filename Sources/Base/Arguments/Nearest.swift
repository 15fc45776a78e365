import SourceDiagnostics

/// Returns the candidate that is nearest to `word` by spelling, or the only one that starts with a
/// `word` of three characters or more.
func nearest(to word: String, among candidates: [String]) -> String? {
  if let near = Spelling.nearest(to: word, among: candidates) { return near }
  let beginnings = candidates.filter { $0.lowercased().hasPrefix(word.lowercased()) }
  return word.count >= 3 && beginnings.count == 1 ? beginnings.first : nil
}
