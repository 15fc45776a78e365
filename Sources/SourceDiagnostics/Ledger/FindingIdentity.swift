/// The identity of a finding: its rule, its file and its message.
///
/// It has no position: changes of other parts of the file keep it. Equal findings in one file have
/// the same identity.
package struct FindingIdentity: Sendable, Hashable {
  /// The ID of the rule.
  package var id: String
  /// The path of the file.
  package var path: String
  /// The message.
  package var message: String

  /// Creates an identity.
  package init(id: String, path: String, message: String) {
    self.id = id
    self.path = path
    self.message = message
  }

  /// Creates the identity of a finding; that of omitted findings has no number.
  package init(_ finding: Finding, at path: String) {
    self.init(id: finding.id.name, path: path, message: finding.message)
    if finding.id == Ledger.rest { message = "\(finding.severity.rawValue)s that are not listed" }
  }
}

extension Ledger {
  /// Returns the identities of findings with their numbers, in the order of the findings.
  ///
  /// Errors that a project cannot accept are omitted: they prevent checks of other files.
  /// `place` returns the path for the name of a text.
  package func identities(
    placed place: (String) -> String
  ) -> [(identity: FindingIdentity, count: Int)] {
    var list: [(identity: FindingIdentity, count: Int)] = []
    var indices: [FindingIdentity: Int] = [:]
    for page in pages {
      let path = place(page.source.name)
      for finding in page.findings where !finding.isFirm {
        let identity = FindingIdentity(finding, at: path)
        if let index = indices[identity] {
          list[index].count += finding.occurrences
        } else {
          indices[identity] = list.count
          list.append((identity, finding.occurrences))
        }
      }
    }
    return list
  }

  /// Removes known findings, at most the given numbers, and returns how many were removed.
  ///
  /// `known` then has the numbers of the findings that do not occur.
  package mutating func remove(
    _ known: inout [FindingIdentity: Int], placed place: (String) -> String
  ) -> Int {
    var places: [String: String] = [:]
    var removed = 0
    remove { finding, source, count in
      if finding.isFirm { return 0 }
      let path = places[source.name] ?? place(source.name)
      places[source.name] = path
      let identity = FindingIdentity(finding, at: path)
      let taken = Swift.min(count, known[identity] ?? 0)
      if taken > 0 { known[identity, default: 0] -= taken }
      removed += taken
      return taken
    }
    return removed
  }
}
