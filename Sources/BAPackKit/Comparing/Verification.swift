import BlockCodecs
public import SourceDiagnostics
import SystemIO

/// Decodes a pack from the first byte to the last and reports everything that is wrong with it.
public struct Verification: Sendable {
  /// What a pack is compared with: a manifest and the files that it selects.
  public struct Source: Sendable {
    /// The manifest.
    public var manifest: Manifest
    /// The files.
    public var selection: Selection
    /// Where the files come from.
    public var root: SourceRoot

    /// Takes a manifest with the files that it selects.
    public init(_ manifest: Manifest, _ selection: Selection, in root: SourceRoot) {
      self.manifest = manifest
      self.selection = selection
      self.root = root
    }
  }

  /// What was found.
  public struct Report: Sendable {
    /// The findings about the pack, then those about the manifest in it.
    ///
    /// Of more than 1,000 errors or warnings about a pack, only the first are listed, and one
    /// finding gives the number of the others.
    public var findings: Ledger
    /// How many files the pack has for the app.
    public var fileCount: Int
    /// The total size of the files.
    public var byteCount: UInt64
    /// Whether there are errors.
    public var hasErrors: Bool { findings.hasErrors }

    /// How many findings have this severity, including those that are not listed.
    public func count(_ severity: Finding.Severity) -> Int {
      findings.count(severity)
    }
  }

  /// How far verification has come.
  public struct Progress: Sendable {
    /// The entry that is being read.
    public var path: String { shownBytes(pathBytes) }
    let pathBytes: ArraySlice<UInt8>
    /// Whether the entry has just begun.
    public var isBeginning: Bool
    /// How many bytes of the decoded pack have been read.
    public var done: UInt64
    /// The size of the decoded pack, as far as it is known.
    public var total: UInt64
  }

  /// The SHA-256 that the file should have.
  public var expectedSHA256: [UInt8]?
  /// Who will host the pack; nil if that is not known.
  public var hosting: Hosting?
  /// How many threads decode blocks.
  public var threads = 1
  /// The most memory that one block may take.
  public var memory = PackReader.defaultMemory
  /// Whether to stop; asked for every piece, so it should only read an atomic value.
  public var isCancelled: @Sendable () -> Bool = { false }

  /// Checks a pack without comparing it with anything.
  public init() {}

  /// Reads a whole pack.
  ///
  /// What is wrong with the pack is in the report; it throws if the pack cannot be read, for
  /// example if there is no such file.
  ///
  /// If there are several sources, the pack is compared with the one that has its ID.
  public func verify(
    _ pack: String, against sources: [Source] = [], progress: (Progress) -> Void = { _ in }
  ) throws(PackError) -> Report {
    var pass = try VerificationPass(self, pack, sources)
    try pass.readEntries(progress)
    return pass.report()
  }

  /// Reads a SHA-256 of 64 hexadecimal digits.
  public static func digest(fromHexadecimal text: String) -> [UInt8]? {
    let digits = text.compactMap(\.hexDigitValue)
    guard text.utf8.count == 64, digits.count == 64 else { return nil }
    return (0..<32).map { UInt8(digits[$0 * 2] << 4 | digits[$0 * 2 + 1]) }
  }
}
