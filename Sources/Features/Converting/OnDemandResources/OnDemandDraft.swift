import AppSide
import BAPackKit
package import SourceDiagnostics
import SystemIO

/// The On-Demand Resources of an app, collected from its project or from a product of Xcode.
package struct OnDemandDraft {
  /// The input, as the user named it.
  var input: FilePath
  /// The main text of the input.
  var source: SourceText
  var packs = TagPacks()
  var catalogItems: [CatalogItem] = []
  /// The tags that the input lists, including unused ones.
  var knownTags: [SettingElement] = []
  var sourceRoot: FilePath?
  var isAtHand = true
  var platforms: [Platform] = []
  /// Whether the input specifies no download policies.
  var assumesPolicy = false
  var findings = Ledger()
  /// The calls in the sources, if the sources were searched.
  var scan: SourceScan?

  init(input: FilePath, source: SourceText? = nil) {
    self.input = input
    self.source = source ?? SourceText([], named: input.text)
    findings = Ledger(about: self.source)
  }

  /// A tag with its packs and files.
  struct TagUse {
    var tag: String
    var packs: [TagPacks.Pack] = []
    var items: [CatalogItem] = []
  }

  /// The tags that are in use, sorted by their bytes.
  var tags: [TagUse] {
    var uses: [String: TagUse] = [:]
    for pack in packs.packs {
      for tag in pack.tags { uses[tag, default: TagUse(tag: tag)].packs.append(pack) }
    }
    for item in catalogItems {
      for tag in Set(item.tags) { uses[tag, default: TagUse(tag: tag)].items.append(item) }
    }
    return TagPacks.sorted(Array(uses.keys)).compactMap { uses[$0] }
  }

  /// Returns the conversion: manifests, `tags.json` and `MIGRATION.md`.
  package consuming func conversion(_ options: ConversionOptions) -> Conversion {
    packs.nameAll(options.assetPackID)
    var conversion = Conversion()
    conversion.findings = findings
    guard !packs.packs.isEmpty || !catalogItems.isEmpty else {
      // The errors already explain why there are no packs.
      guard !findings.hasErrors else { return conversion }
      conversion.findings.add(
        OnDemandRules.nothingTagged(in: input.text), about: source)
      return conversion
    }
    if assumesPolicy, options.downloadPolicy == nil {
      conversion.findings.add(
        ConversionRules.assumedPolicy(packs.packs.map(\.id)), about: source)
    }
    if platforms.isEmpty, options.platforms.isEmpty, !packs.packs.isEmpty {
      conversion.findings.add(
        ConversionRules.assumedPlatforms(packs.packs.map(\.id)), about: source)
    }
    let known = platforms.isEmpty ? Platform.allCases : platforms
    let platforms = options.platforms.isEmpty ? known : options.platforms
    for pack in packs.packs {
      var pack = pack
      if let policy = options.downloadPolicy { pack.policy = policy }
      if pack.language == nil { pack.language = options.language }
      conversion.manifests.append(
        pack.converted(
          sourceRoot: sourceRoot, isAtHand: isAtHand, platforms: platforms, in: source))
    }
    conversion.otherFiles = [
      .init(name: "tags.json", bytes: Self.tagTable.bytes(of: self, .readable)),
      .init(
        name: "MIGRATION.md",
        bytes: Array(MigrationGuide(self, options.downloadPolicy).text.utf8)),
    ]
    return conversion
  }

  /// The packs and file paths of each tag, which replace a request for the tag.
  package static let tagTable = Table<Self>(written: "a table of tags") {
    Key("format", written: { _ in 1 }, .integer(in: 1...1), "The version of the format.")
    Key(
      "tags", written: { $0.tags.map { (key: $0.tag, value: $0) } }, .values(of: .object(use)),
      "The asset packs for each tag of On-Demand Resources.")
  }

  private static let use = Table<TagUse>(written: "a tag") {
    Key(
      "packs", written: { $0.packs.map(\.id) }, .list(of: .text),
      "The IDs of the packs with the files of the tag.")
    Key("files", written: \.paths, .list(of: .text), "The paths of the files in these packs.")
    Key(
      "assetCatalogItems", written: { $0.items.map(\.path.text) }, .list(of: .text),
      "The paths of its items in asset catalogs.")
  }
}

extension OnDemandDraft.TagUse {
  /// The paths of the tag's files in the packs.
  var paths: [String] {
    packs.flatMap { $0.items.flatMap(\.files) }.map(\.destination.text)
  }
}

extension PropertyListText {
  /// Parses a property list; returns nil and adds a finding to `ledger` if it cannot be parsed.
  package static func read(_ source: SourceText, into ledger: inout Ledger) -> PlacedValue? {
    read(source, into: &ledger, refusing: OnDemandRules.unreadable)
  }
}
