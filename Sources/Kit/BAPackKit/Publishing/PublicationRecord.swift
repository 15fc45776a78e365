import SourceDiagnostics

/// The published versions of packs: the file `<manifest>.lock.json`.
///
/// A download manifest contains no digests, so only this file shows whether an archive is the
/// published one. The file is for the developer; devices do not read it.
package struct PublicationRecord: Sendable, Equatable {
  /// A published version of a pack.
  package struct Entry: Sendable, Equatable {
    package var id: PackID
    package var version: Int
    /// The SHA-256 of the archive, in lowercase hexadecimal; nil if it is unknown.
    package var sha256: String?
    /// The address of the archive, if it differs from the record's template.
    package var url: String?
    /// The size of the archive; nil if it is unknown.
    package var size: UInt64?
    /// Whether the pack was intentionally removed from the manifest after this version.
    package var isRemoved: Bool

    package init(
      id: PackID, version: Int, sha256: String?, url: String? = nil, size: UInt64? = nil,
      isRemoved: Bool = false
    ) {
      self.id = id
      self.version = version
      self.sha256 = sha256
      self.url = url
      self.size = size
      self.isRemoved = isRemoved
    }
  }

  /// The format that this version writes, and the newest format that it reads.
  package static let format = 1

  /// The platform of the manifest.
  package var platform: Platform?
  /// The template of the packs' addresses, see ``PackURLs/template``.
  package var urlTemplate: String?
  /// All published versions, sorted by ID and version, each once.
  package private(set) var entries: [Entry] = []

  /// Creates an empty record.
  package init(platform: Platform? = nil) { self.platform = platform }

  /// Creates a record of these versions, which must be unique.
  init(platform: Platform?, urlTemplate: String?, entries: [Entry]) {
    self.platform = platform
    self.urlTemplate = urlTemplate
    self.entries = entries.sorted { Self.precedes($0, $1.id, $1.version) }
  }

  package static func path(of manifest: String) -> String { manifest + ".lock.json" }

  package func entry(of id: PackID, version: Int) -> Entry? {
    let index = index(of: id, version: version)
    return isEntry(index, of: id) && entries[index].version == version ? entries[index] : nil
  }

  /// Returns the digest of a version of a pack.
  package func sha256(of id: PackID, version: Int) -> String? {
    entry(of: id, version: version)?.sha256
  }

  /// Returns the entry of the highest published version of a pack.
  package func latest(of id: PackID) -> Entry? {
    let index = index(of: id, version: .max)
    if isEntry(index, of: id) { return entries[index] }
    return isEntry(index - 1, of: id) ? entries[index - 1] : nil
  }

  /// Returns the version for an archive: the latest version if its bytes are equal, else an unused
  /// version.
  ///
  /// Versions up to `published`, the version in a manifest, are also used. Returns nil if no
  /// version is left.
  package func nextVersion(of archive: PublishedArchive, published: Int? = nil) -> Int? {
    let latest = latest(of: archive.id)
    let highest = max(published ?? -1, latest?.version ?? -1)
    guard highest >= 0, latest?.sha256 != archive.sha256 else { return max(0, highest) }
    return highest < .max ? highest + 1 : nil
  }

  /// The entry of the highest version of each pack.
  package var latestEntries: [Entry] {
    entries.indices.filter { !isEntry($0 + 1, of: entries[$0].id) }.map { entries[$0] }
  }

  /// Adds a version, and replaces an existing entry.
  package mutating func add(_ entry: Entry) {
    let index = index(of: entry.id, version: entry.version)
    if isEntry(index, of: entry.id), entries[index].version == entry.version {
      // A write would copy a list that is also used elsewhere.
      if entries[index] != entry { entries[index] = entry }
    } else {
      entries.insert(entry, at: index)
    }
  }

  /// Adds the entries of another record that this record does not contain.
  package mutating func add(contentsOf other: PublicationRecord) {
    for entry in other.entries where self.entry(of: entry.id, version: entry.version) == nil {
      add(entry)
    }
  }

  /// Adds an entry for the version of a pack, without a digest, if the record has none.
  mutating func addVersion(of pack: PublishedPack) {
    guard entry(of: pack.id, version: pack.version) == nil else { return }
    add(Entry(id: pack.id, version: pack.version, sha256: nil))
  }

  /// Marks a pack as intentionally removed from the manifest.
  mutating func remove(_ id: PackID) {
    guard var latest = latest(of: id) else { return }
    latest.isRemoved = true
    add(latest)
  }

  /// Returns the entry of the highest version of a pack below `version`; nil if there is none.
  package func entry(of id: PackID, below version: Int) -> Entry? {
    let index = index(of: id, version: version) - 1
    return isEntry(index, of: id) ? entries[index] : nil
  }

  private func isEntry(_ index: Int, of id: PackID) -> Bool {
    entries.indices.contains(index) && entries[index].id == id
  }

  private static func precedes(_ entry: Entry, _ id: PackID, _ version: Int) -> Bool {
    entry.id == id ? entry.version < version : entry.id < id
  }

  /// Returns the index of an entry, or the index at which to insert it.
  private func index(of id: PackID, version: Int) -> Int {
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      if Self.precedes(entries[middle], id, version) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

// MARK: - Writing

extension PublicationRecord {
  /// The limits for reading a record: its size is limited only by the range of text positions.
  static let limits: JSONLimits = {
    var limits = JSONLimits()
    limits.size = 255 << 20
    return limits
  }()

  /// The size in bytes from which a record discards its oldest versions.
  ///
  /// It is sufficient for several hundred thousand versions.
  package static let comfortableSize = 16 << 20

  /// Returns the record as strict JSON, one version on a line; equal records have equal bytes.
  package func json() -> [UInt8] {
    let head = PublicationRecordDraft(platform: platform, urlTemplate: urlTemplate)
    let lines = PublicationRecordDraft.table.members(of: head).map {
      "  \(JSONWriter.string(.string($0.key), .compact)): \(JSONWriter.string($0.value, .compact))"
    }
    var bytes = Array(("{\n" + lines.joined(separator: ",\n")).utf8)
    // The last member is the list of versions, still empty: they follow its bracket.
    bytes.removeLast()
    for (index, entry) in entries.enumerated() {
      bytes += (index == 0 ? "\n    " : ",\n    ").utf8
      bytes += Entry.table.bytes(of: entry, .compact)
    }
    bytes += (entries.isEmpty ? "]\n}\n" : "\n  ]\n}\n").utf8
    return bytes
  }

  /// Returns the record without its oldest versions, so that it has at most `size` bytes.
  ///
  /// The latest version of each pack and the versions in `kept` are always kept.
  package func shortened(to size: Int = comfortableSize, keeping kept: [PublishedPack]) -> Self {
    let current = Set(kept.map { PublishedVersion(id: $0.id, version: $0.version) })
    var record = self
    var generations = 1024
    while record.json().count > size, generations > 0 {
      record.entries = entries.indices.filter { index in
        let entry = entries[index]
        return !isEntry(index + generations, of: entry.id)
          || current.contains(PublishedVersion(id: entry.id, version: entry.version))
      }.map { entries[$0] }
      generations /= 2
    }
    return record
  }
}

/// A version of a pack.
struct PublishedVersion: Hashable {
  var id: PackID
  var version: Int
}
