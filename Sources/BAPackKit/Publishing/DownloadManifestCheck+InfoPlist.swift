import SourceDiagnostics

extension DownloadManifestCheck {
  /// What the property list lacks, and which of its sizes are too small.
  func checkPlist(_ archives: [PublishedArchive?], _ findings: inout Ledger) {
    guard let plist else { return }
    findings.add(contentsOf: plist.findings)
    findings.turn(to: plist.source)
    if let values = plist.plist {
      DownloadInfoPlistRules.infoPlist(values, in: plist, allowingHTTP: allowsHTTP, &findings)
      // What is unpacked is known only with the archives; even some of the sizes can be too many.
      let plan = DownloadPlan(
        ofAll: zip(document.packs, archives).map { pack, archive in
          pack.offered(unpacked: archive?.installedSize ?? 0)
        })
      for key in InfoPlist.SizeKey.allCases { checkSize(key, values, in: plist, plan, &findings) }
    }
  }

  /// Compares the packs that come before an app's first start with one size.
  private func checkSize(
    _ key: InfoPlist.SizeKey, _ values: InfoPlist, in plist: InfoPlistDocument,
    _ plan: DownloadPlan, _ findings: inout Ledger
  ) {
    let packs = plan[key.time].packs.map(\.id)
    guard !packs.isEmpty else { return }
    guard let allowed = values.sizes[key] else {
      findings.add(
        DownloadInfoPlistRules.infoPlist(withoutSize: key, for: packs, values, in: plist))
      return
    }
    findings.add(
      DownloadInfoPlistRules.allowance(
        key, sum: key.size(of: plan), allowed: allowed, packs: packs,
        at: plist.span(of: key.rawValue)))
  }
}
