import Glibc
package import SourceDiagnostics
package import SystemIO

extension Selection {
  /// What the selectors of a manifest choose, and the findings about that.
  package struct Resolution: Sendable {
    /// The files and folders; incomplete if there are errors.
    package var selection: Selection
    /// What exclusions dropped, if that was asked for.
    package var excluded: [Excluded] = []
    /// The folders that were listed, by their paths below the source root, if that was asked for.
    package var folders: [[UInt8]] = []
    /// What was found.
    package var findings: Ledger
    /// Whether there are errors; then the pack cannot be made.
    package var hasErrors: Bool { findings.hasErrors }
  }

  /// Resolves the selectors of a manifest against a source root.
  ///
  /// What a person can correct is a finding at its selector; what the machine refused is thrown.
  /// Files and folders in `outputs`, which this run writes, are ignored, and so are folders with
  /// nothing else in them.
  package static func resolve(
    _ document: ManifestDocument, in root: SourceRoot, leavingOut outputs: [String] = [],
    listingExcluded: Bool = false, notingFolders: Bool = false, within bounds: Bounds = Bounds(),
    _ work: Work
  ) throws(PackError) -> Resolution {
    switch root.storage {
    case .folder(let tree):
      var resolver = Resolver(
        document, in: tree, rootPath: root.path, leavingOut: RunOutputs(outputs),
        bounds: bounds, listingExcluded: listingExcluded, work)
      resolver.otherRoots = OtherRoot.around(root, of: document)
      resolver.notesFolders = notingFolders
      return try resolver.resolve()
    case .archive(let tree, _, _):
      var resolver = Resolver(
        document, in: tree, rootPath: root.path, bounds: bounds, listingExcluded: listingExcluded,
        work)
      return try resolver.resolve()
    }
  }

  /// How large a pack may be: a few links can lead to billions of paths.
  package struct Bounds: Sendable {
    /// How many files and folders may be selected.
    package var entries: Int
    /// How often links of one selector may lead into folders that it has been in already.
    package var returns: Int

    package init(entries: Int = 4_000_000, returns: Int = 200_000) {
      self.entries = entries
      self.returns = returns
    }
  }
}

/// The files that a run writes, as far as they exist: they are left out of what it reads.
struct RunOutputs: Sendable {
  /// The files, and the folders with everything in them.
  private(set) var outputs: Set<FileIdentity> = []
  /// The folders that an output is in or will be in, and those above them.
  private(set) var around: Set<FileIdentity> = []

  init(_ paths: [String]) {
    // Most outputs are in one folder.
    var folders: Set<String> = []
    // No system call accepts a longer path, so nothing can be written there.
    for path in paths where path.utf8.count < Int(PATH_MAX) {
      // An output that does not exist, or cannot be examined, cannot be selected either.
      if let own = try? FileStatus(ofFileAt: path).identity { outputs.insert(own) }
      var path = path
      while OutputPlace(path).folder != path {
        path = OutputPlace(path).folder
        guard folders.insert(path).inserted else { break }
        if let folder = try? FileStatus(ofFileAt: path).identity { around.insert(folder) }
      }
    }
  }
}
