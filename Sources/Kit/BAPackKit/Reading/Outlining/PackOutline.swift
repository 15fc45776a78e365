package import SystemIO

/// The contents of an archive's headers: the manifest and the list of files.
package struct PackOutline: Sendable {
  /// Details in addition to the headers.
  package struct Detail: OptionSet, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    /// The share of each file in the archive.
    package static let shares = Detail(rawValue: 1)
    /// The SHA-256 of each file, for which the archive is decoded.
    package static let digests = Detail(rawValue: 2)
    /// The SHA-256 of the archive itself, for which the archive is read.
    package static let archiveDigest = Detail(rawValue: 4)
  }

  /// The path of the archive, as specified by the caller.
  package let path: String
  /// The size of the archive in bytes.
  package let size: UInt64
  /// The manifest in the archive.
  package let manifest: Manifest
  /// The text of the manifest, and its findings.
  package let document: ManifestDocument?
  /// The files.
  package private(set) var contents: PackContents
  /// The format parameters of the archive.
  package let form: ArchiveForm
  /// The SHA-256 of the archive; nil if it was not requested.
  package let sha256: [UInt8]?
  /// The path of the known archive with the same bytes, from which this is a copy.
  package private(set) var copiedFrom: String?
  /// The details that were read.
  let detail: Detail

  package var id: PackID { PackID(manifest.assetPackID) }

  /// The pack as offered to devices.
  package var offered: OfferedPack {
    OfferedPack(
      id: id, policy: manifest.downloadPolicy, platforms: manifest.platforms,
      language: manifest.language,
      size: PackSize(download: size, unpacked: contents.unpackedSize))
  }

  /// Reads an archive.
  ///
  /// Without details, contents are decoded only if they share a block with a header. They are not
  /// decoded if the archive has the bytes of one in `known`.
  package init(
    reading path: String, _ detail: Detail = [], known: KnownOutlines = KnownOutlines(),
    memory: UInt64 = PackReader.defaultMemory, threads: Int = 1, _ work: Work
  ) throws(PackError) {
    let source = try ByteSource(opening: path)
    var sha256: [UInt8]?
    if !detail.contains(.archiveDigest) {
      if let outline = try known.archive(withBytesOf: path, ofSize: source.size, detail, work) {
        self.init(outline, at: path)
        return
      }
    } else if known.hasArchive(ofSize: source.size) {
      let digest = try fileDigest(of: source, work)
      if let outline = known[digest], outline.detail.isSuperset(of: detail) {
        self.init(outline, at: path)
        return
      }
      sha256 = digest
    }
    try self.init(
      source, at: path, detail, sha256: sha256, memory: memory, threads: threads, work)
  }

  /// Creates the outline of an archive with the bytes of another one.
  private init(_ other: PackOutline, at path: String) {
    self.path = path
    copiedFrom = other.path
    size = other.size
    manifest = other.manifest
    document = other.document.map { document in
      ManifestDocument(inPack: path, document.source.bytes, for: nil)
    }
    contents = other.contents
    form = other.form
    sha256 = other.sha256
    detail = other.detail
  }

  /// Reads an open archive; the digest, unless it is known, is that of the same file.
  package init(
    reading source: consuming ByteSource, _ detail: Detail = [], sha256: [UInt8]? = nil,
    memory: UInt64 = PackReader.defaultMemory, threads: Int = 1, _ work: Work
  ) throws(PackError) {
    let path = source.name
    try self.init(
      source, at: path, detail, sha256: sha256, memory: memory, threads: threads, work)
  }

  /// Reads an open archive; its own name is escaped for messages.
  private init(
    _ source: consuming ByteSource, at path: String, _ detail: Detail, sha256: [UInt8]?,
    memory: UInt64, threads: Int, _ work: Work
  ) throws(PackError) {
    let whole = detail.contains(.archiveDigest) && sha256 == nil ? try source.second() : nil
    var reader = try PackReader(source, threads: threads, memory: memory)
    var contents = PackContents()
    var document: ManifestDocument?
    var form = ArchiveForm(container: reader.container)
    var blocks = BlockCursor(reader)
    // The last nonempty file.
    var former: Int?
    while let entry = try reader.nextEntry() {
      try work.checkCancellation()
      form.add(entry)
      if entry.isManifest {
        document = try reader.manifest(in: entry)
      } else if entry.kind == .file, let file = entry.pathInContents {
        guard contents.hasRoom(for: file) else {
          throw PackError(.limit, "'\(path)' exceeds the maximum length of all paths, 4 GiB")
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
    self.detail = detail
    size = reader.fileSize
    self.sha256 =
      switch consume whole {
      case .some(let whole): try fileDigest(of: whole, work)
      case .none: sha256
      }
    self.contents = contents
    self.form = form
    manifest = try Manifest(in: document, ofPack: path)
    self.document = document
  }

  /// Returns the SHA-256 of the archive, which is read again.
  package func archiveDigest(_ work: Work) throws(PackError) -> [UInt8] {
    if let sha256 { return sha256 }
    return try fileDigest(of: ByteSource(opening: path), work)
  }

  /// Adds the digests of some files, by their indices in `contents`; the archive is read again.
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
        remedy: "run again when no process writes to it")
    }
  }

  /// Reads several archives concurrently; throws the error of the first unreadable one.
  package static func read(
    _ paths: [String], _ detail: Detail = [], known: KnownOutlines = KnownOutlines(),
    memory: UInt64, threads: Int, _ work: Work
  ) throws(PackError) -> [PackOutline] {
    try paths.inParallel(threads: threads, work) { path, threads throws(PackError) in
      try PackOutline(reading: path, detail, known: known, memory: memory, threads: threads, work)
    }
  }
}
