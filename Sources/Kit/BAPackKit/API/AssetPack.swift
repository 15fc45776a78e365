public import SystemIO

/// An asset pack in a file.
public struct AssetPack: Sendable {
  /// The path of the file.
  public let path: FilePath
  /// The number of threads that decode blocks.
  public var threads = ProcessState.processorCount

  /// Creates a pack for the file at a path, without reading the file.
  public init(_ path: FilePath) { self.path = path }

  /// Reads the complete pack and reports all findings.
  ///
  /// - Parameters:
  ///   - packs: The packs of a project. The pack is compared, byte by byte, with the files of the
  ///     one with the same ID.
  ///   - hosting: The host of the pack; nil applies only the rules for all hosts.
  ///   - sha256: The expected SHA-256 digest of the file.
  ///   - progress: A function that is called with the progress, on any thread.
  /// - Returns: The report. Damage of the pack is a finding.
  /// - Throws: An error if the file cannot be read, or if the task was cancelled.
  public func verify(
    against packs: [ReadyPack] = [], hosting: Hosting? = nil, expecting sha256: [UInt8]? = nil,
    progress: @escaping @Sendable (WorkProgress) -> Void = { _ in }
  ) async throws(PackError) -> VerificationReport {
    try await Work.run { work throws(PackError) in
      var verification = Verification()
      verification.hosting = hosting
      verification.expectedSHA256 = sha256
      verification.threads = threads
      return try verification.verify(
        path.text, against: packs.map(\.comparison),
        work.reporting(.verifying, of: [path.text], to: progress))
    }
  }

  /// Extracts files from the pack.
  ///
  /// The files are moved to the folder after all of them have been extracted. If there is an error,
  /// the folder is unchanged.
  ///
  /// - Parameters:
  ///   - paths: The paths of files and folders, as the app sees them; empty for all files.
  ///   - folder: The output folder.
  ///   - replacing: Whether the folder may have contents; its files may then be replaced.
  ///   - progress: A function that is called with the progress, on any thread.
  /// - Throws: An error if the pack cannot be read or a file cannot be written, or if the task was
  ///   cancelled.
  public func extract(
    _ paths: [FilePath] = [], into folder: FilePath, replacing: Bool = false,
    progress: @escaping @Sendable (WorkProgress) -> Void = { _ in }
  ) async throws(PackError) -> ExtractionSummary {
    try await Work.run { work throws(PackError) in
      var extraction = Extraction()
      extraction.paths = paths.map(\.text)
      extraction.isForced = replacing
      extraction.threads = threads
      return try extraction.extract(
        path.text, into: folder.text, work.reporting(.extracting, of: [path.text], to: progress))
    }
  }

  /// Returns all entries of the pack, in order.
  ///
  /// Contents are skipped where the format allows it.
  public func entries() async throws(PackError) -> [PackEntry] {
    try await Work.run { work throws(PackError) in
      var reader = try PackReader(opening: path.text)
      var entries: [PackEntry] = []
      while let entry = try reader.nextEntry() {
        try work.checkCancellation()
        entries.append(entry)
      }
      return entries
    }
  }

  /// Returns the manifest in the pack.
  ///
  /// - Throws: ``PackError/Kind/malformed(offset:)`` if the pack has no valid manifest.
  public func manifest() async throws(PackError) -> Manifest {
    let info = try await info()
    return try Manifest(in: info.manifest, ofPack: path.text)
  }

  /// Returns the sizes of the pack, its blocks, and its files by their kind.
  ///
  /// Contents are decoded only if they share a block with a header. If the pack is damaged,
  /// ``PackInspection/error`` is the reason, and the result describes the part before the damage.
  public func info() async throws(PackError) -> PackInspection {
    try await Work.run { (_) throws(PackError) in
      let info = try PackInspection(of: path.text)
      guard info.hasContents else {
        throw info.error ?? PackError.notAnAssetPack(path.text, entries: info.entryCount)
      }
      return info
    }
  }
}
