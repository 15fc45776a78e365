import Glibc
package import SourceDiagnostics
import SystemIO

extension Selection {
  /// What the selectors of a manifest choose, and what is wrong with that.
  package struct Resolution: Sendable {
    /// The files and folders; a selection with errors beside it is not complete.
    package var selection: Selection
    /// What exclusions dropped, when that was asked for.
    package var excluded: [Excluded] = []
    /// What was found.
    package var findings: Ledger
    /// Whether something has to be mended before the pack can be made.
    package var hasErrors: Bool { findings.hasErrors }
  }

  /// Resolves the selectors of a manifest against a source root.
  ///
  /// What a person can mend is a finding at its selector; what the machine refused is thrown.
  /// What this run writes to `outputs`, files or whole folders, is as if it were not there, and so are
  /// folders that hold nothing else.
  package static func resolve(
    _ document: ManifestDocument, in root: SourceRoot, leavingOut outputs: [String] = [],
    listingExcluded: Bool = false, within bounds: Bounds = Bounds(), work: Work = Work()
  ) throws(PackError) -> Resolution {
    switch root.storage {
    case .folder(let tree):
      var resolver = Resolver(
        document, in: tree, rootPath: root.path, leavingOut: RunOutputs(outputs),
        bounds: bounds, listingExcluded: listingExcluded, work: work)
      resolver.otherRoots = OtherRoot.around(root, of: document)
      return try resolver.resolve()
    case .archive(let tree, _, _):
      var resolver = Resolver(
        document, in: tree, rootPath: root.path, bounds: bounds, listingExcluded: listingExcluded,
        work: work)
      return try resolver.resolve()
    }
  }

  /// How much one pack may be: a few links can lead to billions of paths.
  package struct Bounds: Sendable {
    /// How many files and folders may be selected.
    package var entries: Int
    /// How often one selector may lead into folders that it was in already, by way of links.
    package var returns: Int

    package init(entries: Int = 4_000_000, returns: Int = 200_000) {
      self.entries = entries
      self.returns = returns
    }
  }
}

/// What a run writes, as far as it is there already, for leaving it out of what the run reads.
struct RunOutputs: Sendable {
  /// The files, and the folders with all that is in them.
  private(set) var outputs: Set<FileIdentity> = []
  /// The folders that an output is in, or will be, and those above them.
  private(set) var around: Set<FileIdentity> = []

  init(_ paths: [String]) {
    for path in paths {
      // An output that is not there yet, or cannot be looked at, cannot be selected either.
      if let own = try? FileStatus(ofFileAt: path).identity { outputs.insert(own) }
      var path = path
      while OutputPlace(path).folder != path {
        path = OutputPlace(path).folder
        if let folder = try? FileStatus(ofFileAt: path).identity { around.insert(folder) }
      }
    }
  }
}
