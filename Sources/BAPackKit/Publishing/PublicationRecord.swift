import SourceDiagnostics

/// Which versions of which packs were published: the file `<manifest>.lock.json`.
///
/// A download manifest has no digests, so without this file nobody can tell whether an archive is
/// the published one. The file stays with the developer; devices do not read it.
package struct PublicationRecord: Sendable, Equatable {
  /// One version of a pack that was published.
  package struct Entry: Sendable, Equatable {
    /// The ID of the pack.
    package var id: PackID
    /// The version.
    package var version: Int
    /// The SHA-256 of the archive, in lower-case hexadecimal; nil if the bytes of the version are
    /// not known.
    package var sha256: String?
    /// The address of the archive, if it does not follow the record's template.
    package var url: String?
    /// Whether the pack was removed from the manifest on purpose after this version.
    package var isRemoved: Bool

    /// Makes an entry.
    package init(
      id: PackID, version: Int, sha256: String?, url: String? = nil, isRemoved: Bool = false
    ) {
      self.id = id
      self.version = version
      self.sha256 = sha256
      self.url = url
      self.isRemoved = isRemoved
    }
  }

  /// The format that this program writes, and the newest that it reads.
  package static let format = 1

  /// The platform that the manifest is for.
  package var platform: Platform?
  /// The template of the packs' addresses, see ``PackURLs/template``.
  package var urlTemplate: String?
  /// Every version that was ever published, sorted by ID and version; each is there once.
  package private(set) var entries: [Entry] = []

  /// Makes an empty record.
  package init(platform: Platform? = nil) { self.platform = platform }

  /// Makes a record of these versions, each of which is there once.
  init(platform: Platform?, urlTemplate: String?, entries: [Entry]) {
    self.platform = platform
    self.urlTemplate = urlTemplate
    self.entries = entries.sorted { Self.precedes($0, $1.id, $1.version) }
  }

  /// The path of the record of a manifest.
  package static func path(besides manifest: String) -> String { manifest + ".lock.json" }

  /// What is known about one version of a pack.
  package func entry(of id: PackID, version: Int) -> Entry? {
    let index = index(of: id, version: version)
    return isEntry(index, of: id) && entries[index].version == version ? entries[index] : nil
  }

  /// The digest of one version of a pack.
  package func sha256(of id: PackID, version: Int) -> String? {
    entry(of: id, version: version)?.sha256
  }

  /// The highest version of a pack that was ever published.
  package func latest(of id: PackID) -> Entry? {
    let index = index(of: id, version: .max)
    if isEntry(index, of: id) { return entries[index] }
    return isEntry(index - 1, of: id) ? entries[index - 1] : nil
  }

  /// The version that an archive gets: the latest if that had the same bytes, else one that was
  /// never used, also not in a manifest that gave `published`; nil if there is none left.
  package func nextVersion(of archive: PublishedArchive, published: Int? = nil) -> Int? {
    let latest = latest(of: archive.id)
    let highest = max(published ?? -1, latest?.version ?? -1)
    guard highest >= 0, latest?.sha256 != archive.sha256 else { return max(0, highest) }
    return highest < .max ? highest + 1 : nil
  }

  /// The highest version of every pack.
  package var latestEntries: [Entry] {
    entries.indices.filter { !isEntry($0 + 1, of: entries[$0].id) }.map { entries[$0] }
  }

  /// Adds a version; it replaces what was known about it.
  package mutating func add(_ entry: Entry) {
    let index = index(of: entry.id, version: entry.version)
    if isEntry(index, of: entry.id), entries[index].version == entry.version {
      entries[index] = entry
    } else {
      entries.insert(entry, at: index)
    }
  }

  /// Adds what another record knows and this one does not.
  package mutating func add(contentsOf other: PublicationRecord) {
    for entry in other.entries where self.entry(of: entry.id, version: entry.version) == nil {
      add(entry)
    }
  }

  /// Notes that there was such a version, even if its bytes are not known.
  mutating func learn(_ pack: PublishedPack) {
    guard entry(of: pack.id, version: pack.version) == nil else { return }
    add(Entry(id: pack.id, version: pack.version, sha256: nil))
  }

  /// Notes that a pack was removed from the manifest on purpose.
  mutating func remove(_ id: PackID) {
    guard var latest = latest(of: id) else { return }
    latest.isRemoved = true
    add(latest)
  }

  /// The highest version of a pack that is lower than `version`; nil if there is none.
  package func version(of id: PackID, below version: Int) -> Int? {
    let index = index(of: id, version: version) - 1
    return isEntry(index, of: id) ? entries[index].version : nil
  }

  private func isEntry(_ index: Int, of id: PackID) -> Bool {
    entries.indices.contains(index) && entries[index].id == id
  }

  private static func precedes(_ entry: Entry, _ id: PackID, _ version: Int) -> Bool {
    entry.id == id ? entry.version < version : entry.id < id
  }

  /// Where an entry is, or would be inserted.
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
  /// The limits for reading a record: its size may be anything that a position in a text can count.
  static let limits: JSONLimits = {
    var limits = JSONLimits()
    limits.size = 255 << 20
    return limits
  }()

  /// When a record gets larger, it forgets the oldest versions; this size holds some hundred
  /// thousand.
  package static let comfortableSize = 16 << 20

  /// The record as strict JSON, one version on a line; equal records give equal bytes.
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

  /// The record without its oldest versions, until it has at most `size` bytes.
  ///
  /// The latest version of each pack and the versions in `kept` are never forgotten.
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
