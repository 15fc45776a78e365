package import SourceDiagnostics

/// The checks of an unmanaged manifest before it is served.
package struct UnmanagedCheck: Sendable {
  /// The manifest.
  package var document: UnmanagedDocument
  /// The served files; nil if they are not available.
  package var files: UnmanagedFiles?
  /// The property list of the app.
  package var plist: InfoPlistDocument?
  /// Whether addresses may use http.
  package var allowsHTTP = false

  /// Creates a check of the text only.
  package init(_ document: UnmanagedDocument) { self.document = document }

  /// Returns all findings: about the manifest, then about the files and the property list.
  package func findings() -> Ledger {
    var findings = document.findings
    findings.turn(to: document.source)
    checkFiles(&findings)
    checkAddresses(&findings)
    if let plist {
      let plan = DownloadPlan(ofAll: document.assets.map(\.offered))
      plist.check(against: plan, allowingHTTP: allowsHTTP, &findings)
      if let values = plist.plist { UnmanagedRules.managed(values, in: plist, &findings) }
    }
    return findings
  }

  private func checkFiles(_ findings: inout Ledger) {
    guard let files else { return }
    findings.add(contentsOf: files.findings)
    var left = Dictionary(files.files.map { ($0.identifier, $0) }) { first, _ in first }
    for (asset, place) in zip(document.assets, document.locations) {
      guard let file = left.removeValue(forKey: asset.identifier) else {
        findings.add(UnmanagedRules.file(missingFor: asset.identifier, at: place.identifier))
        continue
      }
      if file.size != asset.fileSize {
        findings.add(
          UnmanagedRules.file(
            of: asset.identifier, size: file.size, not: asset.fileSize, at: place.fileSize))
      } else if file.sha256 != asset.sha256 {
        findings.add(
          UnmanagedRules.file(of: asset.identifier, otherBytesAt: place.sha256))
      }
    }
    // In the order of the files.
    for file in files.files where left[file.identifier] != nil {
      findings.add(UnmanagedRules.unlisted(file.identifier, at: nil))
    }
  }

  /// Reports hosts of assets from which the app may not download; one finding for each host.
  private func checkAddresses(_ findings: inout Ledger) {
    guard let domains = plist?.plist?.domains else { return }
    var order: [String] = []
    var places: [String: [Int]] = [:]
    for (index, asset) in document.assets.enumerated() {
      guard let host = WebAddress(asset.url)?.host, !domains.covers(host) else { continue }
      if places[host] == nil { order.append(host) }
      places[host, default: []].append(index)
    }
    for host in order {
      guard let indices = places[host], let first = indices.first else { continue }
      findings.add(
        DownloadAddressRules.domain(
          document.assets[first].identifier,
          and: indices.dropFirst().map { document.assets[$0].identifier }, host: host,
          list: domains, at: document.locations[first].url))
    }
  }
}
