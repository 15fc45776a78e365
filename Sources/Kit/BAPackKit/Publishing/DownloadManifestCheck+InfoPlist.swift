package import SourceDiagnostics

extension DownloadManifestCheck {
  /// Reports keys that the property list lacks, and sizes in it that are too small.
  func checkPlist(_ archives: [PublishedArchive?], _ findings: inout Ledger) {
    // The unpacked sizes are known only from the archives; the sum of some archives can already
    // exceed a limit.
    let plan = DownloadPlan(
      ofAll: zip(document.packs, archives).map { pack, archive in
        pack.offered(unpacked: archive?.installedSize ?? 0)
      })
    plist?.check(against: plan, allowingHTTP: allowsHTTP, &findings)
  }
}

extension InfoPlistDocument {
  /// Reports keys that the property list lacks for a plan, and sizes in it that are too small.
  package func check(against plan: DownloadPlan, allowingHTTP: Bool, _ findings: inout Ledger) {
    findings.add(contentsOf: self.findings)
    findings.turn(to: source)
    guard let plist else { return }
    DownloadInfoPlistRules.infoPlist(plist, in: self, allowingHTTP: allowingHTTP, &findings)
    for key in InfoPlist.SizeKey.allCases { checkSize(key, plist, plan, &findings) }
  }

  /// Compares the downloads before the app's first launch with one size.
  private func checkSize(
    _ key: InfoPlist.SizeKey, _ values: InfoPlist, _ plan: DownloadPlan, _ findings: inout Ledger
  ) {
    let packs = plan[key.time].packs.map(\.id)
    guard let allowed = values.sizes[key] else {
      findings.add(
        DownloadInfoPlistRules.infoPlist(withoutSize: key, for: packs, values, in: self))
      return
    }
    findings.add(
      DownloadInfoPlistRules.allowance(
        key, sum: key.size(of: plan), allowed: allowed, packs: packs,
        isManaged: isManaged, at: span(of: key.rawValue)))
  }
}
