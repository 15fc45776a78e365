import SourceDiagnostics
import SystemIO

extension DownloadManifestCheck {
  /// What the property list lacks, and which of its sizes are too small.
  func checkPlist(_ archives: [PublishedArchive?]) -> [Findings] {
    guard let plist else { return [] }
    var list = FindingList()
    list.add(contentsOf: plist.findings)
    if let values = plist.plist {
      list.add(
        contentsOf: DownloadInfoPlistRules.infoPlist(values, in: plist, allowingHTTP: allowsHTTP))
      for key in InfoPlist.SizeKey.allCases { checkSize(key, values, in: plist, archives, &list) }
    }
    return [Findings(plist.source, list.sorted())]
  }

  /// Compares the packs of a first installation with one of the sizes.
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
    let packs = counted.map { document.packs[$0].id }
    guard let allowed = values.sizes[key] else {
      list.add(DownloadInfoPlistRules.infoPlist(withoutSize: key, for: packs, values, in: plist))
      return
    }
    // The sizes that are known may already be too large together; all are known only with the
    // archives.
    list.add(
      DownloadInfoPlistRules.allowance(
        key, sum: sizes.saturatedSum, allowed: allowed, packs: packs,
        at: plist.span(of: key.rawValue)))
  }
}
