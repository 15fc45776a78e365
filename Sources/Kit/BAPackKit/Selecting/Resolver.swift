import AssetArchive
import Glibc
import SourceDiagnostics
import SystemIO

/// The walk through a source root, in which each selector adds its files to a record.
///
/// The selectors are processed in order. Patterns that begin in the same folder are processed
/// together, with the first of them. Exclusions are checked before a file is opened, followed or
/// examined. ``SelectionAssembly`` resolves duplicate paths of several selectors at the end.
struct Resolver<Tree: SourceTree> {
  let tree: Tree
  let leavingOut: RunOutputs
  let bounds: Selection.Bounds
  let work: Work
  /// Whether a build declares the files of the tree, usually without excluded files, so that
  /// exclusions may match no file.
  let isDeclared: Bool
  /// The files that were found.
  var record: SelectedFiles
  /// The findings about the selectors.
  var findings: SelectionFindings
  /// The exclusions, and the patterns of the current selectors.
  var matcher = SelectorMatcher()
  /// The state of the current selector.
  var current = Choice()
  /// The folder of the last `file`, because long lists of files often name the same folder.
  var lastParent: (path: ArraySlice<FileName>, folder: Tree.Folder)?
  /// The frontier of all exclusions in the folder of the last selector, because many selectors name
  /// files in the same folder.
  var lastFrontier: (path: ArraySlice<FileName>, frontier: PatternSet.Frontier)?

  /// The state of one selector, or of a group of patterns, during its processing.
  struct Choice {
    /// The selector; in a group, the one that selects the current entry.
    var selector = 0
    /// The results for each pattern of a group.
    var marks = PatternSet.Marks()
    /// Whether source and destination are the same path, whose bytes are stored once.
    var keepsPath = true
    var source: [UInt8] = []
    /// The destination; empty if the path is kept.
    var destination: [UInt8] = []
    /// The current folder and its parents, to detect a link that leads back to one of them.
    var ancestors: [FileIdentity] = []
    /// The visited folders, to detect links that lead to one of them again.
    var entered: Set<FileIdentity> = []
    var returns = 0
    /// Whether a file matched, even if it was then excluded.
    var matched = false
    var excluded = false
    /// The excluded folders in which patterns of a group can match.
    var excludedFolders: [ExcludedFolder] = []
    var fileCount = 0
    /// Whether a finding about the selector was reported.
    var isReported = false
  }

  init(
    _ document: ManifestDocument, in tree: Tree, rootPath: String,
    leavingOut: RunOutputs = RunOutputs([]), bounds: Selection.Bounds = Selection.Bounds(),
    recording record: SelectedFiles = SelectedFiles(), otherRoots: [OtherRoot] = [],
    isDeclared: Bool = false, _ work: Work
  ) {
    self.tree = tree
    self.leavingOut = leavingOut
    self.bounds = bounds
    self.work = work
    self.isDeclared = isDeclared
    self.record = record
    findings = SelectionFindings(about: document, rootPath: rootPath, otherRoots: otherRoots)
    if let size = tree.listedSize {
      self.record.selection.reserve(size.entries, pathBytes: size.pathBytes)
    }
  }

  mutating func resolve() throws(PackError) -> Selection.Resolution {
    parseExclusions()
    var groups = makePatternGroups()
    for (index, selector) in document.fileSelectors.enumerated() where !findings.hasError(index) {
      try reportProgress()
      if let group = groups.removeValue(forKey: index) {
        try choose(group)
      } else {
        try choose(selector, index)
      }
    }
    let count = UInt64(record.selection.records.count)
    work.report?(Work.Progress(done: count, total: count))
    findings.addAbsent(record, in: tree)
    for pattern in matcher.exclusions.unused(record.exclusionMarks) where !isDeclared {
      findings.addUnusedExclusion(pattern.selector)
    }
    SelectionAssembly.assemble(&record.selection, from: tree, places, &findings.ledger)
    findings.addFlaws(of: record.selection)
    return Selection.Resolution(
      selection: record.selection, excluded: record.excluded, folders: record.folders,
      findings: findings.ledger)
  }

  private mutating func parseExclusions() {
    for (index, selector) in document.fileSelectors.enumerated() {
      guard case .exclusion(let text) = selector else { continue }
      do throws(PatternFault) {
        matcher.exclusions.add(try PathPattern(forExclusion: text), of: index)
      } catch {
        if findings.hasError(index) { continue }
        findings.add(PatternRules.malformed(text, error, at: places.source(of: index)))
      }
    }
  }
}

extension Resolver {
  /// Reports the progress, and throws if the operation was stopped.
  func reportProgress() throws(PackError) {
    try work.checkCancellation()
    work.report?(Work.Progress(done: UInt64(record.selection.records.count)))
  }
}

extension Resolver {
  /// Marks the exclusions that match a name in a folder as used; returns whether there is one.
  @discardableResult
  mutating func recordExclusion(
    of name: ArraySlice<UInt8>, _ frontier: PatternSet.Frontier
  ) -> Bool {
    guard let match = matcher.exclusions.match(name, frontier, record.exclusionMarks) else {
      return false
    }
    if match.isNew { matcher.exclusions.mark(name, frontier, &record.exclusionMarks) }
    current.matched = true
    current.excluded = true
    return true
  }

  /// Records an excluded path for display, if requested.
  ///
  /// `name` is the component of the path that an exclusion matches, and `frontier` the state of the
  /// exclusions before this component.
  mutating func recordExcluded(
    _ path: [UInt8], isFolder: Bool, _ name: ArraySlice<UInt8>,
    _ frontier: PatternSet.Frontier, selectedBy selectors: [Int]
  ) {
    guard record.listsExcluded else { return }
    record.add(
      excluded: FilePath(path), isFolder: isFolder, selectedBy: selectors,
      excludedBy: matcher.exclusions.selectors(matching: name, frontier))
  }

  /// Records the exclusions that match the file that a selector names; returns whether there are
  /// none.
  mutating func admitFile(_ path: ArraySlice<FileName>) -> Bool {
    guard !matcher.exclusions.isEmpty, let name = path.last?.bytes[...] else { return true }
    let selectors = [current.selector]
    guard
      let frontier = followExclusions(
        to: path.dropLast(), isFolder: false, selectedBy: selectors)
    else { return false }
    guard recordExclusion(of: name, frontier) else { return true }
    recordExcluded(current.source, isFolder: false, name, frontier, selectedBy: selectors)
    return false
  }

  /// Follows all exclusions to the folder of selectors, or of a file that one names; returns nil if
  /// it is excluded, which is recorded.
  mutating func followExclusions(
    to folder: ArraySlice<FileName>, isFolder: Bool = true, selectedBy selectors: [Int]
  ) -> PatternSet.Frontier? {
    if matcher.exclusions.isEmpty { return matcher.exclusions.start }
    if let lastFrontier, lastFrontier.path == folder { return lastFrontier.frontier }
    switch matcher.exclusions.follow(folder.lazy.map { $0.bytes[...] }) {
    case .folder(let frontier):
      lastFrontier = (folder, frontier)
      return frontier
    case .match(let name, let frontier):
      recordExclusion(of: name, frontier)
      recordExcluded(current.source, isFolder: isFolder, name, frontier, selectedBy: selectors)
      return nil
    }
  }
}

extension Resolver {
  /// Adds the file or folder at the current paths, with the stored path in the pack.
  mutating func add(_ status: FileStatus, at place: PackPathBuffer.Place) {
    record.add(
      status, at: place, source: current.keepsPath ? nil : current.source,
      selectedBy: current.selector)
    current.matched = true
  }

  /// Adds a file after the last checks; returns false if this run writes that file.
  @discardableResult
  mutating func addFile(_ name: FileName, _ status: FileStatus, in folder: Tree.Folder)
    throws(PackError) -> Bool
  {
    if leavingOut.outputs.contains(status.identity) { return false }
    try addForeignFile(name, status, in: folder)
    return true
  }

  private mutating func addForeignFile(
    _ name: FileName, _ status: FileStatus, in folder: Tree.Folder
  ) throws(PackError) {
    current.matched = true
    guard status.kind == .file else {
      report(SourceRules.specialFile(shown(current.source), status.kind, at: place))
      return
    }
    guard let path = storePath() else { return }
    if let flaw = tree.flaw(of: name, in: folder) {
      record.selection.paths.remove(from: path)
      report(SourceRules.unreadable(shown(current.source), flaw: flaw, at: place))
      return
    }
    do throws(Failure) {
      try tree.checkReadable(name, status, in: folder)
    } catch {
      record.selection.paths.remove(from: path)
      try refuse(error, current.source)
      return
    }
    add(status, at: path)
    current.fileCount += 1
  }

  /// Stores the path of the current file or folder in the pack; nil if the path is impossible,
  /// which was reported.
  mutating func storePath() -> PackPathBuffer.Place? {
    do throws(PathFault) {
      return try record.selection.paths.append(
        inContents: current.keepsPath ? current.source : current.destination)
    } catch {
      report(error)
      return nil
    }
  }

  /// Reports a fault of the path that the current file or folder would have in the pack.
  mutating func report(_ fault: PathFault) {
    let path = current.keepsPath ? current.source : current.destination
    let place = current.keepsPath ? place : places.destination(of: current.selector)
    report(NameRules.name(path, fault, at: place))
  }
}

extension Resolver {
  var document: ManifestDocument { findings.document }

  var places: ManifestLocations { document.locations }

  /// The position of the current selector's path in the text.
  var place: SourceSpan? { places.source(of: current.selector) }

  func shown(_ path: [UInt8]) -> String { path.isEmpty ? "." : shownBytes(path) }

  mutating func report(_ finding: Finding) {
    current.matched = true
    current.isReported = true
    findings.add(finding)
  }

  /// Reports a system error that the user can correct; throws others.
  mutating func refuse(_ error: Failure, _ path: [UInt8]) throws(PackError) {
    if let finding = SourceRules.unreadable(shown(path), error, at: place) {
      report(finding)
      return
    }
    switch error.code {
    case ENOENT, ENOTDIR, ELOOP, ESTALE:
      throw PackError(
        .changed, "'\(shown(path))' changed during the listing of files",
        remedy: "run again when no process writes to it")
    default:
      throw PackError(error, while: .packing)
    }
  }
}
