public import SourceDiagnostics

/// What was published under which version: the side file `<manifest>.lock.json`.
///
/// A download manifest names no digest, so that without this file nobody can tell whether an archive
/// is the published one. It stays with the developer; no device reads it.
public struct PublicationRecord: Sendable, Equatable {
  /// The archive that was, or is, one version of a pack.
  public struct Entry: Sendable, Equatable {
    /// The ID of the pack.
    public var id: String
    /// The version.
    public var version: Int
    /// The SHA-256 of the archive, in lower-case hexadecimal digits.
    public var sha256: String

    /// Makes an entry.
    public init(id: String, version: Int, sha256: String) {
      self.id = id
      self.version = version
      self.sha256 = sha256
    }
  }

  /// The platform that the manifest is for.
  public var platform: Platform?
  /// Every version that was ever published, in order of ID and version; none is there twice.
  public private(set) var entries: [Entry] = []

  /// Remembers nothing yet.
  public init(platform: Platform? = nil) { self.platform = platform }

  /// The path of the record of a manifest.
  public static func path(besides manifest: String) -> String { manifest + ".lock.json" }

  /// The digest of one version of a pack.
  public func sha256(of id: String, version: Int) -> String? {
    let index = index(of: id, version: version)
    return isEntry(index, of: id) && entries[index].version == version
      ? entries[index].sha256 : nil
  }

  /// The highest version of a pack that was ever published.
  public func latest(of id: String) -> Entry? {
    let index = index(of: id, version: .max)
    if isEntry(index, of: id) { return entries[index] }
    return isEntry(index - 1, of: id) ? entries[index - 1] : nil
  }

  /// Remembers a version, in the place of what was known about it.
  public mutating func add(_ entry: Entry) {
    let index = index(of: entry.id, version: entry.version)
    if isEntry(index, of: entry.id), entries[index].version == entry.version {
      entries[index] = entry
    } else {
      entries.insert(entry, at: index)
    }
  }

  private func isEntry(_ index: Int, of id: String) -> Bool {
    entries.indices.contains(index) && entries[index].id.utf8.elementsEqual(id.utf8)
  }

  /// Where an entry is, or would be.
  private func index(of id: String, version: Int) -> Int {
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      let isBefore =
        isEntry(middle, of: id)
        ? entries[middle].version < version
        : entries[middle].id.utf8.lexicographicallyPrecedes(id.utf8)
      if isBefore { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

// MARK: - Writing

extension PublicationRecord {
  /// The record as strict JSON: always the same bytes for the same meaning.
  public func json() -> [UInt8] { JSONWriter.bytes(jsonValue, .readable) }

  /// What ``json()`` writes.
  public var jsonValue: JSONValue {
    let list = JSONValue.array(
      entries.map { entry in
        .object([
          .init("id", .string(entry.id)),
          .init("version", .number(String(entry.version))),
          .init("sha256", .string(entry.sha256)),
        ])
      })
    let platform = platform.map { JSONValue.Member("platform", .string($0.rawValue)) }
    return .object([platform, .init("published", list)].compactMap(\.self))
  }
}
