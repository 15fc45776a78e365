import FoundationEssentials
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
  }

  /// Returns the position of a key in an XML property list.
  package func span(of key: String) -> SourceSpan? { Self.span(of: key, in: source) }

  fileprivate static func span(of key: String, in source: SourceText) -> SourceSpan? {
    guard let range = source.bytes.firstRange(of: Array("<key>\(key)</key>".utf8)) else {
      return nil
    }
    return SourceSpan(range.lowerBound, range.upperBound)
  }
}

/// A reader of the relevant values of a property list.
private struct Reader {
  let source: SourceText
  let isManaged: Bool
  var findings: Ledger
  var refusedKeys: Set<String> = []

  init(_ source: SourceText, isManaged: Bool) {
    self.source = source
    self.isManaged = isManaged
    findings = Ledger(about: source)
  }

  mutating func read() -> InfoPlist? {
    let values: [String: PropertyList.Value]
    let refusal =
      source.bytes.count > InfoPlistDocument.largest
      ? "it has more than \(InfoPlistDocument.largest >> 20) MiB"
      : PropertyListBounds.refusal(of: source.bytes)
    if let refusal {
      findings.add(DownloadInfoPlistRules.infoPlist(unreadable: refusal))
      return nil
    }
    do {
      values = try PropertyListDecoder().decode(
        [String: PropertyList.Value].self, from: Data(source.bytes))
    } catch {
      findings.add(DownloadInfoPlistRules.infoPlist(unreadable: nil))
      return nil
    }
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
    guard case .dictionary(let members) = given else {
      refuse(InfoPlist.Key.restrictions, "must be a dictionary")
      return plist
    }
    let restrictions = Dictionary(members.map { ($0.key, $0.value) }) { first, _ in first }
    plist.domains = domains(in: restrictions)
    for key in InfoPlist.SizeKey.allCases where key.isDownload {
      plist.sizes[key] = size(key.rawValue, in: restrictions)
    }
    return plist
  }

  private mutating func bool(_ key: String, in values: [String: PropertyList.Value]) -> Bool? {
    guard let given = values[key] else { return nil }
    if case .bool(let value) = given { return value }
    refuse(key, "must be true or false")
    return nil
  }

  private mutating func string(_ key: String, in values: [String: PropertyList.Value]) -> String? {
    guard let given = values[key] else { return nil }
    if case .string(let value) = given { return value }
    refuse(key, "must be a string")
    return nil
  }

  private mutating func size(_ key: String, in values: [String: PropertyList.Value]) -> UInt64? {
    guard let given = values[key] else { return nil }
    if case .integer(let number) = given { return number }
    refuse(key, "must be a whole number of bytes")
    return nil
  }

  private mutating func domains(in values: [String: PropertyList.Value]) -> DomainAllowList? {
    let key = InfoPlist.Key.domains
    guard let given = values[key] else { return nil }
    guard case .array(let elements) = given else {
      refuse(key, "must be an array of strings")
      return nil
    }
    let patterns = elements.compactMap { element -> String? in
      if case .string(let text) = element { text } else { nil }
    }
    if patterns.count < elements.count { refuse(key, "must be an array of strings") }
    return DomainAllowList(patterns)
  }

  private mutating func refuse(_ key: String, _ expectation: Finding.Message) {
    refusedKeys.insert(key)
    findings.add(
      DownloadInfoPlistRules.infoPlist(
        key, expectation, isManaged: isManaged,
        at: InfoPlistDocument.span(of: key, in: source)))
  }
}

extension PropertyList.Value: Decodable {
  init(from decoder: any Decoder) throws {
    if let members = try? decoder.container(keyedBy: AnyKey.self) {
      self = .dictionary(
        try members.allKeys.map { ($0.stringValue, try members.decode(Self.self, forKey: $0)) })
    } else if var elements = try? decoder.unkeyedContainer() {
      var values: [Self] = []
      while !elements.isAtEnd { values.append(try elements.decode(Self.self)) }
      self = .array(values)
    } else {
      self = Self(try decoder.singleValueContainer())
    }
  }

  private init(_ container: any SingleValueDecodingContainer) {
    if let text = try? container.decode(String.self) {
      self = .string(text)
    } else if let number = try? container.decode(UInt64.self) {
      self = .integer(number)
    } else if let bool = try? container.decode(Bool.self) {
      self = .bool(bool)
    } else {
      self = .other
    }
  }

  private struct AnyKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }
}
