import SourceDiagnostics

/// The two texts of a publication: each is told from other files before it is judged, so that one
/// mistake (another file) is one finding, and nothing that is another file is ever rewritten.
enum PublicationText {
  case manifest, record

  /// The key that tells it from other JSON.
  private var ownKey: String { self == .manifest ? "assetPacks" : "published" }

  /// What these bytes are, when they are no JSON at all.
  func finding(about bytes: [UInt8]) -> Finding? {
    switch FileForm(Array(bytes.prefix(FileForm.startSize))) {
    case .pack, .sealed: other("an asset pack")
    case .archive(let name): other("\(name)")
    case .binary: other("a binary file")
    case .text where bytes.prefix(FileForm.startSize).trimmed.starts(with: Array("<".utf8)):
      hasConflict(bytes) ? DownloadTextRules.conflict(self) : other("an XML text")
    case .manifest, .downloadManifest, .text, .garbled, .empty: nil
    }
  }

  /// What a JSON object is by its keys, when it is not this.
  func finding(about root: JSONNode) -> Finding? {
    guard root[ownKey] == nil else { return nil }
    if root["assetPackID"] != nil || root["fileSelectors"] != nil {
      return other("the manifest of a pack")
    }
    switch self {
    case .manifest: return root["published"] == nil ? nil : other("the record of a manifest")
    case .record: return root["assetPacks"] == nil ? nil : other("a download manifest")
    }
  }

  /// Whether a text that is no JSON has the marks of a merge that nobody finished.
  func finding(aboutSyntaxOf json: JSONDocument) -> Finding? {
    guard json.findings.contains(where: { $0.severity == .error }),
      hasConflict(json.source.bytes)
    else { return nil }
    return DownloadTextRules.conflict(self)
  }

  private func hasConflict(_ bytes: [UInt8]) -> Bool {
    var marks: Set<UInt8> = []
    for line in bytes.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
      guard let first = line.first, line.count >= 7,
        line.prefix(7).allSatisfy({ $0 == first })
      else { continue }
      marks.insert(first)
    }
    return marks.isSuperset(of: "<=>".utf8)
  }

  private func other(_ what: Finding.Message) -> Finding {
    DownloadTextRules.otherFile(what, self)
  }
}

extension ArraySlice<UInt8> {
  /// Without a byte order mark and white space in front.
  fileprivate var trimmed: ArraySlice<UInt8> {
    let rest = starts(with: [0xEF, 0xBB, 0xBF]) ? dropFirst(3) : self
    return rest.drop { $0 == 0x20 || (0x09...0x0D).contains($0) }
  }
}
