import BAPackKit
import SystemIO
import TerminalText

extension Proposal {
  /// Creates a proposal for the files of a tree, without the sizes of the archives.
  package init(
    of tree: AssetTree, in project: FoundProject, _ options: ProposalOptions,
    history changes: ChangeTable? = nil
  ) {
    self.init(project: project)
    if let system = options.oldestSystem {
      self.project.oldestSystem = system
      self.project.oldestSystemOrigin = "the choice of the user"
    }
    let setting = options.primaryLanguage ?? project.primaryLanguage
    func group(separatesTexts: Bool) -> Grouping {
      var grouping = Grouping(
        tree, engine: project.engine, primaryLanguage: setting, options, changes,
        separatesTexts: separatesTexts)
      grouping.group()
      return grouping
    }
    var grouping = group(separatesTexts: false)
    if grouping.textsChangeMost {
      let separated = group(separatesTexts: true)
      if separated.hasSeparateTexts { grouping = separated }
    }
    leftOut = grouping.leftOut.filter { $0.count > 0 }.sorted {
      ($1.bytes, $0.reason.rule.id.name) < ($0.bytes, $1.reason.rule.id.name)
    }
    for index in leftOut.indices { leftOut[index].findKinds(in: tree) }
    packs = PackAssembly(grouping).packs
    languages =
      (packs.compactMap(\.manifest.language) + grouping.languages).firstOfEachMeaning
    choosePrimaryLanguage(grouping.packsLanguage, options)
    notes = notes(about: tree) + grouping.notesAboutChanges
    guard let primaryLanguage else { return }
    for index in packs.indices where packs[index].manifest.language != nil {
      packs[index].reasons[0].text += " (primary: \(primaryLanguage))"
    }
  }

  /// Returns what the user should know about languages and scripts.
  private func notes(about tree: AssetTree) -> [Reason] {
    var notes: [Reason] = []
    let first = Device.firstSystemWithLocalizedPacks
    if runsWithoutLocalizedPacks {
      let systems =
        project.oldestSystem.map {
          "the app supports iOS \($0) (\(project.oldestSystemOrigin ?? "")), and "
        }
        ?? ""
      notes.append(
        Reason(
          GroupingRules.localized,
          systems + "systems before version \(first) receive no localized packs"))
    }
    if let scripts = leftOut.first(where: { $0.reason.rule.id == LeftOutRules.scripts.rule.id }) {
      let folders = Dictionary(grouping: scripts.files) { Int(tree.files[$0].folder) }
        .sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }
      let names = folders.prefix(3).map { folder, files in
        let path = FilePath(tree.path(ofFolder: folder)).shown
        return "\(files.count) in '\(path.isEmpty ? "." : path)'"
      }
      let kinds = Set(
        scripts.files.map { lowered(fileExtension(of: tree.name(ofFile: $0))) }.filter {
          !$0.isEmpty
        })
      let shownKinds = kinds.sorted().prefix(3).map { "." + $0 }.joined(separator: ", ")
      notes.append(
        Reason(
          LeftOutRules.scripts.rule,
          "scripts (\(shownKinds)) are in no pack: \(names.joined(separator: ", "))"
            + (folders.count > 3 ? ", …" : "") + "; include them if the app reads them as data"))
    }
    return notes
  }

  /// Sets the primary language and its origin: the user's, the project's, or an assumption.
  private mutating func choosePrimaryLanguage(
    _ language: LanguageTag?, _ options: ProposalOptions
  ) {
    guard let language else { return }
    primaryLanguage = language
    if options.primaryLanguage != nil {
      primaryLanguageOrigin = "the choice of the user"
    } else if project.primaryLanguage != nil {
      primaryLanguageOrigin = project.primaryLanguageOrigin
    } else if language.language == "en" {
      primaryLanguageOrigin = "assumed: no setting of the project specifies it"
    } else {
      primaryLanguageOrigin = "assumed: its pack has the most files"
    }
  }
}

extension LeftOut {
  /// Rules whose files are named, because the user should do something about each of them.
  private static let naming = [
    LeftOutRules.secrets.rule, LeftOutRules.names, LeftOutRules.links, LeftOutRules.special,
    LeftOutRules.platforms, LeftOutRules.unfinished.rule, LeftOutRules.secondSpelling,
    LeftOutRules.similarNames, LeftOutRules.nested,
  ].map(\.id.name)

  /// Finds the extensions of the files, if most files have one of three.
  fileprivate mutating func findKinds(in tree: AssetTree) {
    guard !Self.naming.contains(reason.rule.id.name) else { return }
    var counts: [String: Int] = [:]
    for file in files {
      let kind = lowered(fileExtension(of: tree.name(ofFile: file)))
      if !kind.isEmpty { counts[kind, default: 0] += 1 }
    }
    let most = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(3)
    guard most.reduce(0, { $0 + $1.value }) * 10 >= count * 9 else { return }
    kinds = most.map { ".\($0.key)" }
  }
}

extension Grouping {
  /// Decides all files.
  mutating func group() {
    leaveOutFiles()
    sumUp()
    groupPlatforms()
    sumUp()
    groupLanguageFolders()
    groupLanguageFiles()
    choosePrimaryLanguage()
    leaveOutSimilarNames()
    equalizeLanguages()
    // The folders of languages that keep their paths.
    leaveOutSimilarNames()
    groupQualities()
    groupModels()
    groupSiblings()
    groupMedia()
    groupRest()
    fitSizes()
    decideStart()
    divideByChanges()
  }
}

/// The packs of the groups.
private struct PackAssembly {
  private let grouping: Grouping
  private let selectors: SelectorAssembly
  private var names = PackNames()
  private(set) var packs: [ProposedPack] = []

  init(_ grouping: Grouping) {
    self.grouping = grouping
    selectors = SelectorAssembly(grouping)
    var files: [Int: [Range<Int>]] = [:]
    for file in grouping.tree.files.indices {
      guard let group = grouping.group(of: file) else { continue }
      var ranges = files[group] ?? []
      if let last = ranges.last, last.upperBound == file {
        ranges[ranges.count - 1] = last.lowerBound..<file + 1
      } else {
        ranges.append(file..<file + 1)
      }
      files[group] = ranges
    }
    let order = files.keys.sorted { left, right in
      let (isCore, isOtherCore) = (
        grouping.groups[left].kind == .core, grouping.groups[right].kind == .core
      )
      if isCore != isOtherCore { return isCore }
      return (files[left]?.first?.lowerBound ?? 0) < (files[right]?.first?.lowerBound ?? 0)
    }
    for group in order { add(group, files[group] ?? []) }
    joinSeries()
  }

  private mutating func add(_ index: Int, _ files: [Range<Int>]) {
    let group = grouping.groups[index]
    let name = group.name
    let manifest = Manifest(
      assetPackID: names.id(of: name), downloadPolicy: policy(of: index),
      fileSelectors: selectors.selectors(of: index),
      platforms: group.platforms.isEmpty ? grouping.options.platforms : group.platforms,
      language: group.language)
    var pack = ProposedPack(manifest, reasons: [reason(of: index)])
    if name == ["core"] { pack.reasons += grouping.firstLevels }
    if let changes = grouping.changes, changes.updates > 0 {
      pack.reasons.append(changes.reason(for: files.joined(), in: grouping))
    }
    pack.files = files
    pack.fills = grouping.fills[index, default: []].map(\.file)
    pack.count = group.count + pack.fills.count
    pack.bytes = group.bytes + pack.fills.reduce(0) { $0 + grouping.tree.files[$1].size }
    if let first = name.first, name.count > 1 {
      pack.series = .init(
        name: PackNames.sanitized(first),
        part: PackNames.sanitized(name.dropFirst().joined(separator: "-")))
    }
    packs.append(pack)
  }

  private func policy(of index: Int) -> DownloadPolicy {
    switch grouping.groups[index].kind {
    case .core: .essential(Set(InstallationEvent.allCases))
    case .localized
    where grouping.startsInLanguage || grouping.separateTexts[index] ?? false:
      .essential(Set(InstallationEvent.allCases))
    case .translation(isPrimary: true) where grouping.startsInLanguage:
      .essential(Set(InstallationEvent.allCases))
    case .localized, .translation(isPrimary: true), .text, .music, .platform, .folder:
      .prefetch(Set(InstallationEvent.allCases))
    // All members of a set in one pack.
    case .sibling where grouping.groups[index].name.count == 1:
      .prefetch(Set(InstallationEvent.allCases))
    case .translation(isPrimary: false), .sibling, .tier, .model, .videos: .onDemand
    }
  }

  private func reason(of index: Int) -> Reason {
    let group = grouping.groups[index]
    return group.kind == .core ? Reason(GroupingRules.core, coreText(index)) : group.reason
  }

  /// Returns the names of the folders in the core.
  private func coreText(_ index: Int) -> String {
    var folders: [String] = []
    var files: [String] = []
    for selector in selectors.selectors(of: index) {
      switch selector {
      case .directory(let path): folders.append(path)
      case .file(let path), .filePattern(let path): files.append(path)
      case .renamedFile, .renamedDirectory, .exclusion: continue
      }
    }
    let paths = folders + files
    let shown = paths.prefix(4).map { FilePath($0).shown }.joined(separator: ", ")
    return shown + (paths.count > 4 ? " and \(paths.count - 4) more" : "")
      + ": small, or needed by the first screen"
  }

  /// Removes the series of packs that are alone in theirs.
  private mutating func joinSeries() {
    let counts = Dictionary(grouping: packs.compactMap(\.series), by: \.name).mapValues(\.count)
    for index in packs.indices {
      if let series = packs[index].series, counts[series.name] == 1 { packs[index].series = nil }
    }
  }
}

// MARK: - The limit

extension ProposedPack {
  fileprivate var isCore: Bool { reasons[0].rule.id == GroupingRules.core.id }
}

extension Proposal {
  /// Adds a note about half the limit, if the core is larger than that; sizes were estimated.
  package mutating func describeSmallerLimit(
    than options: ProposalOptions, _ tree: AssetTree, _ changes: ChangeTable? = nil
  ) {
    let core = packs.filter(\.isCore)
    let (size, total) = (core.compactMap(\.compressed).saturatedSum, core.map(\.bytes).saturatedSum)
    guard size > options.essentialLimit / 2, total > 0 else { return }
    let megabytes = options.essentialLimit / 2_000_000
    guard megabytes > 0 else { return }
    var smaller = options
    smaller.essentialLimit = megabytes * 1_000_000
    let other = Proposal(of: tree, in: project, smaller, history: changes)
    let bytes = other.packs.filter(\.isCore).map(\.bytes).saturatedSum
    guard bytes < total else { return }
    let estimate = UInt64(Double(bytes) / Double(total) * Double(size))
    notes.append(
      Reason(
        GroupingRules.core,
        "with a limit of \(megabytes) MB, the pack core has about "
          + "\(Quantity.bytes(estimate)) instead of \(Quantity.bytes(size))"))
  }
}
