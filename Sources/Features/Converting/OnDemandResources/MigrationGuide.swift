import BAPackKit
import SourceDiagnostics
import SystemIO

/// The guide that `convert` writes: the manual steps of a migration, with old and new calls and a
/// checklist.
struct MigrationGuide {
  private let draft: OnDemandDraft
  private let selectedPolicy: DownloadPolicy?
  private(set) var text = ""

  init(_ draft: OnDemandDraft, _ selectedPolicy: DownloadPolicy?) {
    self.draft = draft
    self.selectedPolicy = selectedPolicy
    write()
  }

  private mutating func line(_ phrase: String = "") { text += phrase + "\n" }

  private mutating func write() {
    line("# From On-Demand Resources to Background Assets")
    line()
    line("Generated from `\(draft.input.shown)`. `tags.json` lists the tags for programs.")
    writePacks()
    writeTags()
    writeCatalogs()
    writeEnd()
    writeCalls()
    writeRequirements()
    writeChecklist()
  }

  // MARK: Packs

  private mutating func writePacks() {
    line()
    line("## Packs")
    line()
    line(
      """
      Each distinct set of tags becomes one pack, as in the App Store. A file with two tags is \
      in the pack for exactly these two tags. A request for one tag requires every pack that has \
      the tag.
      """)
    line()
    line("| Pack | Tags | Download policy | Files |")
    line("|---|---|---|---:|")
    for pack in draft.packs.packs {
      let tags = pack.tags.map(Self.cell).joined(separator: ", ")
      let count = pack.items.reduce(0) { $0 + $1.files.count }
      line("| `\(pack.id)` | \(tags) | \(phrase(for: selectedPolicy ?? pack.policy)) | \(count) |")
    }
    line()
    line(
      """
      - Initial-install tags become **essential** packs. They are downloaded with the \
      installation and with each update, and the app cannot be opened before they are installed. \
      On-Demand Resources did the same.
      - Tags in the prefetch order become **prefetch** packs. The download begins with the \
      installation. Prefetch packs have no order; if the app requires one of them first, it \
      requests that pack.
      - All other tags become **on-demand** packs.
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
    line("## Tags and the calls to replace")
    line()
    line(
      """
      The new calls require iOS 26 or later. Files keep the paths that they had in the app's \
      bundle: `Bundle.main.url(forResource: "map", withExtension: "json")` becomes \
      `AssetPackManager.shared.url(for: "map.json")`. The path of a localized file includes its \
      language folder (`de.lproj`). The new calls in this guide were not compiled. ba-package also \
      generates code with the same calls, with checks of the app and progress, which was compiled \
      with a mock of Apple's framework.
      """)
    for use in draft.tags { write(use) }
  }

  private mutating func write(_ use: OnDemandDraft.TagUse) {
    let ids = use.packs.map(\.id)
    line()
    line("### \(Self.cell(use.tag))")
    line()
    guard !ids.isEmpty else {
      line("Its items are in asset catalogs and have no files, so there is no pack for this tag.")
      return
    }
    let packs = ids.map { "`\($0)`" }.joined(separator: ", ")
    line("\(ids.count == 1 ? "Pack" : "Packs"): \(packs)")
    line()
    let shown = use.paths.prefix(Self.mostFilesShown)
    for path in shown { line("- \(Self.cell(path))") }
    if use.paths.count > shown.count {
      line("- and \(use.paths.count - shown.count) more files, which `tags.json` lists")
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

  // MARK: Manual steps

  private mutating func writeCatalogs() {
    guard !draft.catalogItems.isEmpty else { return }
    line()
    line("## Asset catalogs")
    line()
    line(
      """
      A pack contains files, and no API reads a compiled catalog (`Assets.car`) from a pack. The \
      manifests select the files of these items in the folders of the catalogs. The path of each \
      file begins with the name of its item, after the folders that provide a namespace. Remove \
      the items from the catalogs that the app is built with, and load the files by their paths: \
      use `UIImage(contentsOfFile:)` with the path, including `@2x` and `@3x`, instead of \
      `UIImage(named:)`, and `contents(at:)` instead of `NSDataAsset(name:)`.
      """)
    line()
    line("| Item | Kind | Tags | Pack | Paths in the pack |")
    line("|---|---|---|---|---|")
    let packs = draft.packs.packs.filter { $0.language == nil }
    let packsByTags = Dictionary(
      packs.map { ($0.tags, (id: $0.id, items: Dictionary(grouping: $0.items, by: \.source))) }
    ) { first, _ in first }
    for item in draft.catalogItems {
      let tags = item.tags.map(Self.cell).joined(separator: ", ")
      let pack = packsByTags[TagPacks.sorted(item.tags)]
      let id = pack.map { "`\($0.id)`" } ?? ""
      let paths = item.files.flatMap { pack?.items[item.path.appending($0)] ?? [] }
        .map { Self.cell($0.destination.shown) }
      line(
        "| \(Self.cell(item.path.shown)) | \(item.kind) | \(tags) | \(id) | "
          + "\(paths.joined(separator: ", ")) |")
    }
    writeExports(packs)
  }

  /// Writes the folders to which the developer exports items whose files are not available.
  private mutating func writeExports(_ packs: [TagPacks.Pack]) {
    let exports = packs.flatMap { pack in
      pack.items.filter(\.isExport).map { (id: pack.id, folder: $0.source) }
    }
    let isBuilt = draft.catalogItems.contains { $0.kind == "car" }
    if isBuilt {
      line()
      line(
        """
        A compiled catalog contains no files. Export its items from the project, and add the \
        files to the manifest of their pack.
        """)
    }
    guard !exports.isEmpty else { return }
    line()
    line(
      """
      The items of these packs are compiled or not available. Export them before you pack: copy \
      each item into a folder with the item's name, inside the folder below. The manifest of the \
      pack selects that folder.
      """)
    line()
    line("| Pack | Folder |")
    line("|---|---|")
    for export in exports { line("| `\(export.id)` | \(Self.cell(export.folder.shown)) |") }
  }

  private mutating func writeEnd() {
    line()
    line("## Calls without a direct counterpart")
    line()
    line(
      """
      - `endAccessingResources()` allowed the system to remove the files. Packs are kept until \
      the app removes them. Delete the call. If storage space is limited, call \
      `AssetPackManager.shared.remove(assetPackWithID:)` \
      (`removeAssetPackWithIdentifier:completionHandler:`) when the files are no longer required.
      - `conditionallyBeginAccessingResources` checked whether the files are on the device: use \
      `assetPackIsAvailableLocally(withID:)`.
      - `loadingPriority` and `setPreservationPriority(_:forTags:)` have no replacement: packs \
      have no priority, and the system does not purge them.
      - `progress` of a request: use the stream of status updates of `AssetPackManager`.
      - `NSBundleResourceRequestLowDiskSpace`: `ensureLocalAvailability` throws an error instead.
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
      line("No calls were found. Calls through your own wrapper functions cannot be detected.")
      return
    }
    line("| Place | Call | Replacement |")
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
      parts.append("unknown tag: " + unknown.map(Self.cell).joined(separator: ", "))
    }
    if parts.isEmpty, !call.tags.isEmpty { return "none: its catalog items have no files" }
    return parts.isEmpty ? "see its tags in `tags.json`" : parts.joined(separator: "; ")
  }

  /// Writes what the app needs, with the texts and files of a setup for packs that Apple hosts.
  private mutating func writeRequirements() {
    let group = DownloaderExtension.exampleGroup
    let downloader = DownloaderExtension(of: .appleHosted)
    line()
    line("## Info.plist and the extension")
    line()
    line(
      """
      Packs that Apple hosts require these keys. Replace the group by yours. Packs on your own \
      server also require `BAManifestURL` and the sizes that ba-package computes from the packs.

      ```xml
      \(PropertyList.members(InfoPlistFragment(ofAppleHostedAppInGroup: group).keys))```

      """)
    for requirement in AppRequirement.all(of: .appleHosted, group: group, language: .swift) {
      line("- " + (["\(requirement.title)."] + requirement.details).joined(separator: " "))
    }
    line()
    line(
      """
      The Info.plist of the extension:

      ```xml
      \(PropertyList.xml(downloader.infoPlist))```

      The code of the extension, `\(downloader.sourceName)`:

      ```swift
      \(downloader.source)```

      Remove the `NSBundleResourceRequest…` keys and these build settings: \
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
      "set the Info.plist keys, and add the extension and the app group, as listed above",
      "replace every `NSBundleResourceRequest` with the calls above",
      "replace searches in `Bundle` with paths in packs",
      "replace `endAccessingResources` with `remove` where needed",
      """
      remove the tagged files from the target's *Copy Bundle Resources* phase; otherwise the app \
      contains them twice
      """,
      "remove tags and build settings of On-Demand Resources",
      "pack, and test the packs on a device with a test server",
      "check the built app and its packs with ba-package, before its upload",
      "upload the packs before the app version that requires them",
    ]
    if !draft.catalogItems.isEmpty {
      items.insert("remove the items with tags from the app's asset catalogs", at: 0)
    }
    if draft.packs.packs.contains(where: { $0.items.contains(where: \.isExport) }) {
      items.insert(
        "export the items of compiled catalogs to the folders that are listed above", at: 0)
    }
    for item in items { line("- [ ] \(item)") }
  }

  // MARK: Escapes

  /// Returns a text as code for a table or a heading, with special characters escaped.
  private static func cell(_ text: String) -> String {
    let shown = Finding.Message("\(path: text)").text.replacing("|", with: "\\|")
    return shown.contains("`") ? "`` \(shown) ``" : "`\(shown)`"
  }

  /// Returns a text as a Swift literal, which is also a valid C literal.
  private static func literal(_ text: String) -> String {
    JSONWriter.string(.string(text), .compact)
  }
}
