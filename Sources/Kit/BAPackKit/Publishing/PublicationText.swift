import SourceDiagnostics

/// The kinds of text files of a publication.
///
/// The kind is detected before the text is checked. Another file that was given by mistake
/// therefore causes one finding, and is never overwritten.
enum PublicationText {
  case manifest, record

  /// The key that distinguishes the kind from other JSON texts.
  private var ownKey: String {
    switch self {
    case .manifest: "assetPacks"
    case .record: PublicationRecordDraft.published.name
    }
  }

  /// Returns a finding if the bytes are not JSON.
  func finding(about bytes: [UInt8]) -> Finding? {
    switch FileFormat(Array(bytes.prefix(FileFormat.startSize))) {
    case .pack, .sealed: other("an asset pack")
    case .archive(let name), .otherArchive(let name): other("\(name)")
    case .binary: other("a binary file")
    case .text where bytes.prefix(FileFormat.startSize).trimmed.starts(with: Array("<".utf8)):
      hasConflict(bytes) ? DownloadTextRules.conflict(self) : other("an XML text")
    case .manifest, .downloadManifest, .text, .garbled, .empty: nil
    }
  }

  /// Returns a finding if the keys of the object show another kind of text.
  func finding(about root: JSONNode) -> Finding? {
    guard root[ownKey] == nil else { return nil }
    if root[ManifestKeys.assetPackID.name] != nil || root[ManifestKeys.fileSelectors.name] != nil {
      return other("the manifest of a pack")
    }
    switch self {
    case .manifest:
      return root[Self.record.ownKey] == nil ? nil : other("the version lock of a manifest")
    case .record: return root[Self.manifest.ownKey] == nil ? nil : other("a download manifest")
    }
  }

  /// Returns a finding if the text is invalid JSON because of conflict markers.
  func finding(aboutSyntaxOf json: JSONDocument) -> Finding? {
    guard json.findings.hasErrors, hasConflict(json.source.bytes) else { return nil }
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

  private func other(_ kind: Finding.Message) -> Finding {
    DownloadTextRules.otherFile(kind, self)
  }
}

extension ArraySlice<UInt8> {
  /// The text without a byte order mark and leading white space.
  fileprivate var trimmed: ArraySlice<UInt8> {
    let rest = starts(with: [0xEF, 0xBB, 0xBF]) ? dropFirst(3) : self
    return rest.drop { $0 == 0x20 || (0x09...0x0D).contains($0) }
  }
}
