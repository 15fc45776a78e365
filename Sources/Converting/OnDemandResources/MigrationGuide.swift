import BAPackKit
import SourceDiagnostics
import SystemIO

/// The text that tells a developer what to do by hand: old calls and new ones, and a list to tick
/// off.
struct MigrationGuide {
  private let draft: OnDemandDraft
  private let wishedPolicy: DownloadPolicy?
  private(set) var text = ""

  init(_ draft: OnDemandDraft, _ wishedPolicy: DownloadPolicy?) {
    self.draft = draft
    self.wishedPolicy = wishedPolicy
    write()
  }

  private mutating func line(_ phrase: String = "") { text += phrase + "\n" }

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
      Each distinct set of tags is a pack, as it was in the App Store. A file with two tags is in \
      the pack of both, and a request for one tag means every pack that has it.
      """)
    line()
    line("| pack | tags | downloaded | files |")
    line("|---|---|---|---:|")
    for pack in draft.packs.packs {
      let tags = pack.tags.map(Self.cell).joined(separator: ", ")
      let count = pack.items.reduce(0) { $0 + $1.files.count }
      line("| `\(pack.id)` | \(tags) | \(phrase(for: wishedPolicy ?? pack.policy)) | \(count) |")
    }
    line()
    line(
      """
      - Initial-install tags become **essential**: they come with the installation and with each \
      update, and the app cannot be opened before they are there, as before.
      - Tags with a place in the prefetch order become **prefetch**: the download begins with the \
      installation. The order among them has no counterpart and is lost; if the app needs one \
      first, it asks for that pack itself.
      - All others are **on demand**.
      """)
  }

  private func phrase(for policy: DownloadPolicy) -> String {
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
      The new calls need iOS 26 or later. Files have the paths that they had in the app's bundle, \
      so `Bundle.main.url(forResource: "map", withExtension: "json")` becomes \
      `AssetPackManager.shared.url(for: "map.json")`; a folder of one language (`de.lproj`) stands \
      in the path. None of the new calls was compiled where this text was made.
      """)
    for use in draft.tags { write(use) }
  }

  private mutating func write(_ use: OnDemandDraft.TagUse) {
    let ids = use.packs.map(\.id)
    line()
    line("### \(Self.cell(use.tag))")
    line()
    guard !ids.isEmpty else {
      line("Its items of asset catalogs have no files: there is no pack for it.")
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
    writeSwift(use.tag, ids, path: use.paths.first ?? "file")
    writeObjectiveC(use.tag, ids)
  }

  private mutating func writeSwift(_ tag: String, _ ids: [String], path: String) {
    let list = ids.map { Self.literal($0) }.joined(separator: ", ")
    line()
    line("Swift, before and after:")
    line()
    line(
      """
      ```swift
      let request = NSBundleResourceRequest(tags: [\(Self.literal(tag))])
      try await request.beginAccessingResources()
      ```

      ```swift
      let manager = AssetPackManager.shared
      for id in [\(list)] {
        try await manager.ensureLocalAvailability(of: manager.assetPack(withID: id))
      }
      let contents = try manager.contents(at: \(Self.literal(path)))
      ```
      """)
  }

  private mutating func writeObjectiveC(_ tag: String, _ ids: [String]) {
    line()
    line("Objective-C, before and after:")
    line()
    line(
      """
      ```objc
      NSBundleResourceRequest *request =
          [[NSBundleResourceRequest alloc] initWithTags:[NSSet \
      setWithObject:@\(Self.literal(tag))]];
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
    line("## In asset catalogs")
    line()
    line(
      """
      A pack has files; nothing reads a compiled catalog (`Assets.car`) from one. The manifests \
      take the files of these items from the folders of the catalogs. Each file is below the name \
      of its item, after the folders that provide a namespace. Take the items out of the catalogs \
      that the app is built with, and load the files by their paths: `UIImage(contentsOfFile:)` of \
      the path, with `@2x` and `@3x` in the names, instead of `UIImage(named:)`; `contents(at:)` \
      instead of `NSDataAsset(name:)`.
      """)
    line()
    line("| item | kind | tags | pack | paths in the pack |")
    line("|---|---|---|---|---|")
    let packs = draft.packs.packs.filter { $0.language == nil }
    let ids = Dictionary(packs.map { ($0.tags, $0.id) }) { first, _ in first }
    for item in draft.catalogItems {
      let tags = item.tags.map(Self.cell).joined(separator: ", ")
      let id = ids[TagPacks.sorted(item.tags)].map { "`\($0)`" } ?? ""
      line(
        "| \(Self.cell(item.path.shown)) | \(item.kind) | \(tags) | \(id) | "
          + "\(paths(of: item, in: packs).map(Self.cell).joined(separator: ", ")) |")
    }
    writeExports(packs)
  }

  /// The paths of the files of an item in the pack of its tags.
  private func paths(of item: CatalogItem, in packs: [TagPacks.Pack]) -> [String] {
    let sources = Set(item.files.map { item.path.appending($0) })
    return packs.filter { $0.tags == TagPacks.sorted(item.tags) }.flatMap(\.items)
      .filter { sources.contains($0.source) }.map(\.destination.shown)
  }

  /// The folders that items are to be exported to, where their files are not at hand.
  private mutating func writeExports(_ packs: [TagPacks.Pack]) {
    let exports = packs.flatMap { pack in
      pack.items.filter(\.isExport).map { (id: pack.id, folder: $0.source) }
    }
    let isBuilt = draft.catalogItems.contains { $0.kind == "car" }
    if isBuilt {
      line()
      line(
        """
        A compiled catalog has no files. Export its items from the project, and add the files to \
        the manifest of their pack.
        """)
    }
    guard !exports.isEmpty else { return }
    line()
    line(
      """
      The items of these packs are compiled, or not here. Export them before the packs are made: \
      each item into a folder of its name, in the folder below, which the manifest of the pack \
      selects.
      """)
    line()
    line("| pack | folder |")
    line("|---|---|")
    for export in exports { line("| `\(export.id)` | \(Self.cell(export.folder.shown)) |") }
  }

  private mutating func writeEnd() {
    line()
    line("## What has no counterpart")
    line()
    line(
      """
      - `endAccessingResources()` told the system that it may remove the files. Packs stay until \
      the app removes them: take the call away, or, where space matters, call \
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
    var parts: [String] = []
    if !packs.isEmpty { parts.append("packs " + packs.map { "`\($0)`" }.joined(separator: ", ")) }
    if !unknown.isEmpty {
      parts.append("nothing has the tag " + unknown.map(Self.cell).joined(separator: ", "))
    }
    if parts.isEmpty, !call.tags.isEmpty { return "nothing: its catalog items have no files" }
    return parts.isEmpty ? "look up its tags in `tags.json`" : parts.joined(separator: "; ")
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
      """
      take the tagged files out of the target's *Copy Bundle Resources*, or the app has them \
      twice
      """,
      "take away tags and build settings of On-Demand Resources",
      "pack, and try it on a device with a server for tests",
      "upload the packs before the app that needs them",
    ]
    if !draft.catalogItems.isEmpty {
      items.insert("take the items with tags out of the app's asset catalogs", at: 0)
    }
    if draft.packs.packs.contains(where: { $0.items.contains(where: \.isExport) }) {
      items.insert("export the items of compiled catalogs to the folders above", at: 0)
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
