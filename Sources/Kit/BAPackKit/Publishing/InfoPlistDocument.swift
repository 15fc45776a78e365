package import SourceDiagnostics

/// An information property list on disk, XML or binary: its text, its values for packs, and the
/// findings.
package struct InfoPlistDocument: Sendable {
  /// The text.
  package let source: SourceText
  /// The values for packs; nil if the file is not a property list.
  package let plist: InfoPlist?
  /// The findings.
  package let findings: Ledger
  /// The keys whose values have a wrong type.
  let refusedKeys: Set<String>
  /// The positions of the keys in an XML property list.
  private let spans: [String: SourceSpan]
  /// Whether the system manages the packs of the app, instead of an extension of the app.
  let isManaged: Bool

  /// The maximum size of a property list in bytes; typical lists have some thousands.
  static let largest = 4 << 20

  /// Reads a property list.
  package init(parsing bytes: [UInt8], named name: String, isManaged: Bool = true) {
    source = SourceText(bytes, named: name)
    self.isManaged = isManaged
    var reader = Reader(source, isManaged: isManaged)
    plist = reader.read()
    findings = reader.findings
    refusedKeys = reader.refusedKeys
    spans = reader.spans
  }

  /// Returns the position of a key in an XML property list.
  package func span(of key: String) -> SourceSpan? { spans[key] }
}

/// A reader of the relevant values of a property list.
private struct Reader {
  let source: SourceText
  let isManaged: Bool
  var findings: Ledger
  var refusedKeys: Set<String> = []
  var spans: [String: SourceSpan] = [:]

  init(_ source: SourceText, isManaged: Bool) {
    self.source = source
    self.isManaged = isManaged
    findings = Ledger(about: source)
  }

  mutating func read() -> InfoPlist? {
    let bytes = source.bytes
    let isBinary = bytes.starts(with: "bplist".utf8)
    guard bytes.count <= InfoPlistDocument.largest else {
      findings.add(
        DownloadInfoPlistRules.infoPlist(
          unreadable: "it has more than \(InfoPlistDocument.largest >> 20) MiB"))
      return nil
    }
    let root: PlacedValue
    do throws(Unreadable) {
      root = isBinary ? try BinaryPropertyList.read(bytes) : try XMLPropertyList.read(bytes)
    } catch {
      findings.add(
        DownloadInfoPlistRules.infoPlist(
          unreadable: error.reason, at: isBinary ? nil : error.span))
      return nil
    }
    guard case .dictionary = root.kind else {
      findings.add(DownloadInfoPlistRules.infoPlist(at: isBinary ? nil : root.span))
      return nil
    }
    if !isBinary { noteSpans(of: root.members) }
    return values(root)
  }

  private mutating func noteSpans(of members: [PlacedValue.Member]) {
    for member in members where spans[member.key] == nil { spans[member.key] = member.keySpan }
  }

  private mutating func values(_ values: PlacedValue) -> InfoPlist {
    var plist = InfoPlist()
    plist.hasManagedAssetPacks = bool(InfoPlist.Key.hasManagedAssetPacks, in: values)
    plist.usesAppleHosting = bool(InfoPlist.Key.usesAppleHosting, in: values)
    plist.appGroupID = string(InfoPlist.Key.appGroupID, in: values)
    plist.manifestURL = string(InfoPlist.Key.manifestURL, in: values)
    for key in InfoPlist.SizeKey.allCases where !key.isDownload {
      plist.sizes[key] = size(key.rawValue, in: values)
    }
    guard let given = values[InfoPlist.Key.restrictions] else { return plist }
    plist.hasRestrictions = true
    guard case .dictionary(let members) = given.kind else {
      refuse(InfoPlist.Key.restrictions, "must be a dictionary")
      return plist
    }
    if !spans.isEmpty { noteSpans(of: members) }
    plist.domains = domains(in: given)
    for key in InfoPlist.SizeKey.allCases where key.isDownload {
      plist.sizes[key] = size(key.rawValue, in: given)
    }
    return plist
  }

  private mutating func bool(_ key: String, in values: PlacedValue) -> Bool? {
    guard let given = values[key] else { return nil }
    if case .bool(let value) = given.kind { return value }
    refuse(key, "must be true or false")
    return nil
  }

  private mutating func string(_ key: String, in values: PlacedValue) -> String? {
    guard let given = values[key] else { return nil }
    if case .string(let value) = given.kind { return value }
    refuse(key, "must be a string")
    return nil
  }

  private mutating func size(_ key: String, in values: PlacedValue) -> UInt64? {
    guard let given = values[key] else { return nil }
    if case .number(let text) = given.kind, let number = UInt64(text) { return number }
    refuse(key, "must be a whole number of bytes")
    return nil
  }

  private mutating func domains(in values: PlacedValue) -> DomainAllowList? {
    let key = InfoPlist.Key.domains
    guard let given = values[key] else { return nil }
    guard case .array(let elements) = given.kind else {
      refuse(key, "must be an array of strings")
      return nil
    }
    let patterns = elements.compactMap { element -> String? in
      if case .string(let text) = element.kind { text } else { nil }
    }
    if patterns.count < elements.count { refuse(key, "must be an array of strings") }
    return DomainAllowList(patterns)
  }

  private mutating func refuse(_ key: String, _ expectation: Finding.Message) {
    refusedKeys.insert(key)
    findings.add(
      DownloadInfoPlistRules.infoPlist(
        key, expectation, isManaged: isManaged, at: spans[key]))
  }
}
