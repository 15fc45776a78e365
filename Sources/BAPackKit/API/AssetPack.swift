import SystemIO

/// An asset pack in a file.
public struct AssetPack: Sendable {
  /// The path of the file.
  public let path: String
  /// How many threads decode its blocks.
  public var threads = ProcessState.processorCount

  /// Names a pack; the file is not read yet.
  public init(_ path: String) { self.path = path }

  /// Reads the pack to its end and reports everything that is wrong with it.
  ///
  /// With a project, the pack is also compared, byte by byte, with the project's pack of the same
  /// ID.
  public func verify(
    against project: ReadyProject? = nil, hosting: Hosting? = nil, expecting sha256: [UInt8]? = nil,
    progress: @escaping @Sendable (WorkProgress) -> Void = { _ in }
  ) async throws(PackError) -> VerificationReport {
    try await Work.run { work throws(PackError) in
      var verification = Verification()
      verification.hosting = hosting
      verification.expectedSHA256 = sha256
      verification.threads = threads
      return try verification.verify(
        path, against: project?.packs.map(\.comparison) ?? [],
        work.reporting(.verifying, of: [path], to: progress))
    }
  }

  /// Extracts files from the pack: all of them, or those with these paths, as the app sees them.
  ///
  /// All files appear in the folder together; if anything goes wrong, none does. A folder that has
  /// contents is written to only if `replacing` is true.
  public func extract(
    _ paths: [String] = [], into folder: String, replacing: Bool = false,
    progress: @escaping @Sendable (WorkProgress) -> Void = { _ in }
  ) async throws(PackError) -> ExtractionSummary {
    try await Work.run { work throws(PackError) in
      var extraction = Extraction()
      extraction.paths = paths
      extraction.isForced = replacing
      extraction.threads = threads
      return try extraction.extract(
        path, into: folder, work.reporting(.extracting, of: [path], to: progress))
    }
  }

  /// Every entry of the pack, in order; contents are only read as far as needed to get past them.
  public func entries() async throws(PackError) -> [PackEntry] {
    try await Work.run { work throws(PackError) in
      var reader = try PackReader(opening: path)
      var entries: [PackEntry] = []
      while let entry = try reader.nextEntry() {
        try work.checkCancellation()
        entries.append(entry)
      }
      return entries
    }
  }
}
