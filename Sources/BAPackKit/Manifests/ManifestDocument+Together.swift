public import SourceDiagnostics

extension ManifestDocument {
  /// What is wrong with the manifests of one app only when they are seen together.
  ///
  /// The result has, for each of them, what is to be added to its own findings.
  /// With a primary language it is also asked whether there are packs for it.
  public static func findings(
    together documents: [ManifestDocument], primaryLanguage: LanguageTag? = nil
  ) -> [[Finding]] {
    var findings = [[Finding]](repeating: [], count: documents.count)
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
        findings[number].append(PacksTogetherRules.sameID(id.text, at: span, first: place(earlier)))
        continue
      }
      first[id] = number
      let appearance = id.appearance
      if let earlier = appearances[appearance], let other = documents[earlier].assetPackID {
        findings[number].append(
          PacksTogetherRules.similarIDs(id, PackID(other), at: span, first: place(earlier)))
      } else {
        appearances[appearance] = number
      }
    }
    if let first = documents.firstIndex(where: { $0.manifest?.language != nil }) {
      findings[first].append(LanguageRules.systems(at: documents[first].locations.language))
    }
    if let primaryLanguage {
      for (index, finding) in PacksTogetherRules.primaryLanguage(
        documents, primary: primaryLanguage)
      {
        findings[index].append(finding)
      }
    }
    if let finding = PacksTogetherRules.tooMany(count: documents.count) {
      findings[documents.count - 1].append(finding)
    }
    return findings
  }
}
