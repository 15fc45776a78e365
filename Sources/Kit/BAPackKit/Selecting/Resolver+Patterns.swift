import SourceDiagnostics
import SystemIO

/// Patterns that begin in the same folder.
///
/// They are compared with its contents together, so that it is listed only once.
struct PatternGroup {
  /// The names of the folder, or of a file.
  var prefix: ArraySlice<FileName>
  /// The rests of the patterns after the prefix, in the order of their selectors.
  var members: [(selector: Int, rest: PathPattern)] = []
}

extension Resolver {
  /// Parses the patterns, and reports errors in them; returns the others, by the selectors with
  /// which they are processed.
  mutating func makePatternGroups() -> [Int: PatternGroup] {
    var groups: [Int: PatternGroup] = [:]
    var firstSelectors: [FilePath: Int] = [:]
    for (index, selector) in document.fileSelectors.enumerated() where !findings.hasError(index) {
      guard case .filePattern(let text) = selector else { continue }
      do throws(PatternFault) {
        var pattern = try PathPattern(forFiles: text)
        // Names without wildcards are opened directly, without a search.
        let prefix = pattern.literalPrefix
        pattern.removeFirst(prefix.count)
        let path = FilePath(joining: prefix)
        let first = firstSelectors[path] ?? index
        firstSelectors[path] = first
        groups[first, default: PatternGroup(prefix: prefix[...])].members.append((index, pattern))
      } catch {
        findings.add(PatternRules.malformed(text, error, at: places.source(of: index)))
      }
    }
    return groups
  }

  /// Adds the files of the patterns of a group.
  mutating func choose(_ group: PatternGroup) throws(PackError) {
    current = Choice()
    current.selector = group.members[0].selector
    setPaths(group.prefix, nil)
    let frontier = followExclusions(
      to: group.prefix, selectedBy: group.members.map(\.selector))
    // A build lists no files of excluded folders.
    if frontier == nil, isDeclared { return }
    let found: Found<Tree.Folder>
    do throws(LookupFault) {
      found = try tree.lookUp(Array(group.prefix), from: tree.root)
    } catch {
      try reportUnlessAbsent(error, group.prefix)
      // Missing files and folders are reported later.
      if current.isReported { return }
      for (selector, rest) in group.members {
        addAbsent(selector, in: group, expectsFolder: !rest.components.isEmpty)
      }
      return
    }
    switch found {
    case .folder(let folder): try walk(folder, group, frontier)
    case .file where frontier == nil: return
    case .file(let name, let status, let folder):
      for (selector, rest) in group.members {
        current.selector = selector
        guard rest.components.allSatisfy({ $0 == .anyFolders }),
          try addFile(name, status, in: folder)
        else {
          addAbsent(selector, in: group, expectsFolder: !rest.components.isEmpty)
          continue
        }
      }
    }
  }

  /// Adds the files in a folder that match patterns of a group; none if it is excluded, without the
  /// frontier of exclusions.
  private mutating func walk(
    _ folder: Tree.Folder, _ group: PatternGroup, _ exclusions: PatternSet.Frontier?
  ) throws(PackError) {
    matcher.patterns = PatternSet(dotIsOrdinary: false)
    defer { matcher.patterns = PatternSet(dotIsOrdinary: false) }
    for (selector, rest) in group.members {
      if rest.components.isEmpty {
        addAbsent(selector, in: group, expectsFolder: false)
      } else {
        matcher.patterns.add(rest, of: selector)
      }
    }
    if matcher.patterns.isEmpty { return }
    if let exclusions {
      let frontier = matcher.start(choosingAll: false, exclusions)
      setCurrentSelector(for: frontier)
      try walk(folder, frontier)
    } else {
      current.excludedFolders = [
        ExcludedFolder(
          path: FilePath(joining: group.prefix).bytes, patterns: matcher.patterns.start)
      ]
    }
    try searchExcludedFolders(current.excludedFolders)
    for pattern in matcher.patterns.unused(current.marks) {
      let link = matcher.patterns.link(passedBy: pattern, current.marks)
      addAbsent(pattern.selector, in: group, expectsFolder: true, linkPassedBy: link)
    }
  }

  /// Records a pattern without a match.
  ///
  /// `expectsFolder` is false if the prefix is the whole pattern.
  private mutating func addAbsent(
    _ selector: Int, in group: PatternGroup, expectsFolder: Bool, linkPassedBy link: [UInt8]? = nil
  ) {
    record.add(
      Absent(
        selector: selector, path: Array(group.prefix), expectsFolder: expectsFolder,
        pattern: document.fileSelectors[selector].parts.source, linkPassedBy: link))
  }
}

/// A name in a folder of the walk, and the selectors that match it.
struct Candidate {
  let name: ArraySlice<UInt8>
  /// The frontier in the folder.
  let frontier: SelectorMatcher.Frontier
  /// The patterns that match the name.
  let match: PatternSet.Match?
  /// The frontier below the name; nil if it is not a folder, or if no file below it is selected.
  let below: SelectorMatcher.Frontier?
  /// Whether a file with this name is selected.
  var isSelected: Bool { frontier.choosesAll || match != nil }
}

extension Resolver {
  /// Returns the candidate for a name; nil if it cannot be selected, nor a file below it.
  func candidate(
    _ name: ArraySlice<UInt8>, _ frontier: SelectorMatcher.Frontier, isFile: Bool
  ) -> Candidate? {
    let candidate = Candidate(
      name: name, frontier: frontier,
      match: matcher.patterns.match(name, frontier.patterns, current.marks),
      below: isFile ? nil : matcher.advance(frontier, over: name))
    return candidate.isSelected || candidate.below != nil ? candidate : nil
  }

  /// Makes the first pattern that can select files in a folder the current selector.
  mutating func setCurrentSelector(for frontier: SelectorMatcher.Frontier) {
    if let selector = matcher.patterns.firstSelector(below: frontier.patterns) {
      current.selector = selector
    }
  }

  /// Makes the first selector that selects a candidate, or files below it, the current one.
  mutating func setCurrentSelector(for candidate: Candidate) {
    if let match = candidate.match {
      current.selector = match.selector
    } else if let below = candidate.below {
      setCurrentSelector(for: below)
    }
  }

  /// Marks the patterns that match a candidate, or can match below it, as used.
  mutating func mark(_ candidate: Candidate) {
    markMatch(candidate)
    mark(below: candidate.below)
  }

  /// Marks the patterns that match a candidate's name as used.
  mutating func markMatch(_ candidate: Candidate) {
    guard candidate.match?.isNew == true else { return }
    matcher.patterns.mark(candidate.name, candidate.frontier.patterns, &current.marks)
  }

  /// Marks the patterns that can select files in a folder as used, because a finding about it was
  /// reported.
  mutating func mark(below frontier: SelectorMatcher.Frontier?) {
    guard let frontier else { return }
    matcher.patterns.mark(below: frontier.patterns, &current.marks)
  }

  /// Records the exclusions that match a candidate; returns whether there is one.
  mutating func recordExclusion(of candidate: Candidate, isFolder: Bool) -> Bool {
    let (name, frontier) = (candidate.name, candidate.frontier.exclusions)
    guard recordExclusion(of: name, frontier) else { return false }
    if record.listsExcluded {
      recordExcluded(
        joined(current.source, name), isFolder: isFolder, name, frontier,
        selectedBy: selectors(of: candidate))
    }
    if !isFolder { markMatch(candidate) }
    if let below = candidate.below, !below.choosesAll {
      current.excludedFolders.append(
        ExcludedFolder(path: joined(current.source, name), patterns: below.patterns))
    }
    return true
  }

  /// Returns the selectors that select a candidate, or that can select files below it.
  func selectors(of candidate: Candidate) -> [Int] {
    if candidate.frontier.choosesAll { return [current.selector] }
    let matching = matcher.patterns.selectors(
      matching: candidate.name, candidate.frontier.patterns)
    let below = candidate.below.map { matcher.patterns.selectors(below: $0.patterns) } ?? []
    return Set(matching + below).sorted()
  }
}
