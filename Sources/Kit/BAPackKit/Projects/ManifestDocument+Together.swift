package import SourceDiagnostics

extension ManifestDocument {
  /// Returns the findings about the manifests of one app in combination.
  ///
  /// The ledger has a page for each manifest, with findings to add to the findings of that
  /// manifest. If `primaryLanguage` is given, the packs must support it. `families` are the groups
  /// of localized packs with the same content, if their files are known.
  package static func findings(
    together documents: [ManifestDocument], primaryLanguage: LanguageTag? = nil,
    hosting: Hosting? = nil, families: [[Int]]? = nil
  ) -> Ledger {
    var findings = Ledger()
    for document in documents { findings.turn(to: document.source) }
    var first: [PackID: Int] = [:]
    var appearances: [String: Int] = [:]
    func place(_ number: Int) -> String {
      let other = documents[number]
      let position = other.source.position(of: other.locations.assetPackID?.start ?? 0)
      return "\(other.source.name):\(position.line):\(position.column)"
    }
    for (number, document) in documents.enumerated() {
      guard let id = document.assetPackID.map({ PackID($0) }) else { continue }
      let span = document.locations.assetPackID
      if let earlier = first[id] {
        findings.add(
          PacksTogetherRules.sameID(id.text, at: span, first: place(earlier)),
          about: document.source)
        continue
      }
      first[id] = number
      let appearance = id.appearance
      if let earlier = appearances[appearance], let other = documents[earlier].assetPackID {
        findings.add(
          PacksTogetherRules.similarIDs(id, PackID(other), at: span, first: place(earlier)),
          about: document.source)
      } else {
        appearances[appearance] = number
      }
    }
    if let first = documents.first(where: { $0.manifest?.language != nil }) {
      findings.add(LanguageRules.systems(at: first.locations.language), about: first.source)
    }
    if let primaryLanguage {
      for (index, finding) in PacksTogetherRules.primaryLanguage(
        documents, primary: primaryLanguage, families: families)
      {
        findings.add(finding, about: documents[index].source)
      }
    }
    if let last = documents.last {
      for budget in DeliveryLimits.current.budgets(for: hosting) where budget.subject == .count {
        let use = BudgetUse(of: budget, byPacks: documents.count)
        findings.add(use.finding, about: last.source)
      }
    }
    return findings
  }
}
