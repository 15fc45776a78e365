package import BAPackKit
package import SourceDiagnostics
package import SystemIO

/// Reads one release for a comparison: packs, folders of packs, download manifests, manifests with
/// their files, lists of digests, or earlier reports.
package struct InventoryReader: Sendable {
  /// The settings for checking manifests and their files; it contains no manifests itself.
  package var project = Project([FilePath]())
  /// The maximum memory for one block, in bytes.
  package var memory = PackReader.defaultMemory
  /// The number of packs that are read in parallel.
  package var threads = ProcessState.processorCount
  /// The details that are read from each archive in addition to its headers.
  package var detail: PackOutline.Detail = [.shares]
  /// The archives that were read before: an archive with the bytes of one is not decoded.
  package private(set) var known = KnownOutlines()
  /// Whether the manifests in packs are checked for unusual values.
  package var examinesManifests = false

  /// Creates a reader with the default settings.
  package init() {}

  /// Adds the archives of a release to the known ones.
  package mutating func addKnown(_ release: Inventory) {
    for pack in release.packs {
      if case .archive(let outline) = pack.source { known.add(outline) }
    }
  }

  /// The kind of input at a path.
  private enum Kind {
    case archives([String])
    case manifests([String])
    case downloadManifest
    case digests([UInt8])
    case report([UInt8])
  }

  /// Reads the inputs at the paths; nil if a text contains errors, which are added to the findings.
  ///
  /// Without a name, the release is named after its first paths.
  package func read(
    _ paths: [String], named name: String? = nil, _ findings: inout Ledger, _ work: Work
  ) throws(PackError) -> Inventory? {
    var archives: [String] = []
    var manifests: [String] = []
    var packs: [InventoryPack] = []
    var isWhole = true
    for path in paths {
      switch try kind(of: path, work) {
      case .archives(let found): archives += found
      case .manifests(let found): manifests += found
      case .downloadManifest:
        let files = PublicationFiles(path)
        let document = try files.readManifest(allowingHTTP: true, work)
        findings.add(contentsOf: document.findings)
        if document.findings.hasErrors { isWhole = false }
        let record = try files.readRecord(work)
        if let record {
          findings.add(contentsOf: record.findings)
          if record.findings.hasErrors { isWhole = false }
        }
        packs += document.packs.map { InventoryPack($0, recordedIn: record?.record) }
      case .digests(let bytes):
        packs += try DigestList(parsing: bytes, named: path).packs
      case .report(let bytes):
        let document = ReportDocument(parsing: bytes, named: path)
        findings.add(contentsOf: document.findings)
        if let inventory = document.inventory { packs += inventory.packs } else { isWhole = false }
      }
    }
    let outlines = try PackOutline.read(
      archives, detail, known: known, memory: memory, threads: threads, work)
    packs += outlines.map(InventoryPack.init)
    if examinesManifests { examine(outlines, &findings) }
    if !manifests.isEmpty {
      if let ready = try packsToBe(manifests, &findings, work) {
        packs += ready
      } else {
        isWhole = false
      }
    }
    try Self.checkIDs(packs)
    return isWhole ? Inventory(name ?? Self.name(of: paths), packs) : nil
  }

  private static func name(of paths: [String]) -> String {
    let most = 3
    guard paths.count > most, let first = paths.first else { return paths.joined(separator: ", ") }
    return "\(first) and \(paths.count - 1) more"
  }

  /// Checks the manifests in packs, individually and together.
  private func examine(_ outlines: [PackOutline], _ findings: inout Ledger) {
    let described = outlines.filter { $0.document != nil }
    let documents = described.compactMap(\.document)
    for document in documents { findings.add(contentsOf: document.findings) }
    let families = LanguageFamilies(of: described.map { ($0.manifest.language, $0.contents) })
    findings.add(
      contentsOf: ManifestDocument.findings(
        together: documents, primaryLanguage: project.primaryLanguage, families: families.groups))
  }

  /// Returns the releases at a path: each report in a folder of earlier reports is one, in the
  /// order of their names.
  package static func releases(at path: String) throws(PackError) -> [String] {
    let reports = try mapFailure(.reading) { () throws(Failure) -> [String] in
      guard try FileStatus(ofFileAt: path).kind == .directory,
        try ArchiveSearch.archives(in: path).isEmpty
      else { return [] }
      var reports: [String] = []
      for file in try ManifestFolder(path).others {
        let start = try FileDescriptor.open(file, for: .reading).readToEnd(atMost: 256)
        if ReportDocument.begins(start) { reports.append(file) }
      }
      return reports
    }
    return reports.isEmpty ? [path] : reports
  }

  /// Returns the packs that would be packed; nil if there are errors.
  private func packsToBe(
    _ paths: [String], _ findings: inout Ledger, _ work: Work
  ) throws(PackError) -> [InventoryPack]? {
    var project = project
    project.inputs = paths.map { .path(FilePath($0)) }
    let found = project.found().inputs
    let checked = try project.check(found.map { project.read($0, work) }, work)
    findings.add(contentsOf: checked.report.findings)
    guard let ready = checked.packs else { return nil }
    return zip(ready, found).map { InventoryPack($0, place: $1.name) }
  }

  private static func checkIDs(_ packs: [InventoryPack]) throws(PackError) {
    var seen: [PackID: String] = [:]
    for pack in packs {
      if let other = seen.updateValue(pack.place, forKey: pack.id) {
        throw PackError(
          .ambiguous, "'\(other)' and '\(pack.place)' both contain the pack '\(pack.id)'",
          remedy: "specify only one of them")
      }
    }
  }

  // MARK: Kinds of input

  private func kind(of path: String, _ work: Work) throws(PackError) -> Kind {
    if let matching = MatchingFiles(path) {
      guard !matching.paths.isEmpty else {
        throw PackError(.missing, "no file matches '\(path)'")
      }
      return path.lowercased().hasSuffix(".aar")
        ? .archives(matching.paths) : .manifests(matching.manifests)
    }
    let start = try mapFailure(.reading) { () throws(Failure) -> [UInt8]? in
      guard try FileStatus(ofFileAt: path).kind != .directory else { return nil }
      return try FileDescriptor.open(path, for: .waiting(work)).readToEnd(
        atMost: FileFormat.startSize)
    }
    guard let start else { return try kind(ofFolder: path) }
    if ReportDocument.begins(start) { return .report(try whole(path, work)) }
    switch FileFormat(start) {
    case .manifest: return .manifests([path])
    case .downloadManifest: return .downloadManifest
    case .text where DigestList.begins(start): return .digests(try whole(path, work))
    // All problems of this file are reported as those of a manifest.
    case .text where path.lowercased().hasSuffix(".json"): return .manifests([path])
    case .pack, .sealed, .binary: return .archives([path])
    case let form:
      throw PackError(
        .malformed(offset: nil),
        "'\(path)' is \(form.phrase), which contains no packs", remedy: Self.remedy)
    }
  }

  private func kind(ofFolder path: String) throws(PackError) -> Kind {
    let archives = try mapFailure(.reading) { () throws(Failure) in
      try ArchiveSearch.archives(in: path)
    }
    if !archives.isEmpty { return .archives(archives) }
    let manifests = try mapFailure(.reading) { () throws(Failure) in
      try ManifestFolder(path).manifests
    }
    if !manifests.isEmpty { return .manifests(manifests) }
    throw PackError(
      .missing, "'\(path)' contains no packs and no manifests", remedy: Self.remedy)
  }

  private func whole(_ path: String, _ work: Work) throws(PackError) -> [UInt8] {
    let largest = 1 << 30
    let bytes = try mapFailure(.reading) { () throws(Failure) in
      try FileDescriptor.open(path, for: .waiting(work)).readToEnd(atMost: largest + 1)
    }
    guard bytes.count <= largest else {
      throw PackError(.limit, "'\(path)' is too large for a list of files")
    }
    return bytes
  }

  private static let remedy: Remedy = """
    specify packs (*.aar), a folder of packs, manifests, a download manifest, or an earlier \
    report
    """
}
