package import SourceDiagnostics
import SystemIO
import TerminalText

/// An unmanaged manifest as it is on disk: its text, its meaning, and the findings with their
/// places.
package struct UnmanagedDocument: Sendable {
  /// The text.
  package let source: SourceText
  /// What the text means; nil if `findings` has an error.
  package let manifest: UnmanagedManifest?
  /// What was found in the text.
  package let findings: Ledger
  /// The assets that could be read, in the order of the text, even if there are errors.
  package let assets: [UnmanagedManifest.Asset]
  /// The places of their values.
  package let locations: [Location]

  /// The places of the values of an asset.
  package struct Location: Sendable {
    package var identifier: SourceSpan
    package var url: SourceSpan
    package var fileSize: SourceSpan
    package var sha256: SourceSpan
    package var essential: SourceSpan
  }

  /// The most bytes that are read.
  package static let largest = JSONLimits().size

  /// Reads a manifest; messages use the name.
  package init(parsing bytes: [UInt8], named name: String, allowingHTTP: Bool = false) {
    let json = JSONDocument(parsing: SourceText(bytes, named: name))
    var reader = UnmanagedReader(json, allowingHTTP: allowingHTTP)
    let template = reader.read()
    source = json.source
    assets = reader.assets
    locations = reader.locations
    findings = reader.findings
    manifest =
      findings.hasErrors ? nil : UnmanagedManifest(assets: assets, urlTemplate: template)
  }
}

/// Turns a JSON text into an unmanaged manifest.
private struct UnmanagedReader {
  let json: JSONDocument
  let allowingHTTP: Bool
  var findings: Ledger
  var assets: [UnmanagedManifest.Asset] = []
  var locations: [UnmanagedDocument.Location] = []
  private var identifiers: [PackID: SourceSpan] = [:]
  private var addresses: [String: SourceSpan] = [:]
  private var sawOther = false

  init(_ json: JSONDocument, allowingHTTP: Bool) {
    self.json = json
    self.allowingHTTP = allowingHTTP
    findings = Ledger(about: json.source)
  }

  /// Reads the whole; returns the template.
  mutating func read() -> String? {
    findings.add(contentsOf: json.findings)
    guard let root = json.root, root.kind == .object else {
      if let root = json.root, root.kind != .invalid {
        findings.add(.wrongType(root, "an unmanaged manifest is an object"))
      }
      return nil
    }
    if let other = UnmanagedRules.otherText(root) {
      findings.add(other)
      return nil
    }
    // One of a newer program may be right although this one does not understand it.
    if let format = root["format"], let finding = UnmanagedRules.format(of: format) {
      findings.add(finding)
      return nil
    }
    let object = JSONObjectReader(
      root, keys: UnmanagedKeys.root, owner: "an unmanaged manifest", into: &findings)
    for element in object["assets"].map({ Array($0.elements) }) ?? [] { readAsset(element) }
    guard let template = object["urlTemplate"], let text = template.string else { return nil }
    do throws(PackError) {
      _ = try PackURLs(
        base: nil, template: text, allowingHTTP: true, placeholders: PackURLs.Placeholder.ofFiles)
      return text
    } catch {
      findings.add(UnmanagedRules.value(.init(whole: error.message), at: template.span))
      return nil
    }
  }

  private mutating func readAsset(_ node: JSONNode) {
    guard node.kind == .object else {
      if node.kind != .invalid { findings.add(.wrongType(node, "an asset is an object")) }
      return
    }
    let object = JSONObjectReader(
      node, keys: UnmanagedKeys.asset, owner: "an asset", into: &findings)
    guard let identifier = object["identifier"], let name = identifier.string,
      let url = object["url"],
      let size = object["fileSize"], let digest = object["sha256"],
      let essential = object["essential"],
      let version = object["version"], let events = object["installationEventTypes"]
    else { return }
    let before = findings.count(.error)
    let id = PackID(name)
    if let first = identifiers.updateValue(identifier.span, forKey: id) {
      findings.add(UnmanagedRules.duplicate(id, at: identifier.span, first: first))
    }
    let address = url.string ?? ""
    readAddress(address, of: id, at: url.span)
    let fileSize = size.number.flatMap { UInt64($0) }
    if fileSize == nil {
      findings.add(UnmanagedRules.value("'fileSize' takes a whole number of bytes", at: size.span))
    }
    let number = version.number.flatMap { Int($0) }.flatMap { $0 < 0 ? nil : $0 }
    if number == nil {
      findings.add(UnmanagedRules.value("'version' takes a whole number from 0", at: version.span))
    }
    let sha256 = digest.string ?? ""
    if [UInt8](hexadecimal: sha256, count: 32) == nil {
      findings.add(
        UnmanagedRules.value("'sha256' takes 64 hexadecimal digits", at: digest.span))
    }
    if essential.bool == nil {
      findings.add(.wrongType(essential, "'essential' takes true or false"))
    }
    let words = WordList(events, PolicyRules.events)
    words.check(into: &findings)
    let kinds = Set(words.values)
    if essential.bool == true, kinds.isEmpty {
      findings.add(
        UnmanagedRules.value("an essential asset comes with an installation", at: events.span))
    }
    guard findings.count(.error) == before, let fileSize, let number,
      let isEssential = essential.bool
    else { return }
    if isEssential, sawOther { findings.add(UnmanagedRules.order(id, at: identifier.span)) }
    if !isEssential { sawOther = true }
    assets.append(
      UnmanagedManifest.Asset(
        identifier: id, url: address, fileSize: fileSize, sha256: sha256.lowercased(),
        policy: isEssential ? .essential(kinds) : kinds.isEmpty ? .onDemand : .prefetch(kinds),
        version: number))
    locations.append(
      .init(
        identifier: identifier.span, url: url.span, fileSize: size.span, sha256: digest.span,
        essential: essential.span))
  }

  private mutating func readAddress(_ address: String, of id: PackID, at span: SourceSpan) {
    if let parsed = WebAddress(address) {
      if !parsed.isSecure, !allowingHTTP {
        findings.add(DownloadAddressRules.notSecure(id.text, at: span))
      }
    } else {
      findings.add(DownloadAddressRules.url(address, of: id.text, at: span))
    }
    if let first = addresses.updateValue(span, forKey: address) {
      findings.add(UnmanagedRules.duplicate(address: address, at: span, first: first))
    }
  }
}
