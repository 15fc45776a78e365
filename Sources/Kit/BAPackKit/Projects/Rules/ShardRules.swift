package import SourceDiagnostics

/// The rules for the packs of several shards.
package enum ShardRules {
  static let all: [Rule] = [missing, twice, foreign]

  /// A collected pack: its path and its ID.
  package struct Collected: Sendable {
    package var path: String
    package var id: PackID

    package init(_ path: String, _ id: PackID) {
      self.path = path
      self.id = id
    }
  }

  /// Compares the collected packs with the manifests of the project.
  ///
  /// Each pack must exist exactly once.
  package static func findings(
    collected: [Collected], of documents: [ManifestDocument], in folder: String
  ) -> Ledger {
    var findings = Ledger()
    var places: [PackID: String] = [:]
    let wanted = Set(documents.compactMap { $0.manifest.map { PackID($0.assetPackID) } })
    for pack in collected {
      let page = SourceText([], named: pack.path)
      if let first = places.updateValue(pack.path, forKey: pack.id) {
        findings.add(twice(pack.id, first: first), about: page)
      } else if !wanted.contains(pack.id) {
        findings.add(foreign(pack.id), about: page)
      }
    }
    for document in documents {
      guard let id = document.manifest.map({ PackID($0.assetPackID) }), places[id] == nil else {
        continue
      }
      findings.add(
        missing(id, in: folder, at: document.locations.assetPackID), about: document.source)
    }
    return findings
  }

  static let missing = Rule(
    "shards.missing",
    what: "A pack of the project is missing among the collected packs.",
    why: """
      Each shard contains a part of the project's packs. If a shard failed or was not collected, \
      the release would lack its packs.
      """,
    example: .init(
      wrong: "cave.aar only, for a project with 'cave' and 'forest'",
      right: "cave.aar and forest.aar"))

  static func missing(_ id: PackID, in folder: String, at span: SourceSpan?) -> Finding {
    missing.finding("there is no pack '\(id.text)' in '\(path: folder)'", at: span)
  }

  static let twice = Rule(
    "shards.twice",
    what: "Two of the collected packs have the same ID.",
    why: """
      Shards overlap if they were made with different shard counts or from different states of the \
      project. It is unknown which of the two packs is the right one.
      """,
    example: .init(
      wrong: "a/cave.aar and b/cave.aar", right: "cave.aar"))

  static func twice(_ id: PackID, first: String) -> Finding {
    twice.finding("duplicate pack '\(id.text)', first found in '\(path: first)'", at: nil)
  }

  static let foreign = Rule(
    "shards.foreign",
    what: "A collected pack is not part of the project.",
    why: """
      The pack was made from another state of the project, or an earlier run left it in the \
      folder. It would be published together with the other packs.
      """,
    example: .init(
      wrong: "old.aar and cave.aar, for a project with 'cave' only", right: "cave.aar"))

  static func foreign(_ id: PackID) -> Finding {
    foreign.finding("pack '\(id.text)' is not part of the project", at: nil)
  }
}
