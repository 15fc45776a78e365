package import BAPackKit
package import SourceDiagnostics
package import SystemIO
import TerminalText

/// The packs of one release: a published one, or a future one.
package struct Inventory: Sendable {
  /// The name of the release, for messages.
  package let name: String
  /// The packs, in the order of their IDs.
  package let packs: [InventoryPack]
  /// Whether no release exists yet, because an optional baseline is missing.
  package private(set) var isMissing = false
  private let places: [PackID: Int]

  /// Returns the inventory before the first release, which has no packs.
  package static func missing(_ name: String) -> Inventory {
    var inventory = Inventory(name, [])
    inventory.isMissing = true
    return inventory
  }

  /// Creates an inventory; of two packs with the same ID, the first is used.
  package init(_ name: String, _ packs: [InventoryPack]) {
    self.name = name
    var places: [PackID: Int] = [:]
    var kept: [InventoryPack] = []
    for pack in packs.sorted(by: { $0.id < $1.id }) where places[pack.id] == nil {
      places[pack.id] = kept.count
      kept.append(pack)
    }
    self.packs = kept
    self.places = places
  }

  /// Returns the inventory with other values for its packs.
  func with(_ packs: [InventoryPack]) -> Inventory {
    var inventory = Inventory(name, packs)
    inventory.isMissing = isMissing
    return inventory
  }

  package subscript(id: PackID) -> InventoryPack? { places[id].map { packs[$0] } }

  /// The packs as devices are offered them, without those whose policy is unknown.
  package var offered: [OfferedPack] { packs.compactMap(\.offered) }

  /// The total size of all archives; nil if one of them is unknown.
  package var hostedSize: UInt64? {
    packs.reduce(0) { sum, pack in
      sum.flatMap { sum in pack.downloadSize.map(sum.addingSaturated) }
    }
  }
}

/// A pack of a release, with its known values.
package struct InventoryPack: Sendable {
  /// The ID with which the app requests it.
  package var id: PackID
  /// The download policy; nil if only the files are known.
  package var policy: DownloadPolicy?
  /// The platforms on which it is offered; empty for all.
  package var platforms: [Platform] = []
  /// The language of a localized pack; nil for other packs.
  package var language: LanguageTag?
  /// The data for the app.
  package var userInfo: JSONValue?
  /// The size of the archive; nil if it is not packed yet.
  package var downloadSize: UInt64?
  /// The SHA-256 digest of the archive; nil if it is unknown.
  package var sha256: [UInt8]?
  /// The version in a download manifest.
  package var version: Int?
  /// The files; nil if only a download manifest is known.
  package var contents: PackContents?
  /// Whether the ID is unknown.
  ///
  /// If so, `id` is the file name without its extension.
  var isNamedByFile = false
  /// Whether the sizes of files are known; a list of digests may omit them.
  package var hasSizes = true
  /// The format of the archive, if it was read.
  package var form: ArchiveForm?
  /// The origin: the path of an archive or manifest, or an address.
  package var place: String
  /// The place from which the contents can be read again.
  package var source: Source

  /// A place from which the contents of a pack can be read.
  package enum Source: Sendable {
    case archive(PackOutline)
    /// The files that a manifest selects.
    case files(ReadyPack)
    /// No place: only the known values are available.
    case none
  }

  package init(
    _ id: PackID, policy: DownloadPolicy? = nil, place: String, source: Source = .none
  ) {
    self.id = id
    self.policy = policy
    self.place = place
    self.source = source
  }

  /// The total size of the files, if known.
  package var unpackedSize: UInt64? { hasSizes ? contents?.unpackedSize : nil }

  /// The pack as devices are offered it; nil if its policy is unknown.
  package var offered: OfferedPack? {
    policy.map {
      OfferedPack(
        id: id, policy: $0, platforms: platforms, language: language,
        size: PackSize(download: downloadSize ?? 0, unpacked: unpackedSize ?? 0))
    }
  }
}

extension InventoryPack {
  /// Creates a pack from the outline of its archive.
  package init(_ outline: PackOutline) {
    self.init(outline.manifest, place: outline.path, source: .archive(outline))
    downloadSize = outline.size
    sha256 = outline.sha256
    contents = outline.contents
    form = outline.form
  }

  /// Creates a pack that is not packed yet.
  package init(_ pack: ReadyPack, place: String) {
    self.init(pack.manifest, place: place, source: .files(pack))
    contents = PackContents(pack.selection)
  }

  init(_ manifest: Manifest, place: String, source: Source) {
    self.init(
      PackID(manifest.assetPackID), policy: manifest.downloadPolicy, place: place, source: source)
    platforms = manifest.platforms
    language = manifest.language
    userInfo = manifest.userInfo
  }

  /// Creates a pack of a download manifest; the record next to the manifest contains the digest.
  package init(_ pack: PublishedPack, recordedIn record: PublicationRecord?) {
    self.init(pack.id, policy: pack.downloadPolicy, place: pack.url)
    userInfo = pack.userInfo
    downloadSize = pack.downloadSize
    version = pack.version
    sha256 = record?.sha256(of: pack.id, version: pack.version)
      .flatMap { [UInt8](hexadecimal: $0, count: 32) }
  }

  /// Returns the SHA-256 digest of the archive, which is read if necessary; nil if there is no
  /// archive.
  package func archiveDigest(_ work: Work) throws(PackError) -> [UInt8]? {
    if let sha256 { return sha256 }
    guard case .archive(let outline) = source else { return nil }
    return try outline.archiveDigest(work)
  }

  /// Reads the contents again to compute the digests of some files; unreadable files remain
  /// unknown.
  package mutating func addDigests(
    of wanted: Set<Int>, memory: UInt64, threads: Int, _ work: Work
  ) throws(PackError) {
    if wanted.isEmpty { return }
    switch source {
    case .archive(var outline):
      try outline.addDigests(of: wanted, memory: memory, threads: threads, work)
      contents = outline.contents
      source = .archive(outline)
    case .files(let pack):
      guard var contents else { return }
      try pack.addDigests(of: wanted, to: &contents, work)
      self.contents = contents
    case .none: break
    }
  }
}
