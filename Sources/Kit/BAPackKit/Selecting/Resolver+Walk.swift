import AssetArchive
import Glibc
import SourceDiagnostics
import SystemIO

extension Resolver {
  /// Adds the selected entries of the folder at the current paths, and the folder itself if folders
  /// are selected.
  ///
  /// Returns whether an entry was excluded, by an exclusion or because this run writes it. A folder
  /// that is empty for this reason is omitted. A folder that was already empty is kept.
  @discardableResult
  mutating func walk(
    _ folder: Tree.Folder, _ frontier: SelectorMatcher.Frontier
  ) throws(PackError) -> Bool {
    try reportProgress()
    let isRoot = current.keepsPath ? current.source.isEmpty : current.destination.isEmpty
    var path: PackPathBuffer.Place?
    if frontier.choosesAll {
      if !isRoot {
        guard let taken = storePath() else { return false }
        path = taken
      }
    } else if current.ancestors.count > PackPath.mostNames,
      let fault = PackPath.fault(inContents: current.source[...])
    {
      // A pattern does not select the folder itself, only its files, which are checked one by one.
      report(fault)
      mark(below: frontier)
      return false
    }
    guard let (status, listing) = try list(folder) else {
      mark(below: frontier)
      return false
    }
    if !current.entered.insert(status.identity).inserted {
      current.returns += 1
      guard current.returns <= bounds.returns else { throw tooManyReturns }
    }
    if current.ancestors.contains(status.identity) {
      let path = shown(current.source)
      report(SourceRules.link(path, .loop, at: place, places.exclude(path: current.source)))
      mark(below: frontier)
      return false
    }
    if leavingOut.outputs.contains(status.identity) { return true }
    record.add(listed: current.source)
    current.ancestors.append(status.identity)
    defer { current.ancestors.removeLast() }

    let own = record.selection.records.count
    if let path { add(status, at: path) }
    let afterOwn = record.selection.records.count
    for stray in tree.strays(in: folder) { reportIfChosen(stray, frontier) }
    var dropped = leavingOut.around.contains(status.identity) && listing.items.isEmpty
    for item in listing.items {
      guard record.selection.records.count < bounds.entries else { throw tooMuch }
      dropped = try visit(item, listing, folder, frontier) || dropped
    }
    if dropped && path != nil && record.selection.records.count == afterOwn {
      record.selection.records.removeSubrange(own...)
    }
    return dropped
  }

  /// Returns the status and the names of a folder; nil if an error was reported.
  private mutating func list(
    _ folder: Tree.Folder
  ) throws(PackError) -> (FileStatus, DirectoryListing)? {
    let tree = tree
    return try attempt { () throws(Failure) in
      (try tree.status(of: folder), try tree.list(folder))
    }
  }

  /// Reports an entry that cannot exist in the folder, if it is selected and not excluded.
  private mutating func reportIfChosen(_ stray: Stray, _ frontier: SelectorMatcher.Frontier) {
    let names = stray.path.split(separator: slash)
    // For each name. An exclusion counts as used only if the whole path is selected.
    var steps = [frontier]
    for name in names.dropLast() {
      guard let next = matcher.advance(steps[steps.count - 1], over: name) else { return }
      steps.append(next)
    }
    guard let last = names.last,
      let candidate = candidate(last, steps[steps.count - 1], isFile: true)
    else { return }
    setCurrentSelector(for: candidate)
    markMatch(candidate)
    let sourceEnd = current.source.count
    defer { current.source.removeSubrange(sourceEnd...) }
    for (index, name) in names.enumerated() {
      if recordExclusion(of: name, steps[index].exclusions) {
        if record.listsExcluded {
          recordExcluded(
            joined(current.source, name), isFolder: index + 1 < names.count, name,
            steps[index].exclusions, selectedBy: selectors(of: candidate))
        }
        return
      }
      push(name, onto: &current.source)
    }
    report(SourceRules.unreadable(shown(current.source), flaw: stray.flaw, at: place))
  }

  private var tooMuch: PackError {
    PackError(
      .limit, "more than \(bounds.entries) files and folders are selected",
      remedy: Self.remedyForTooMuch)
  }

  private var tooManyReturns: PackError {
    let selector = document.fileSelectors[current.selector].parts.source
    return PackError(
      .limit,
      "'\(selector)' contains \(current.entered.count) folders, and links return to them more "
        + "than \(bounds.returns) times, after \(current.fileCount) files",
      remedy: Self.remedyForTooMuch)
  }

  private static var remedyForTooMuch: Remedy {
    "check for links that lead to the same folders repeatedly, or select fewer files"
  }

  /// Whether the name is that of a temporary file or of a record of this program.
  func isOwnFile(_ name: ArraySlice<UInt8>) -> Bool {
    name.first == dot && (TemporaryName.matches(name) || RecordName.matches(name))
  }

  /// Processes one name; returns whether it or an entry below it was left out.
  private mutating func visit(
    _ item: DirectoryListing.Item, _ listing: DirectoryListing, _ folder: Tree.Folder,
    _ frontier: SelectorMatcher.Frontier
  ) throws(PackError) -> Bool {
    let name = listing.name(of: item)
    if isOwnFile(name) { return true }
    guard let candidate = candidate(name, frontier, isFile: item.kind == .file) else {
      return false
    }
    if recordExclusion(of: candidate, isFolder: item.kind == .directory) { return true }
    setCurrentSelector(for: candidate)

    let (sourceEnd, destinationEnd) = (current.source.count, current.destination.count)
    push(name, onto: &current.source)
    if !current.keepsPath { push(name, onto: &current.destination) }
    defer {
      current.source.removeSubrange(sourceEnd...)
      current.destination.removeSubrange(destinationEnd...)
    }

    let tree = tree
    var status: FileStatus?
    if item.kind != .directory && item.kind != .symbolicLink {
      status = try attempt { () throws(Failure) in
        try tree.status(of: item, in: listing, of: folder)
      }
      if status == nil {
        mark(candidate)
        return false
      }
    }
    switch status?.kind ?? item.kind {
    case .directory:
      guard let below = candidate.below else { return false }
      setCurrentSelector(for: below)
      let opened = try attempt { () throws(Failure) in
        try tree.open(listing.fileName(of: item), in: folder)
      }
      guard let opened else {
        mark(below: below)
        return false
      }
      return try walk(opened, below)
    case .symbolicLink:
      let fileName = listing.fileName(of: item)
      switch try follow(fileName, in: folder, candidate) {
      case .file(let real, let status, let place):
        return try addIfSelected(real, status, in: place, candidate)
      case .folder(let folder):
        guard let below = candidate.below else { return false }
        setCurrentSelector(for: below)
        return try walk(folder, below)
      case nil: return false
      }
    default:
      guard let status else { return false }
      return try addIfSelected(listing.fileName(of: item), status, in: folder, candidate)
    }
  }

  /// Adds a file if it is selected; returns true if it is selected and was skipped, because this
  /// run writes it.
  private mutating func addIfSelected(
    _ name: FileName, _ status: FileStatus, in folder: Tree.Folder, _ candidate: Candidate
  ) throws(PackError) -> Bool {
    guard candidate.isSelected else { return false }
    guard try addFile(name, status, in: folder) else { return true }
    markMatch(candidate)
    return false
  }

  /// Returns the target of a link; nil if it has none, which was reported if it is relevant.
  ///
  /// For patterns that do not match the link's name, only a target folder inside this source root
  /// is relevant.
  private mutating func follow(
    _ name: FileName, in folder: Tree.Folder, _ candidate: Candidate
  ) throws(PackError) -> Found<Tree.Folder>? {
    do throws(LookupFault) {
      return try tree.lookUp([name], from: folder)
    } catch {
      if case .system(let error) = error {
        mark(candidate)
        try refuse(error, current.source)
        return nil
      }
      if let below = candidate.below {
        matcher.patterns.note(link: current.source, below: below.patterns, &current.marks)
      }
      guard candidate.isSelected else { return nil }
      markMatch(candidate)
      switch error {
      case .missing, .notFolder:
        try refuse(Failure(.status, shown(current.source), code: ENOENT), current.source)
      default:
        report(
          SourceRules.link(
            shown(current.source), error, at: place, places.exclude(path: current.source)))
      }
      return nil
    }
  }

  /// Calls a function that may fail with a system error; returns nil if it failed and the error was
  /// reported.
  private mutating func attempt<Result>(_ body: () throws(Failure) -> Result)
    throws(PackError) -> Result?
  {
    do throws(Failure) {
      return try body()
    } catch {
      try refuse(error, current.source)
      return nil
    }
  }

  func joined(_ path: [UInt8], _ name: ArraySlice<UInt8>) -> [UInt8] {
    var path = path
    push(name, onto: &path)
    return path
  }

  private func push(_ name: ArraySlice<UInt8>, onto path: inout [UInt8]) {
    if !path.isEmpty { path.append(slash) }
    path += name
  }
}
