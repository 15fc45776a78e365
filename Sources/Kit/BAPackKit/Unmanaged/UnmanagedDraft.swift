package import SourceDiagnostics
import TerminalText

extension UnmanagedManifest {
  /// The members of an unmanaged manifest.
  package static var jsonShape: JSONRecord { UnmanagedDraft.table.record }
}

/// An unmanaged manifest during parsing.
struct UnmanagedDraft: Described {
  var urlTemplate: String?
  /// The readable assets, in the order of the text.
  var assets: [UnmanagedManifest.Asset] = []
  /// The positions of the assets' values.
  private(set) var locations: [UnmanagedDocument.Location] = []
  /// Whether addresses may use http.
  var allowsHTTP = false
  private var identifiers: [PackID: SourceSpan] = [:]
  private var addresses: [String: SourceSpan] = [:]
  private var hasOthers = false

  init(
    urlTemplate: String? = nil, assets: [UnmanagedManifest.Asset] = [], allowsHTTP: Bool = false
  ) {
    self.urlTemplate = urlTemplate
    self.assets = assets
    self.allowsHTTP = allowsHTTP
  }

  static let format = Key<Self>(
    JSONKey(
      "format", .integer(in: UnmanagedManifest.format...UnmanagedManifest.format),
      "The format of the manifest."),
    write: { _ in .integer(UnmanagedManifest.format) })

  static let assetList = Key<Self>(
    JSONKey(
      "assets", .array(of: .record(AssetDraft.table.record)),
      "The files, essential files first."),
    write: { .array($0.assets.map { AssetDraft.table.value(of: AssetDraft(asset: $0)) }) }
  ) { node, draft, findings in
    for element in node.elements { draft.readAsset(element, &findings) }
    return true
  }

  static let table = Table("an unmanaged manifest", blank: Self(), unknown: .refused) {
    format
    Key(
      "urlTemplate", \.urlTemplate, .text(pattern: nil, fault: fault),
      "The template of the addresses, with {path}, {file}, {version} and {sha256}.")
    assetList
  }

  private static func fault(in template: String, at span: SourceSpan) -> Finding? {
    do throws(PackError) {
      _ = try PackURLs(
        base: nil, template: template, allowingHTTP: true,
        placeholders: PackURLs.Placeholder.ofFiles)
      return nil
    } catch {
      return UnmanagedRules.value(.init(whole: error.message), at: span)
    }
  }

  private mutating func readAsset(_ node: JSONNode, _ findings: inout Ledger) {
    let before = findings.count(.error)
    guard let draft = AssetDraft.table.read(node, into: &findings) else { return }
    let (asset, place) = (draft.asset, draft.location)
    if let first = identifiers.updateValue(place.identifier, forKey: asset.identifier) {
      findings.add(UnmanagedRules.duplicate(asset.identifier, at: place.identifier, first: first))
    }
    checkAddress(asset.url, of: asset.identifier, at: place.url, &findings)
    guard findings.count(.error) == before else { return }
    if asset.policy.isEssential, hasOthers {
      findings.add(UnmanagedRules.order(asset.identifier, at: place.identifier))
    }
    if !asset.policy.isEssential { hasOthers = true }
    assets.append(asset)
    locations.append(place)
  }

  private mutating func checkAddress(
    _ address: String, of id: PackID, at span: SourceSpan, _ findings: inout Ledger
  ) {
    if let parsed = WebAddress(address) {
      if !parsed.isSecure, !allowsHTTP {
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

/// An asset during parsing, with the positions of its values.
private struct AssetDraft: Described {
  var asset = UnmanagedManifest.Asset(
    identifier: PackID(""), url: "", fileSize: 0, sha256: "", policy: .onDemand, version: 0)
  var location = UnmanagedDocument.Location()

  static let table = Table("an asset", blank: Self(), unknown: .refused) {
    key(
      "identifier", \.asset.identifier, .packID, at: \.location.identifier,
      "The path that identifies the download in the app and its extension; it must be unique.")
    key(
      "url", \.asset.url, .text, at: \.location.url,
      "The address of the file, a complete https URL.")
    key(
      "fileSize", \.asset.fileSize, .bytes, at: \.location.fileSize,
      "The size of the file in bytes.")
    key(
      "sha256", \.asset.sha256,
      .mapped(
        JSONForm<[UInt8]>.sha256, write: { [UInt8](hexadecimal: $0, count: 32) ?? [] },
        read: { hexadecimal($0) }), at: \.location.sha256,
      "The SHA-256 of the file in lowercase hexadecimal digits.")
    key(
      "version", \.asset.version, .count, at: \.location.version,
      "A number, from 0, that increases whenever the file changes.")
    Key(
      JSONKey("essential", .bool, "Whether the first launch of the app waits for the file."),
      \.asset.policy, write: { .bool($0.isEssential) },
      read: { node, _, _ in node.bool == true ? .essential([]) : .onDemand })
    Key(
      JSONKey(
        PolicyKeys.events.name, .array(of: .word(InstallationEvent.allCases.map(\.rawValue))),
        "The installations that download the file; empty if the app requests it."),
      \.asset.policy,
      write: { policy in
        let events = InstallationEvent.allCases.filter(policy.events.contains)
        return .array(events.map { .string($0.rawValue) })
      },
      read: policy)
  }

  private static func key<Value>(
    _ name: String, _ property: any WritableKeyPath<Self, Value> & Sendable,
    _ form: JSONForm<Value>,
    at place: any WritableKeyPath<Self, SourceSpan> & Sendable, _ summary: String
  ) -> Key<Self> {
    Key(JSONKey(name, form.shape, summary), property, write: form.value) {
      node, draft, findings in
      draft[keyPath: place] = node.span
      var faults = Ledger()
      if let value = form.read(node, of: name, into: &faults) { return value }
      findings.add(UnmanagedRules.value("'\(name)' must be \(form.expectation)", at: node.span))
      // Other faults of the asset are also reported.
      return draft[keyPath: property]
    }
  }

  /// Returns the policy for the installations; `essential` was read before.
  private static func policy(
    _ node: JSONNode, _ draft: inout Self, _ findings: inout Ledger
  ) -> DownloadPolicy? {
    let phrase = KeywordList(node, PolicyRules.events)
    phrase.check(into: &findings)
    let events = Set(phrase.values)
    guard draft.asset.policy.isEssential else {
      return events.isEmpty ? .onDemand : .prefetch(events)
    }
    if events.isEmpty {
      findings.add(
        UnmanagedRules.value(
          "an essential asset must have at least one installation event", at: node.span))
    }
    return .essential(events)
  }
}
