import AssetArchive
import Glibc
import SourceDiagnostics
import SystemIO

/// The resolution of selectors to files.
///
/// The selectors are processed in order, and each adds its files. Patterns that begin in the same
/// folder are processed together, with the first of them. Exclusions are checked before a file is
/// opened, followed or examined. ``SelectionAssembly`` resolves duplicate paths of several
/// selectors at the end.
struct Resolver<Tree: SourceTree> {
  let document: ManifestDocument
  let tree: Tree
  /// The source root's path, as specified by the user.
  let rootPath: String
  let leavingOut: RunOutputs
  let bounds: Selection.Bounds
  /// Whether to keep excluded files for display.
  let listsExcluded: Bool
  let work: Work
  /// Whether to keep the listed folders, for callers that wait for new files in them.
  var notesFolders = false
  /// Whether a build declares the files of the tree, usually without excluded files, so that
  /// exclusions may match no file.
  var isDeclared = false
  /// The paths of the listed folders below the source root.
  var folders: [[UInt8]] = []

  var selection = Selection()
  var findings: Ledger
  /// The positions of errors in the text.
  private let errors: [SourceSpan]
  /// The exclusions, and the patterns of the current selectors.
  var matcher = SelectorMatcher()
  /// The exclusions that matched a name.
  var exclusionMarks = PatternSet.Marks()
  /// The state of the current selector.
  var current = Choice()
  /// The folder of the last `file`, because long lists of files often name the same folder.
  var lastParent: (path: ArraySlice<FileName>, folder: Tree.Folder)?
  /// The progress of all exclusions in the folder of the last selector, because many selectors name
  /// files in the same folder.
  var lastProgress: (path: ArraySlice<FileName>, progress: PatternSet.Progress)?
  /// The number of threads that may read folders before the walk; none if calls fail on request,
  /// because a failure must affect the walk.
  var readerCount = ForcedFailures.areArmed ? 0 : min(ProcessState.processorCount, 4) - 1
  /// The threads that read folders before the walk; nil before they are started.
  var ahead: FoldersAhead<Tree>?
  /// The paths and patterns without a match.
  var absent: [Absent] = []
  var excluded: [Selection.Excluded] = []
  /// Other folders that may contain the files, if this one contains none.
  var otherRoots: [OtherRoot] = []

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
    listingExcluded listsExcluded: Bool = false, _ work: Work
  ) {
    self.document = document
    self.tree = tree
    self.rootPath = rootPath
    self.leavingOut = leavingOut
    self.bounds = bounds
    self.listsExcluded = listsExcluded
    self.work = work
    findings = Ledger(about: document.source, keeping: Ledger.fileLimit)
    errors =
      document.isValid ? [] : document.findings.compactMap { $0.severity == .error ? $0.span : nil }
    if let size = tree.listedSize { selection.reserve(size.entries, pathBytes: size.pathBytes) }
  }

  mutating func resolve() throws(PackError) -> Selection.Resolution {
    for (index, selector) in document.fileSelectors.enumerated() {
      guard case .exclusion(let text) = selector else { continue }
      do throws(PatternFault) {
        matcher.exclusions.add(try PathPattern(forExclusion: text), of: index)
      } catch {
        if hasError(index) { continue }
        findings.add(PatternRules.malformed(text, error, at: places.source(of: index)))
      }
    }
    var groups = patternGroups()
    for (index, selector) in document.fileSelectors.enumerated() where !hasError(index) {
      try reportProgress()
      if let group = groups.removeValue(forKey: index) {
        try choose(group)
      } else {
        try choose(selector, index)
      }
    }
    stopReadingAhead()
    let count = UInt64(selection.records.count)
    work.report?(Progress(done: count, total: count))
    reportAbsent()
    for pattern in matcher.exclusions.unused(exclusionMarks) where !isDeclared {
      let text = document.fileSelectors[pattern.selector].parts.source
      findings.add(
        PatternRules.unusedExclusion(
          text, notes: PatternAdvice(on: text).notes,
          at: places.source(of: pattern.selector)))
    }
    SelectionAssembly.assemble(&selection, from: tree, places, &findings)
    NameRules.similarNames(selection, places, &findings)
    let manifest = try? FileStatus(ofFileAt: document.source.name).identity
    JunkRules.junk(selection, manifest: manifest, document, &findings)
    JunkRules.uselessFiles(selection, document, &findings)
    if selection.isEmpty, !findings.hasErrors, let place = document.locations.fileSelectors,
      !hasError(in: place)
    {
      findings.add(SourceRules.empty(at: place))
    }
    return Selection.Resolution(
      selection: selection, excluded: excluded, folders: folders, findings: findings)
  }
}

extension Resolver {
  /// Reports the progress, and throws if the operation was stopped.
  func reportProgress() throws(PackError) {
    try work.checkCancellation()
    work.report?(Progress(done: UInt64(selection.records.count)))
  }

  /// Whether the text of a selector has an error, which is not reported twice.
  func hasError(_ selector: Int) -> Bool {
    places.whole(selector).map(hasError) ?? false
  }

  /// Whether the text has an error within this range.
  private func hasError(in whole: SourceSpan) -> Bool {
    errors.contains { $0.start >= whole.start && $0.end <= whole.end }
  }
}

extension Resolver {
  /// Whether an exclusion matches a name in a folder; marks all exclusions that match as used.
  mutating func excludes(_ name: ArraySlice<UInt8>, _ progress: PatternSet.Progress) -> Bool {
    guard let match = matcher.exclusions.match(name, progress, exclusionMarks) else { return false }
    if match.isNew { matcher.exclusions.mark(name, progress, &exclusionMarks) }
    current.matched = true
    current.excluded = true
    return true
  }

  /// Records an excluded path for display; `name` is the name in it that exclusions match, and
  /// `progress` the one before it.
  mutating func list(
    excluded path: [UInt8], isFolder: Bool, _ name: ArraySlice<UInt8>,
    _ progress: PatternSet.Progress, selectedBy selectors: [Int]
  ) {
    let exclusions = matcher.exclusions.selectors(matching: name, progress)
    excluded += selectors.map {
      Selection.Excluded(
        source: FilePath(path), isFolder: isFolder, selector: $0, exclusions: exclusions)
    }
  }

  /// Whether no exclusion matches the file that a selector names.
  mutating func keepsFile(_ path: ArraySlice<FileName>) -> Bool {
    guard !matcher.exclusions.isEmpty, let name = path.last?.bytes[...] else { return true }
    let selectors = [current.selector]
    guard
      let progress = exclusionProgress(
        below: path.dropLast(), isFolder: false, selectedBy: selectors)
    else { return false }
    guard excludes(name, progress) else { return true }
    if listsExcluded {
      list(excluded: current.source, isFolder: false, name, progress, selectedBy: selectors)
    }
    return false
  }

  /// Returns the progress of all exclusions below the folder of selectors, or of a file that one
  /// names; nil if it is excluded.
  mutating func exclusionProgress(
    below folder: ArraySlice<FileName>, isFolder: Bool = true, selectedBy selectors: [Int]
  ) -> PatternSet.Progress? {
    if matcher.exclusions.isEmpty { return matcher.exclusions.start }
    if let lastProgress, lastProgress.path == folder { return lastProgress.progress }
    switch matcher.exclusions.follow(folder.lazy.map { $0.bytes[...] }) {
    case .folder(let progress):
      lastProgress = (folder, progress)
      return progress
    case .match(let name, let progress):
      _ = excludes(name, progress)
      if listsExcluded {
        list(
          excluded: current.source, isFolder: isFolder, name, progress, selectedBy: selectors)
      }
      return nil
    }
  }
}

extension Resolver {
  /// Adds the file or folder at the current paths, with the stored path in the pack.
  mutating func add(_ status: FileStatus, at place: PackPathBuffer.Place) {
    let start = Int(place.start)
    let source =
      current.keepsPath
      ? start..<start + Int(place.count) : selection.paths.append(source: current.source)
    selection.records.append(
      SelectionRecord(status, at: place, source: source, selector: current.selector))
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
      selection.paths.remove(from: path)
      report(SourceRules.unreadable(shown(current.source), flaw: flaw, at: place))
      return
    }
    do throws(Failure) {
      try tree.checkReadable(name, status, in: folder)
    } catch {
      selection.paths.remove(from: path)
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
      return try selection.paths.append(
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
