package import BAPackKit
package import SourceDiagnostics
package import SystemIO
import TerminalText

/// The packs of one side: what was released, or what would be.
package struct Inventory: Sendable {
  /// How it was named, for messages.
  package let name: String
  /// The packs, in order of their IDs.
  package let packs: [InventoryPack]
  /// Whether nothing was released yet: a baseline that may be missing is.
  package private(set) var isMissing = false
  private let places: [PackID: Int]

  /// The inventory before the first release: no packs.
  package static func missing(_ name: String) -> Inventory {
    var inventory = Inventory(name, [])
    inventory.isMissing = true
    return inventory
  }

  /// Describes packs; of two with one ID the first counts.
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

  /// The same side with other facts about its packs.
  func with(_ packs: [InventoryPack]) -> Inventory {
    var inventory = Inventory(name, packs)
    inventory.isMissing = isMissing
    return inventory
  }

  /// The pack with an ID.
  package subscript(id: PackID) -> InventoryPack? { places[id].map { packs[$0] } }

  /// The packs as devices are offered them; those whose policy nobody knows are left out.
  package var offered: [OfferedPack] { packs.compactMap(\.offered) }

  /// The size of all archives together; nil while one of them is not known.
  package var hostedSize: UInt64? {
    packs.reduce(0) { sum, pack in
      sum.flatMap { sum in pack.downloadSize.map(sum.addingSaturated) }
    }
  }
}

/// One pack of a side, as far as it is known.
package struct InventoryPack: Sendable {
  /// The ID under which the app asks for it.
  package var id: PackID
  /// When it is downloaded; nil where only its files are known.
  package var policy: DownloadPolicy?
  /// The platforms that it is offered on; empty means all.
  package var platforms: [Platform] = []
  /// The language that it is for; nil for a pack that is for all.
  package var language: LanguageTag?
  /// Data for the app.
  package var userInfo: JSONValue?
  /// The size of the archive; nil if it is not packed yet.
  package var downloadSize: UInt64?
  /// The SHA-256 of the archive; nil where it is not known yet.
  package var sha256: [UInt8]?
  /// The version that a download manifest gives it.
  package var version: Int?
  /// Its files; nil where only a download manifest is known.
  package var contents: PackContents?
  /// Whether its ID is not known: it is the name of a file, without the end.
  var isNamedByFile = false
  /// Whether the sizes in it are known; a list of digests may have none.
  package var knowsSizes = true
  /// How the archive is written, where it was read.
  package var form: ArchiveForm?
  /// Where it comes from: the path of an archive or of a manifest; an address.
  package var place: String
  /// Where its contents can be read again.
  package var source: Source

  /// Where the contents of a pack can be read.
  package enum Source: Sendable {
    /// From an archive.
    case archive(PackOutline)
    /// From the files that a manifest selects.
    case files(ReadyPack)
    /// Only what is known already.
    case none
  }

  /// Describes a pack.
  package init(
    _ id: PackID, policy: DownloadPolicy? = nil, place: String, source: Source = .none
  ) {
    self.id = id
    self.policy = policy
    self.place = place
    self.source = source
  }

  /// The size of its files together, where they are known.
  package var unpackedSize: UInt64? { knowsSizes ? contents?.unpackedSize : nil }

  /// The pack as devices are offered it; nil where nobody knows when.
  package var offered: OfferedPack? {
    policy.map {
      OfferedPack(
        id: id, policy: $0, platforms: platforms, language: language,
        size: PackSize(download: downloadSize ?? 0, unpacked: unpackedSize ?? 0))
    }
  }
}

extension InventoryPack {
  /// A pack as its archive describes it.
  package init(_ outline: PackOutline) {
    self.init(outline.manifest, place: outline.path, source: .archive(outline))
    downloadSize = outline.size
    sha256 = outline.sha256
    contents = outline.contents
    form = outline.form
  }

  /// A pack as it would be made.
  package init(_ pack: ReadyPack, place: String) {
    self.init(pack.manifest, place: place, source: .files(pack))
    contents = PackContents(pack.selection)
  }

  private init(_ manifest: Manifest, place: String, source: Source) {
    self.init(
      PackID(manifest.assetPackID), policy: manifest.downloadPolicy, place: place, source: source)
    platforms = manifest.platforms
    language = manifest.language
    userInfo = manifest.userInfo
  }

  /// A pack as a download manifest describes it; the record beside the manifest has the digest.
  package init(_ pack: PublishedPack, recordedIn record: PublicationRecord?) {
    self.init(pack.id, policy: pack.downloadPolicy, place: pack.url)
    userInfo = pack.userInfo
    downloadSize = pack.downloadSize
    version = pack.version
    sha256 = record?.sha256(of: pack.id, version: pack.version)
      .flatMap { [UInt8](hexadecimal: $0, count: 32) }
  }

  /// The SHA-256 of the archive, which is read for it if necessary; nil where there is no archive.
  package func archiveDigest(_ work: Work) throws(PackError) -> [UInt8]? {
    if let sha256 { return sha256 }
    guard case .archive(let outline) = source else { return nil }
    return try outline.archiveDigest(work)
  }

  /// Reads its contents once more for the digests of some files, by their places; what cannot be
  /// read again stays unknown.
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
