import BAPackKit
import SourceDiagnostics
import SystemIO

/// The text that tells a developer what to do by hand: old calls and new ones, and a list to tick off.
struct MigrationGuide {
  private let draft: OnDemandDraft
  private let wishedPolicy: DownloadPolicy?
  private(set) var text = ""

  init(_ draft: OnDemandDraft, _ wishedPolicy: DownloadPolicy?) {
    self.draft = draft
    self.wishedPolicy = wishedPolicy
    write()
  }

  private mutating func line(_ words: String = "") { text += words + "\n" }

  private mutating func write() {
    line("# From On-Demand Resources to Background Assets")
    line()
    line("Made from `\(draft.input.shown)`. Tags are listed for programs in `tags.json`.")
    writePacks()
    writeTags()
    writeCatalogs()
    writeEnd()
    writeCalls()
    writeInfoPlist()
    writeChecklist()
  }

  // MARK: Packs

  private mutating func writePacks() {
    line()
    line("## Packs")
    line()
    line(
      """
      Each distinct set of tags is a pack, as it was in the App Store. A file with two tags is in the \
      pack of both, and a request for one tag means every pack that has it.
      """)
    line()
    line("| pack | tags | downloaded | files |")
    line("|---|---|---|---:|")
    for pack in draft.packs.packs {
      let tags = pack.tags.map(Self.cell).joined(separator: ", ")
      let count = pack.items.reduce(0) { $0 + $1.files.count }
      line("| `\(pack.id)` | \(tags) | \(words(for: wishedPolicy ?? pack.policy)) | \(count) |")
    }
    line()
    line(
      """
      - Initial-install tags become **essential**: they come with the installation and with each \
      update, and the app cannot be opened before they are there, as before.
      - Tags with a place in the prefetch order become **prefetch**: the download begins with the \
      installation. The order among them has no counterpart and is lost; if the app needs one first, \
      it asks for that pack itself.
      - All others are **on demand**.
      """)
  }

  private func words(for policy: DownloadPolicy) -> String {
    switch policy {
    case .essential: "essential"
    case .prefetch: "prefetch"
    case .onDemand: "on demand"
    }
  }

  // MARK: Tags

  private mutating func writeTags() {
    line()
    line("## Tags, and the calls to replace")
    line()
    line(
      """
      The new calls need iOS 26 or later. Files have the paths that they had in the app's bundle, so \
      `Bundle.main.url(forResource: "map", withExtension: "json")` becomes \
      `AssetPackManager.shared.url(for: "map.json")`; a folder of one language (`de.lproj`) stands in \
      the path. None of the new calls was compiled where this text was made.
      """)
    for use in draft.tags { write(use) }
  }

  private mutating func write(_ use: OnDemandDraft.TagUse) {
    let ids = use.packs.map(\.id)
    line()
    line("### \(Self.cell(use.tag))")
    line()
    guard !ids.isEmpty else {
      line("All it has is in asset catalogs; see below. There is no pack for it yet.")
      return
    }
    let packs = ids.map { "`\($0)`" }.joined(separator: ", ")
    line("\(ids.count == 1 ? "Pack" : "Packs"): \(packs)")
    line()
    let shown = use.paths.prefix(Self.mostFilesShown)
    for path in shown { line("- \(Self.cell(path))") }
    if use.paths.count > shown.count {
      line("- and \(use.paths.count - shown.count) more, which are in `tags.json`")
    }
    let tag = Self.literal(use.tag)
    let path = Self.literal(use.paths.first ?? "file")
    let list = ids.map { Self.literal($0) }.joined(separator: ", ")
    line()
    line("Swift, before and after:")
    line()
    line(
      """
      ```swift
      let request = NSBundleResourceRequest(tags: [\(tag)])
      try await request.beginAccessingResources()
      ```

      ```swift
      let manager = AssetPackManager.shared
      for id in [\(list)] {
        try await manager.ensureLocalAvailability(of: manager.assetPack(withID: id))
      }
      let contents = try manager.contents(at: \(path))
      ```

      Objective-C, before and after:

      ```objc
      NSBundleResourceRequest *request =
          [[NSBundleResourceRequest alloc] initWithTags:[NSSet setWithObject:@\(tag)]];
      [request beginAccessingResourcesWithCompletionHandler:^(NSError *error) { … }];
      ```

      ```objc
      BAAssetPackManager *manager = BAAssetPackManager.sharedManager;
      """)
    for id in ids {
      line(
        """
        [manager getAssetPackWithIdentifier:@\(Self.literal(id))
                          completionHandler:^(BAAssetPack *pack, NSError *error) {
          if (pack == nil) { return; }
          [manager ensureLocalAvailabilityOfAssetPack:pack
                                    completionHandler:^(NSError *error) { … }];
        }];
        """)
    }
    line("```")
  }

  private static let mostFilesShown = 20

  // MARK: What is by hand

  private mutating func writeCatalogs() {
    guard !draft.catalogItems.isEmpty else { return }
    line()
    line("## In asset catalogs: export these first")
    line()
    line(
      """
      A pack has files; nothing reads a compiled catalog (`Assets.car`) from one. Take these out of \
      their catalogs, put their files into the pack of their tags, and load them by their paths: \
      `UIImage(contentsOfFile:)` of the path, with `@2x` and `@3x` in the names, instead of \
      `UIImage(named:)`; `contents(at:)` instead of `NSDataAsset(name:)`.
      """)
    line()
    line("| item | kind | tags | files |")
    line("|---|---|---|---|")
    for item in draft.catalogItems {
      let tags = item.tags.map(Self.cell).joined(separator: ", ")
      let files = item.files.map(Self.cell).joined(separator: ", ")
      line("| \(Self.cell(item.path.shown)) | \(item.kind) | \(tags) | \(files) |")
    }
    writeCatalogSelectors()
  }

  /// Selectors for items whose files lie in the catalog as they are.
  private mutating func writeCatalogSelectors() {
    let plain = draft.catalogItems.filter { ["imageset", "dataset"].contains($0.kind) }
    guard plain.contains(where: { !$0.files.isEmpty }) else { return }
    line()
    line(
      """
      The files of images and data lie in the catalog as they are. These selectors take them from \
      there, each into a folder with the name of its item; add them to the manifests of these tags:
      """)
    let items = Dictionary(grouping: plain) { TagPacks.sorted($0.tags) }
    let ids = Dictionary(
      draft.packs.packs.filter { $0.language == nil }.map { ($0.tags, $0.id) }
    ) { first, _ in first }
    for tags in plain.map({ TagPacks.sorted($0.tags) }).uniqued {
      let place = ids[tags].map { "in `\($0).json`" } ?? "a new manifest"
      line()
      line("\(tags.map(Self.cell).joined(separator: ", ")), \(place):")
      line()
      line("```json")
      let selectors = (items[tags] ?? []).flatMap { item in
        item.files.map { file in
          FileSelector.renamedFile(
            source: item.path.appending(FilePath(file)).text, destination: "\(item.name)/\(file)"
          ).jsonValue
        }
      }
      line(selectors.map { JSONWriter.string($0, .compact) }.joined(separator: ",\n"))
      line("```")
    }
  }

  private mutating func writeEnd() {
    line()
    line("## What has no counterpart")
    line()
    line(
      """
      - `endAccessingResources()` told the system that it may remove the files. Packs stay until the \
      app removes them: take the call away, or, where space matters, call \
      `AssetPackManager.shared.remove(assetPackWithID:)` \
      (`removeAssetPackWithIdentifier:completionHandler:`) when the files are no longer needed.
      - `conditionallyBeginAccessingResources` asked whether the files are there: \
      `assetPackIsAvailableLocally(withID:)`.
      - `loadingPriority` and `setPreservationPriority(_:forTags:)` are gone; packs are neither \
      ordered nor purged.
      - `progress` of a request: the stream of status updates of `AssetPackManager`.
      - `NSBundleResourceRequestLowDiskSpace`: `ensureLocalAvailability` throws instead.
      """)
  }

  private mutating func writeCalls() {
    guard let scan = draft.scan else { return }
    let calls = scan.calls
    line()
    line("## Calls in the sources")
    line()
    if !scan.skipped.isEmpty {
      line("These files were not searched:")
      line()
      for file in scan.skipped { line("- \(Self.cell(file.shown))") }
      line()
    }
    guard !calls.isEmpty else {
      line("No call was found. Calls through wrappers of one's own cannot be told from the text.")
      return
    }
    line("| place | call | what it becomes |")
    line("|---|---|---|")
    let ids = Dictionary(draft.tags.map { ($0.tag, $0.packs.map(\.id)) }) { first, _ in first }
    for call in calls {
      line(
        "| \(Self.cell("\(call.path):\(call.line)")) | \(Self.cell(call.text)) | "
          + "\(becomes(call, ids)) |")
    }
  }

  private func becomes(_ call: SourceCall, _ ids: [String: [String]]) -> String {
    guard call.kind == .request else { return call.kind.becomes }
    let packs = call.tags.flatMap { ids[$0] ?? [] }
    let unknown = call.tags.filter { ids[$0] == nil }
    var words: [String] = []
    if !packs.isEmpty { words.append("packs " + packs.map { "`\($0)`" }.joined(separator: ", ")) }
    if !unknown.isEmpty {
      words.append("nothing has the tag " + unknown.map(Self.cell).joined(separator: ", "))
    }
    if words.isEmpty, !call.tags.isEmpty { return "nothing yet: all it has is in asset catalogs" }
    return words.isEmpty ? "look up its tags in `tags.json`" : words.joined(separator: "; ")
  }

  private mutating func writeInfoPlist() {
    line()
    line("## Info.plist")
    line()
    line(
      """
      Hosted by Apple: `BAAppGroupID` (an app group of the app and its extension), \
      `BAHasManagedAssetPacks` = YES, `BAUsesAppleHosting` = YES. On a server of one's own also \
      `BAManifestURL` and the sizes, which the packager computes from the packs.

      Take away: `NSBundleResourceRequest…` keys, and the build settings \
      `ENABLE_ON_DEMAND_RESOURCES`, `ON_DEMAND_RESOURCES_INITIAL_INSTALL_TAGS`, \
      `ON_DEMAND_RESOURCES_PREFETCH_ORDER`, `EMBED_ASSET_PACKS_IN_PRODUCT_BUNDLE`, \
      `ASSET_PACK_MANIFEST_URL_PREFIX`.
      """)
  }

  private mutating func writeChecklist() {
    line()
    line("## Checklist")
    line()
    var items = [
      "add a Background Assets downloader extension to the app, in the same app group",
      "set the keys of Info.plist above",
      "replace every `NSBundleResourceRequest` by the calls above",
      "replace look-ups in `Bundle` by paths in packs",
      "decide where `endAccessingResources` becomes `remove`",
      "take the tagged files out of the target's *Copy Bundle Resources*, or the app has them twice",
      "take away tags and build settings of On-Demand Resources",
      "pack, and try it on a device with a server for tests",
      "upload the packs before the app that needs them",
    ]
    if !draft.catalogItems.isEmpty {
      items.insert("export \(draft.catalogItems.count) items of asset catalogs", at: 0)
    }
    for item in items { line("- [ ] \(item)") }
  }

  // MARK: Escapes

  /// A text in a table or a heading: as code, whatever signs it has.
  private static func cell(_ text: String) -> String {
    let shown = Finding.Message("\(path: text)").text.replacing("|", with: "\\|")
    return shown.contains("`") ? "`` \(shown) ``" : "`\(shown)`"
  }

  /// A text as a literal of Swift, which C reads the same.
  private static func literal(_ text: String) -> String {
    JSONWriter.string(.string(text), .compact)
  }
}

extension [[String]] {
  /// Each list once, in the order in which they come first.
  fileprivate var uniqued: [[String]] {
    var seen: Set<[String]> = []
    return filter { seen.insert($0).inserted }
  }
}
