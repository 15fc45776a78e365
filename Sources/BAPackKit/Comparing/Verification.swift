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
    /// Where the files are.
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
    /// What is wrong with the pack, and then with the manifest in it.
    ///
    /// Of more than 1,000 errors or warnings about a pack the first are here, and one finding counts
    /// the others.
    public var findings: Ledger
    /// How many files the pack holds for the app.
    public var fileCount: Int
    /// How many bytes they hold.
    public var byteCount: UInt64
    /// Whether anything is wrong that is more than a warning.
    public var hasErrors: Bool { findings.hasErrors }

    /// How many findings have a severity, also those that are not listed.
    public func count(_ severity: Finding.Severity) -> Int {
      findings.count(severity)
    }
  }

  /// How far it is.
  public struct Progress: Sendable {
    /// The entry that is being read.
    public var path: String { shownBytes(pathBytes) }
    let pathBytes: ArraySlice<UInt8>
    /// Whether it has just begun.
    public var isBeginning: Bool
    /// How much of the decoded pack has been read.
    public var done: UInt64
    /// What the whole pack decodes to, as far as that is known.
    public var total: UInt64
  }

  /// The SHA-256 that the file should have.
  public var expectedSHA256: [UInt8]?
  /// Who will host the pack; nil when nobody said.
  public var hosting: Hosting?
  /// How many threads decode blocks.
  public var threads = 1
  /// What one block may take in memory.
  public var memory = PackReader.defaultMemory
  /// Whether to give up, asked for every piece; it should read no more than an atomic value.
  public var isCancelled: @Sendable () -> Bool = { false }

  /// Checks a pack by itself.
  public init() {}

  /// Reads a whole pack.
  ///
  /// What is wrong with it is in the report; thrown is what kept it from being read, such as a file
  /// that is not there.
  ///
  /// Of several sources the pack is compared with the one that has its ID.
  public func verify(
    _ pack: String, against sources: [Source] = [], progress: (Progress) -> Void = { _ in }
  ) throws(PackError) -> Report {
    var pass = try VerificationPass(self, pack, sources)
    try pass.readEntries(progress)
    return pass.report()
  }

  /// Reads a SHA-256 as people write it: 64 hexadecimal digits.
  public static func digest(fromHexadecimal text: String) -> [UInt8]? {
    let digits = text.compactMap(\.hexDigitValue)
    guard text.utf8.count == 64, digits.count == 64 else { return nil }
    return (0..<32).map { UInt8(digits[$0 * 2] << 4 | digits[$0 * 2 + 1]) }
  }
}
