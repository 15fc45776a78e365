public import SystemIO

/// An asset pack in a file.
public struct AssetPack: Sendable {
  /// The path of the file.
  public let path: FilePath
  /// How many threads decode its blocks.
  public var threads = ProcessState.processorCount

  /// Names a pack; the file is not read yet.
  public init(_ path: FilePath) { self.path = path }

  /// Reads the pack to its end and reports everything that is wrong with it.
  ///
  /// With packs of a project, it is also compared, byte by byte, with the one that has the same ID.
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

  /// Extracts files from the pack: all of them, or those with these paths, as the app sees them.
  ///
  /// All files appear in the folder together; if anything goes wrong, none does. A folder that has
  /// contents is written to only if `replacing` is true.
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

  /// Returns every entry of the pack, in order.
  ///
  /// Contents are only read as far as needed to get past them.
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
}
