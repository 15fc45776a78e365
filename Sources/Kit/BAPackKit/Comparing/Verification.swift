import BlockCodecs
import SourceDiagnostics
package import SystemIO

/// A verification, which decodes a complete pack and reports all findings.
package struct Verification: Sendable {
  /// A manifest and the files that it selects, for a comparison.
  package struct Source: Sendable {
    package var manifest: Manifest
    /// The files.
    package var selection: Selection
    /// The source root of the files.
    package var root: SourceRoot

    /// Creates a source from a manifest and the files that it selects.
    package init(_ manifest: Manifest, _ selection: Selection, in root: SourceRoot) {
      self.manifest = manifest
      self.selection = selection
      self.root = root
    }
  }

  /// The expected SHA-256 digest of the file.
  package var expectedSHA256: [UInt8]?
  /// The host of the pack; nil if it is unknown.
  package var hosting: Hosting?
  /// The number of threads that decode blocks.
  package var threads = 1
  /// The maximum memory for one block, in bytes.
  package var memory = PackReader.defaultMemory

  /// Creates a verification without a comparison.
  package init() {}

  /// Verifies a pack.
  ///
  /// If there are several sources, the pack is compared with the one that has its ID. The progress
  /// is reported for each entry and each block, in bytes of the decoded pack.
  ///
  /// - Throws: An error if the pack cannot be read, for example if the file does not exist. Damage
  ///   of the pack is a finding.
  package func verify(
    _ pack: String, against sources: [Source] = [], _ work: Work
  ) throws(PackError) -> VerificationReport {
    var pass = try VerificationPass(self, pack, sources, work)
    try pass.readEntries()
    return pass.report()
  }
}
