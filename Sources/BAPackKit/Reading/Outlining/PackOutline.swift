package import SystemIO

/// What the headers of an archive say: which pack it is, and which files are in it.
package struct PackOutline: Sendable {
  /// What is found out beyond the headers.
  package struct Detail: OptionSet, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    /// How much of the archive each file takes.
    package static let shares = Detail(rawValue: 1)
    /// The SHA-256 of each file, for which all of the archive is decoded.
    package static let digests = Detail(rawValue: 2)
    /// The SHA-256 of the archive itself, for which all of it is read.
    package static let archiveDigest = Detail(rawValue: 4)
  }

  /// The path of the archive as it was given.
  package let path: String
  /// The size of the archive.
  package let size: UInt64
  /// The manifest in it.
  package let manifest: Manifest
  /// The text of that, and what was found in it.
  package let document: ManifestDocument?
  /// Its files.
  package private(set) var contents: PackContents
  /// How it is written, contents apart.
  package let form: ArchiveForm
  /// The SHA-256 of the archive; nil if it was not requested.
  package let sha256: [UInt8]?

  /// The ID of the pack.
  package var id: PackID { PackID(manifest.assetPackID) }

  /// The pack as devices are offered it.
  package var offered: OfferedPack {
    OfferedPack(
      id: id, policy: manifest.downloadPolicy, platforms: manifest.platforms,
      language: manifest.language,
      size: PackSize(download: size, unpacked: contents.unpackedSize))
  }

  /// Reads an archive; without details, contents are decoded only if they share a block with a
  /// header.
  package init(
    reading path: String, _ detail: Detail = [], memory: UInt64 = PackReader.defaultMemory,
    threads: Int = 1, _ work: Work
  ) throws(PackError) {
    try self.init(
      reading: try ByteSource(opening: path), detail, memory: memory, threads: threads, work)
  }

  /// Reads an archive that is open; its digest is that of the same file.
  package init(
    reading source: consuming ByteSource, _ detail: Detail = [],
    memory: UInt64 = PackReader.defaultMemory, threads: Int = 1, _ work: Work
  ) throws(PackError) {
    let path = source.name
    let whole = detail.contains(.archiveDigest) ? try source.second() : nil
    var reader = try PackReader(source, threads: threads, memory: memory)
    var contents = PackContents()
    var document: ManifestDocument?
    var form = ArchiveForm(container: reader.container)
    var blocks = BlockCursor(reader)
    // The last file that has any bytes.
    var former: Int?
    while let entry = try reader.nextEntry() {
      try work.checkCancellation()
      form.take(entry)
      if entry.isManifest {
        document = try reader.manifest(in: entry)
      } else if entry.kind == .file, let file = entry.pathInContents {
        guard contents.hasRoom(for: file) else {
          throw PackError(.limit, "'\(path)' has more paths than any device can have")
        }
        let size = entry.size ?? 0
        var share: PackContents.StoredShare?
        if detail.contains(.shares) {
          let start = reader.streamOffset
          share = try blocks.share(of: start..<start.addingSaturated(size))
          if let former { contents.addShared(blocks.sharedBefore, at: former) }
          if size > 0 { former = contents.count }
        }
        let digest = detail.contains(.digests) ? try reader.contentDigest(work) : nil
        contents.append(file, size: size, share: share, digest: digest)
      }
    }
    contents.sort()
    self.path = path
    size = reader.fileSize
    sha256 =
      switch consume whole {
      case .some(let whole): try fileDigest(of: whole, work)
      case .none: nil
      }
    self.contents = contents
    self.form = form
    manifest = try Manifest(in: document, ofPack: path)
    self.document = document
  }

  /// Reads the archive for its SHA-256.
  package func archiveDigest(_ work: Work) throws(PackError) -> [UInt8] {
    if let sha256 { return sha256 }
    return try fileDigest(of: ByteSource(opening: path), work)
  }

  /// Reads the archive again for the digests of some files, by their places in `contents`.
  package mutating func addDigests(
    of wanted: Set<Int>, memory: UInt64 = PackReader.defaultMemory, threads: Int = 1,
    _ work: Work
  ) throws(PackError) {
    var missing = wanted.filter { contents.digest(at: $0) == nil }
    if missing.isEmpty { return }
    var reader = try PackReader(opening: path, threads: threads, memory: memory)
    while !missing.isEmpty, let entry = try reader.nextEntry() {
      guard entry.kind == .file, !entry.isManifest, let file = entry.pathInContents,
        let index = contents.index(of: file), missing.remove(index) != nil
      else { continue }
      contents.set(try reader.contentDigest(work), at: index)
    }
    guard missing.isEmpty, reader.fileSize == size else {
      throw PackError(
        .changed, "'\(path)' changed while it was being read",
        remedy: "run again when nothing writes to it")
    }
  }

  /// Reads archives, several at once; of those that cannot be read the first one's error is thrown.
  package static func read(
    _ paths: [String], _ detail: Detail = [], memory: UInt64, threads: Int, _ work: Work
  ) throws(PackError) -> [PackOutline] {
    try paths.inParallel(threads: threads, work) { path, threads throws(PackError) in
      try PackOutline(reading: path, detail, memory: memory, threads: threads, work)
    }
  }
}
