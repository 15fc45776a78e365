import SourceDiagnostics
import SystemIO

extension DownloadManifestCheck {
  /// What the property list lacks, and what does not fit into its sizes.
  func checkPlist(_ archives: [PublishedArchive?]) -> [Findings] {
    guard let plist else { return [] }
    var list = FindingList()
    list.add(contentsOf: plist.diagnostics)
    if let values = plist.plist {
      checkKeys(values, in: plist, &list)
      for key in InfoPlist.SizeKey.allCases { checkSize(key, values, in: plist, archives, &list) }
    }
    return [Findings(plist.source, list.sorted())]
  }

  private func checkKeys(
    _ values: InfoPlist, in plist: InfoPlistDocument, _ list: inout FindingList
  ) {
    typealias Key = InfoPlist.Key
    if !values.hasRestrictions {
      list.add(
        DownloadInfoPlist.missing(Key.restrictions, because: "the app crashes without it"))
    } else if values.domains == nil, !plist.refusedKeys.contains(Key.domains) {
      list.add(
        DownloadInfoPlist.missing(
          Key.domains, because: "no host is allowed without it",
          at: plist.span(of: Key.restrictions)))
    }
    if values.usesAppleHosting == true {
      list.add(
        DownloadInfoPlist.wrongValue(
          Key.usesAppleHosting, "is true: the app would ask the App Store for its packs",
          at: plist.span(of: Key.usesAppleHosting)))
    }
    if values.appGroupID == nil, !plist.refusedKeys.contains(Key.appGroupID) {
      list.add(
        DownloadInfoPlist.missing(
          Key.appGroupID, because: "the app and its extension share their packs through it"))
    }
    guard let url = values.manifestURL else {
      if !plist.refusedKeys.contains(Key.manifestURL) {
        list.add(
          DownloadInfoPlist.missing(
            Key.manifestURL, because: "devices find the download manifest by it"))
      }
      return
    }
    guard let address = WebAddress(url), address.isSecure || allowsHTTP else {
      list.add(
        DownloadInfoPlist.wrongValue(
          Key.manifestURL, "takes a whole https address, not '\(url)'",
          at: plist.span(of: Key.manifestURL)))
      return
    }
  }

  /// Compares the packs of a first installation with one size.
  private func checkSize(
    _ key: InfoPlist.SizeKey, _ values: InfoPlist, in plist: InfoPlistDocument,
    _ archives: [PublishedArchive?], _ list: inout FindingList
  ) {
    let counted = document.packs.indices.filter {
      key.counts(document.packs[$0].downloadPolicy)
    }
    guard !counted.isEmpty else { return }
    let sizes = counted.compactMap {
      key.isDownload ? document.packs[$0].downloadSize : archives[$0]?.installedSize
    }
    let sum = sizes.saturatedSum
    guard let allowed = values.sizes[key] else {
      let isInside = key.isDownload && !values.hasRestrictions
      if !isInside, !plist.refusedKeys.contains(key.rawValue) {
        list.add(
          DownloadInfoPlist.missing(
            key.rawValue, because: "there are \(key.packs): \(names(counted))",
            at: key.isDownload ? plist.span(of: InfoPlist.Key.restrictions) : nil))
      }
      return
    }
    // Even some of the sizes can be too many; all of them are known only with the archives.
    guard sum > allowed else { return }
    list.add(
      DownloadAllowance.finding(
        key, sum: sum, allowed: allowed, packs: counted.map { document.packs[$0].id },
        at: plist.span(of: key.rawValue)))
  }

  private func names(_ indices: [Int]) -> Diagnostic.Message {
    Diagnostic.list(indices.map { document.packs[$0].id.text }, atMost: 8)
  }
}
