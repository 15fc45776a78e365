public import SourceDiagnostics

extension ManifestDocument {
  /// What is wrong with the manifests of one app only when they are seen together.
  ///
  /// The result has, for each of them, what is to be added to its own findings.
  /// With a primary language it is also asked whether there are packs for it.
  public static func findings(
    together documents: [ManifestDocument], primaryLanguage: LanguageTag? = nil
  ) -> [[Diagnostic]] {
    var findings = [[Diagnostic]](repeating: [], count: documents.count)
    var first: [String: Int] = [:]
    for (number, document) in documents.enumerated() {
      guard let id = document.assetPackID else { continue }
      guard let earlier = first[id] else {
        first[id] = number
        continue
      }
      let other = documents[earlier]
      let position = other.source.position(of: other.locations.assetPackID?.start ?? 0)
      findings[number].append(
        PacksSameID.finding(
          id, at: document.locations.assetPackID,
          first: "\(other.source.name):\(position.line):\(position.column)"))
    }
    if let first = documents.firstIndex(where: { $0.manifest?.language != nil }) {
      findings[first].append(LocalizedSystems.finding(at: documents[first].locations.language))
    }
    if let primaryLanguage {
      for (index, finding) in PrimaryLanguage.check(documents, primary: primaryLanguage) {
        findings[index].append(finding)
      }
    }
    if let finding = PacksCount.check(count: documents.count) {
      findings[documents.count - 1].append(finding)
    }
    return findings
  }
}
