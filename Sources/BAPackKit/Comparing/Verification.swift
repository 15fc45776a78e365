import BlockCodecs
import SourceDiagnostics
package import SystemIO

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

  /// The SHA-256 that the file should have.
  package var expectedSHA256: [UInt8]?
  /// Who will host the pack; nil if that is not known.
  package var hosting: Hosting?
  /// How many threads decode blocks.
  package var threads = 1
  /// The most memory that one block may take.
  package var memory = PackReader.defaultMemory

  /// Checks a pack without comparing it with anything.
  package init() {}

  /// Reads a whole pack.
  ///
  /// What is wrong with the pack is in the report; it throws if the pack cannot be read, for
  /// example if there is no such file.
  ///
  /// If there are several sources, the pack is compared with the one that has its ID. The progress
  /// is reported for each entry and each block, in bytes of the decoded pack.
  package func verify(
    _ pack: String, against sources: [Source] = [], _ work: Work
  ) throws(PackError) -> VerificationReport {
    var pass = try VerificationPass(self, pack, sources, work)
    try pass.readEntries()
    return pass.report()
  }
}
