import Glibc
package import SourceDiagnostics
package import SystemIO

extension Selection {
  /// The files that the selectors of a manifest select, and the findings.
  package struct Resolution: Sendable {
    /// The files and folders; incomplete if there are errors.
    package var selection: Selection
    /// The excluded files, if requested.
    package var excluded: [Excluded] = []
    /// The listed folders, by their paths below the source root, if requested.
    package var folders: [[UInt8]] = []
    package var findings: Ledger
    /// Whether there are errors; then the pack cannot be made.
    package var hasErrors: Bool { findings.hasErrors }
  }

  /// Resolves the selectors of a manifest in a source root.
  ///
  /// Problems that the user can correct are findings at their selectors. Files and folders in
  /// `outputs`, which this run will write, are ignored, and so are folders that contain only such
  /// files.
  ///
  /// - Throws: ``PackError`` for other system errors.
  package static func resolve(
    _ document: ManifestDocument, in root: SourceRoot,
    leavingOut outputs: RunOutputs = RunOutputs([]),
    listingExcluded: Bool = false, notingFolders: Bool = false, within bounds: Bounds = Bounds(),
    _ work: Work
  ) throws(PackError) -> Resolution {
    switch root.storage {
    case .folder(let tree):
      var resolver = Resolver(
        document, in: tree, rootPath: root.path, leavingOut: outputs, bounds: bounds,
        recording: SelectedFiles(listingExcluded: listingExcluded, notingFolders: notingFolders),
        otherRoots: OtherRoot.around(root, of: document), work)
      return try resolver.resolve()
    case .list(let tree):
      var resolver = Resolver(
        document, in: tree, rootPath: root.path, leavingOut: outputs, bounds: bounds,
        recording: SelectedFiles(listingExcluded: listingExcluded), isDeclared: true, work)
      return try resolver.resolve()
    case .archive(let tree, _, _):
      var resolver = Resolver(
        document, in: tree, rootPath: root.path, bounds: bounds,
        recording: SelectedFiles(listingExcluded: listingExcluded), work)
      return try resolver.resolve()
    }
  }

  /// The limits of a pack: a few links can result in billions of paths.
  package struct Bounds: Sendable {
    /// The maximum number of selected files and folders.
    package var entries: Int
    /// The maximum number of times that links of one selector lead to folders already visited.
    package var returns: Int
    /// The maximum number of names in excluded folders that are compared with patterns.
    package var excludedNames: Int

    package init(
      entries: Int = 4_000_000, returns: Int = 200_000, excludedNames: Int = 100_000
    ) {
      self.entries = entries
      self.returns = returns
      self.excludedNames = excludedNames
    }
  }
}

/// The existing files that a run will write, which are excluded from its input.
///
/// They are examined once, at creation, for all packs of the run.
package struct RunOutputs: Sendable {
  /// The output files and folders; folders are excluded with their contents.
  private(set) var outputs: Set<FileIdentity> = []
  /// The folders of outputs, including future ones, and their parent folders.
  private(set) var around: Set<FileIdentity> = []

  /// Examines the files and folders at these paths.
  package init(_ paths: [String]) {
    // Most outputs are in one folder.
    var folders: Set<String> = []
    // No system call accepts a longer path, so such an output cannot be written.
    for path in paths where path.utf8.count < Int(PATH_MAX) {
      // An output that does not exist or cannot be examined cannot be selected.
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
