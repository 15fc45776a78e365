import BlockCodecs
import SourceDiagnostics
import SystemIO

/// Decodes a pack from the first byte to the last and reports everything that is wrong with it.
package struct Verification: Sendable {
  /// What a pack is compared with: a manifest and the files that it selects.
  package struct Source: Sendable {
    /// The manifest.
    package var manifest: Manifest
    /// The files.
    package var selection: Selection
    /// Where the files come from.
    package var root: SourceRoot

    /// Takes a manifest with the files that it selects.
    package init(_ manifest: Manifest, _ selection: Selection, in root: SourceRoot) {
      self.manifest = manifest
      self.selection = selection
      self.root = root
    }
  }

  /// How far verification has come.
  package struct Progress: Sendable {
    /// The entry that is being read.
    package var path: String { shownBytes(pathBytes) }
    let pathBytes: ArraySlice<UInt8>
    /// Whether the entry has just begun.
    package var isBeginning: Bool
    /// How many bytes of the decoded pack have been read.
    package var done: UInt64
    /// The size of the decoded pack, as far as it is known.
    package var total: UInt64
  }

  /// The SHA-256 that the file should have.
  package var expectedSHA256: [UInt8]?
  /// Who will host the pack; nil if that is not known.
  package var hosting: Hosting?
  /// How many threads decode blocks.
  package var threads = 1
  /// The most memory that one block may take.
  package var memory = PackReader.defaultMemory
  /// Whether to stop; asked for every piece, so it should only read an atomic value.
  package var isCancelled: @Sendable () -> Bool = { false }

  /// Checks a pack without comparing it with anything.
  package init() {}

  /// Reads a whole pack.
  ///
  /// What is wrong with the pack is in the report; it throws if the pack cannot be read, for
  /// example if there is no such file.
  ///
  /// If there are several sources, the pack is compared with the one that has its ID.
  package func verify(
    _ pack: String, against sources: [Source] = [], progress: (Progress) -> Void = { _ in }
  ) throws(PackError) -> VerificationReport {
    var pass = try VerificationPass(self, pack, sources)
    try pass.readEntries(progress)
    return pass.report()
  }
}
