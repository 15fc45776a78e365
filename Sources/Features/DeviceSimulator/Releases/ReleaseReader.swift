package import BAPackKit
package import SourceDiagnostics
package import SystemIO

/// Reads releases from local files: packs, folders of packs, and download manifests.
///
/// It reads the headers of packs. It reads their contents only to compare two archives of the same
/// size.
package struct ReleaseReader: Sendable {
  /// The maximum memory for one block, in bytes.
  package var memory: UInt64
  /// The number of packs that are read in parallel.
  package var threads: Int
  /// The outlines of the archives that were read, by path.
  private var outlines: [String: PackOutline] = [:]
  /// The versions of the archives that were read.
  private var versions: [PackID: KnownVersion] = [:]

  /// A version and its archive.
  private struct KnownVersion {
    var version: Int
    let size: UInt64
    /// The SHA-256 digest; nil until it is required.
    var sha256: String?
    let path: String
  }

  /// Creates a reader that has read no archives.
  package init(
    memory: UInt64 = PackReader.defaultMemory, threads: Int = ProcessState.processorCount
  ) {
    self.memory = memory
    self.threads = threads
  }

  /// Reads a release: packs, folders of packs, and at most one download manifest.
  ///
  /// Without a manifest, the first version of a pack is 0, as in manifests. It increases with each
  /// release that changes the bytes of the pack.
  package mutating func read(
    _ paths: [String], _ findings: inout Ledger, _ work: Work
  ) throws(PackError) -> Release {
    var archives: [String] = []
    var manifests: [DownloadManifestDocument] = []
    for path in paths {
      let found = try ArchiveSearch.packs(at: path)
      if found == [path], path.lowercased().hasSuffix(".json") {
        let document = try PublicationFiles(path).readManifest(allowingHTTP: true, work)
        findings.add(contentsOf: document.findings)
        manifests.append(document)
      } else {
        archives += found
      }
    }
    guard manifests.count < 2 else {
      throw PackError(
        .conflict, "the release contains two download manifests",
        remedy: "specify only one of them, for one platform")
    }
    let outlines = try outlines(of: archives, work)
    let name = paths.joined(separator: " ")
    if let document = manifests.first {
      // Unreadable entries were reported, and are omitted.
      let packs = try Self.packs(of: document.packs, outlines).map { pack in
        // The addresses in a manifest file do not belong to a server of this simulation.
        var pack = pack
        if pack.contents == nil { pack.place = "" }
        return pack
      }
      return Release(name, packs)
    }
    try Self.checkIDs(outlines)
    var packs: [ReleasedPack] = []
    for outline in outlines {
      packs.append(
        ReleasedPack(
          outline.offered, version: try version(of: outline, work), contents: outline.contents,
          place: outline.path, rules: outline.platformRules))
    }
    return Release(name, packs)
  }

  /// Reads archives; reads an archive only once if several releases contain it.
  private mutating func outlines(
    of archives: [String], _ work: Work
  ) throws(PackError) -> [PackOutline] {
    let new = archives.filter { outlines[$0] == nil }
    for outline in try PackOutline.read(new, memory: memory, threads: threads, work) {
      outlines[outline.path] = outline
    }
    return archives.compactMap { outlines[$0] }
  }

  /// Returns the packs of a manifest, with the files of existing archives.
  package static func packs(
    of published: [PublishedPack], _ outlines: [PackOutline]
  ) throws(PackError) -> [ReleasedPack] {
    try checkIDs(outlines)
    let here = Dictionary(outlines.map { ($0.id, $0) }) { first, _ in first }
    var packs: [ReleasedPack] = []
    for pack in published {
      let outline = here[pack.id]
      if let outline, outline.size != pack.downloadSize {
        throw PackError(
          .conflict,
          """
          '\(outline.path)' has \(outline.size) bytes, but the manifest specifies \
          \(pack.downloadSize)
          """,
          remedy: "specify the archives from which the manifest was created")
      }
      var offered = pack.offered(unpacked: outline?.contents.unpackedSize ?? 0)
      let value = pack.otherMembers.first { $0.key == "language" }?.value
      var rules: [SemanticRule] = []
      if let outline {
        // A manifest is for one platform but does not name it. The archive names its platforms.
        offered.platforms = outline.offered.platforms
        rules += outline.platformRules
        if !offered.platforms.isEmpty { rules.append(.platformOfArchive) }
      }
      if case .string(let text) = value, let language = LanguageTag(text) {
        offered.language = language
        rules.append(.languageOfManifest)
      } else {
        offered.language = outline?.offered.language
      }
      packs.append(
        ReleasedPack(
          offered, version: pack.version, contents: outline?.contents,
          place: outline?.path ?? pack.url, rules: rules))
    }
    return packs
  }

  private static func checkIDs(_ outlines: [PackOutline]) throws(PackError) {
    var seen: [PackID: String] = [:]
    for outline in outlines {
      if let other = seen.updateValue(outline.path, forKey: outline.id) {
        throw PackError(
          .ambiguous, "'\(other)' and '\(outline.path)' both contain the pack '\(outline.id)'",
          remedy: "specify only one of them")
      }
    }
  }

  private mutating func version(of outline: PackOutline, _ work: Work) throws(PackError) -> Int {
    var known = KnownVersion(version: 0, size: outline.size, sha256: nil, path: outline.path)
    if var before = versions[outline.id] {
      known.version = before.version
      var isSame = before.size == outline.size
      if isSame, before.sha256 != nil || before.path != outline.path {
        let digest = try PublishedArchive.sha256(ofFileAt: outline.path, work)
        if before.sha256 == nil {
          before.sha256 = try PublishedArchive.sha256(ofFileAt: before.path, work)
        }
        known.sha256 = digest
        isSame = before.sha256 == digest
      }
      if !isSame { known.version += 1 }
    }
    versions[outline.id] = known
    return known.version
  }
}
