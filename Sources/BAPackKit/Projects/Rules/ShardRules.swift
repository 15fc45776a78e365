package import SourceDiagnostics

/// What can be wrong with packs that several machines made, each some of them.
package enum ShardRules {
  static let all: [Rule] = [missing, twice, foreign]

  /// A pack that was collected: where it is, and its ID.
  package struct Collected: Sendable {
    package var path: String
    package var id: PackID

    package init(_ path: String, _ id: PackID) {
      self.path = path
      self.id = id
    }
  }

  /// Compares what was collected with the manifests that packs were to be made of; each is there
  /// once.
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

  /// Every pack of the project was made.
  static let missing = Rule(
    "shards.missing",
    what: "A pack of the project is not among those that were collected.",
    why: """
      Each machine packs its part of the project; if one of them failed, or its packs were not \
      collected, the release would lack them.
      """,
    example: .init(
      wrong: "cave.aar alone, of a project that has 'cave' and 'forest'",
      right: "cave.aar and forest.aar"))

  static func missing(_ id: PackID, in folder: String, at span: SourceSpan?) -> Finding {
    missing.finding("there is no pack '\(id.text)' in '\(path: folder)'", at: span)
  }

  /// Every pack was made once.
  static let twice = Rule(
    "shards.twice",
    what: "Two of the collected packs have the same ID.",
    why: """
      Parts that were made with different numbers of machines, or from different states of the \
      project, overlap; which of the two packs is the right one cannot be known.
      """,
    example: .init(
      wrong: "a/cave.aar and b/cave.aar", right: "cave.aar"))

  static func twice(_ id: PackID, first: String) -> Finding {
    twice.finding("the pack '\(id.text)' is there twice, first as '\(path: first)'", at: nil)
  }

  /// Nothing else was collected.
  static let foreign = Rule(
    "shards.foreign",
    what: "A pack was collected that the project does not have.",
    why: """
      It was made from another state of the project, or it was left in the folder by an earlier \
      run; whoever publishes the folder would publish it, too.
      """,
    example: .init(
      wrong: "old.aar beside cave.aar, of a project that has 'cave' alone", right: "cave.aar"))

  static func foreign(_ id: PackID) -> Finding {
    foreign.finding("the project has no pack '\(id.text)'", at: nil)
  }
}
