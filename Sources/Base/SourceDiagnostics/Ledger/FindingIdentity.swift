/// The identity of a finding: its rule, its file and its message.
///
/// It has no position: changes of other parts of the file keep it. Equal findings in one file have
/// the same identity. A finding about several files has an identity for each of them.
package struct FindingIdentity: Sendable, Hashable {
  /// The ID of the rule.
  package var id: String
  /// The path of the file.
  package var path: String
  package var message: String

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
      for finding in page.findings where !finding.mustStayError {
        for (identity, count) in identities(of: finding, at: path) {
          if let index = indices[identity] {
            list[index].count += count
          } else {
            indices[identity] = list.count
            list.append((identity, count))
          }
        }
      }
    }
    return list
  }

  private func identities(
    of finding: Finding, at path: String
  ) -> [(FindingIdentity, count: Int)] {
    if finding.fileGroups.isEmpty {
      return [(FindingIdentity(finding, at: path), finding.occurrences)]
    }
    return finding.fileGroups.flatMap(\.messages).map { text, count in
      (FindingIdentity(id: finding.id.name, path: path, message: text), count)
    }
  }

  /// Removes known findings, at most the given numbers, and returns how many were removed.
  ///
  /// `known` then has the numbers of the findings that do not occur. A finding about several files
  /// is kept for the unknown findings.
  package mutating func remove(
    _ known: inout [FindingIdentity: Int], placed place: (String) -> String
  ) -> Int {
    var places: [String: String] = [:]
    var removed = 0
    remove { finding, source, count in
      if finding.mustStayError { return 0 }
      let path = places[source.name] ?? place(source.name)
      places[source.name] = path
      func take(_ identity: FindingIdentity, _ count: Int) -> Int {
        let taken = Swift.min(count, known[identity] ?? 0)
        if taken > 0 { known[identity, default: 0] -= taken }
        removed += taken
        return taken
      }
      if finding.fileGroups.isEmpty { return take(FindingIdentity(finding, at: path), count) }
      let id = finding.id.name
      let isKnown = finding.removeFiles { text, count in
        take(FindingIdentity(id: id, path: path, message: text), count)
      }
      return isKnown ? 1 : 0
    }
    return removed
  }
}

extension Finding {
  /// Removes known files, and returns whether no file is left.
  ///
  /// The message is about the other files then.
  fileprivate mutating func removeFiles(
    _ known: (_ message: String, _ count: Int) -> Int
  ) -> Bool {
    var removed = 0
    for index in fileGroups.indices { removed += fileGroups[index].remove(known) }
    fileGroups.removeAll { $0.count == 0 }
    if removed > 0, !fileGroups.isEmpty {
      message = fileGroups.map(\.message.text).joined(separator: ", ")
    }
    return fileGroups.isEmpty
  }
}
