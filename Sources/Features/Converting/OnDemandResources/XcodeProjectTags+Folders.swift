import AppSide
import SourceDiagnostics
import SystemIO

// MARK: - Synchronized folders

/// The files of a synchronized folder that a target copies.
private struct Membership {
  /// Whether the folder belongs to the target.
  ///
  /// If so, exceptions exclude files; otherwise they add files.
  var isMember: Bool
  /// The exceptions and their enclosing folders.
  private var exceptions: Set<FilePath> = []
  private var around: Set<FilePath> = []
  /// The files that another phase of the target copies.
  private var elsewhere: Set<FilePath> = []

  init(isMember: Bool) { self.isMember = isMember }

  mutating func add(exceptions list: PlacedValue?) {
    for text in list?.texts ?? [] {
      let path = FilePath(text.text).withoutWaysBack
      exceptions.insert(path)
      for count in path.components.indices {
        around.insert(FilePath(joining: path.components.prefix(count)))
      }
    }
  }

  mutating func add(elsewhere list: PlacedValue?) {
    for text in list?.texts ?? [] { elsewhere.insert(FilePath(text.text).withoutWaysBack) }
  }

  /// Whether another phase copies a path.
  func isElsewhere(_ path: FilePath) -> Bool { elsewhere.contains(path) }

  /// Whether the target copies a path.
  func has(_ path: FilePath) -> Bool {
    let isException = (1...max(path.components.count, 1)).contains {
      exceptions.contains(FilePath(joining: path.components.prefix($0)))
    }
    return isMember != isException && !isElsewhere(path)
  }

  /// Whether the folder contains exceptions.
  func hasExceptions(in path: FilePath) -> Bool { around.contains(path) }
}

extension XcodeProjectTags {
  /// Reads the tags and catalogs in a synchronized folder.
  mutating func readSynchronized(
    _ group: XcodeProject.Object, of target: XcodeProject.Object, _ name: String
  ) {
    let isMember = target["fileSystemSynchronizedGroups"]?.texts.contains { $0.text == group.id }
    var membership = Membership(isMember: isMember ?? false)
    var tags: [PlacedValue.Member] = []
    let phases = Set(target["buildPhases"]?.texts.map(\.text) ?? [])
    for set in project.objects(group["exceptions"]) {
      if let phase = set["buildPhase"]?.text {
        guard phases.contains(phase) else { continue }
        let isResources = project.object(set["buildPhase"])?.kind == "PBXResourcesBuildPhase"
        if !isResources { membership.add(elsewhere: set["membershipExceptions"]) }
        continue
      }
      for member in set["assetTagsByRelativePath"]?.members ?? [] {
        result.mentionedTags.formUnion(member.value.texts.map(\.text))
      }
      guard set["target"]?.text ?? target.id == target.id else { continue }
      membership.add(exceptions: set["membershipExceptions"])
      tags += set["assetTagsByRelativePath"]?.members ?? []
    }
    guard let around = project.place(of: group) else {
      if let first = tags.first {
        findings.add(OnDemandFileRules.ungrouped(group["path"]?.text ?? "", at: first.keySpan))
      }
      return
    }
    let folders = (group["explicitFolders"]?.texts ?? []).map {
      FilePath($0.text).withoutWaysBack
    }
    for member in tags {
      add(member, around, membership, folders, of: name)
    }
    addCatalogs(in: group, around, membership, folders, of: name)
  }

  /// Adds files that have tags.
  private mutating func add(
    _ member: PlacedValue.Member, _ around: XcodeProject.FileLocation, _ membership: Membership,
    _ folders: [FilePath], of target: String
  ) {
    let tags = member.value.texts.map(\.text)
    guard !tags.isEmpty else { return }
    let path = FilePath(member.key).withoutWaysBack
    guard !path.leavesFolder, !path.components.isEmpty else {
      findings.add(OnDemandFileRules.outside(member.key, at: member.keySpan))
      return
    }
    if membership.isElsewhere(path) {
      findings.add(OnDemandFileRules.phase(at: member.keySpan))
      return
    }
    func resource(
      _ path: FilePath, _ bundlePath: FilePath, _ kind: TaggedProject.Resource.Kind
    ) -> TaggedProject.Resource {
      TaggedProject.Resource(
        tags: tags, place: around.appending(path), bundlePath: bundlePath, kind: kind,
        target: target, span: member.keySpan)
    }
    let bundlePath = Self.bundlePath(of: path, around, folders)
    if membership.hasExceptions(in: path), !path.hasSuffix(".xcassets"),
      let place = folder.path(of: around.appending(path)),
      case .folder(let files) = inspect(place)
    {
      // Only some files in the folder are in the target.
      result.resources += files.filter { membership.has(path.appending($0)) }.map {
        resource(path.appending($0), bundlePath.appending($0), .file)
      }
      return
    }
    guard membership.has(path) else {
      findings.add(OnDemandFileRules.notMember(member.key, of: target, at: member.keySpan))
      return
    }
    result.resources.append(
      resource(path, bundlePath, path.hasSuffix(".xcassets") ? .catalog : .either))
  }

  /// Returns the kind of file at a place; several targets may share the folder.
  private mutating func inspect(_ place: FilePath) -> ResourceFolder.Found {
    if let found = inspected[place] { return found }
    let found = folder.inspect(place)
    inspected[place] = found
    return found
  }

  /// Returns the path in the bundle.
  ///
  /// In a folder that is copied unchanged, paths start at that folder.
  private static func bundlePath(
    of path: FilePath, _ around: XcodeProject.FileLocation, _ folders: [FilePath]
  ) -> FilePath {
    let outer = folders.first {
      path.components.count > $0.components.count && path.components.starts(with: $0.components)
    }
    guard let outer else { return bundlePath(of: around.appending(path), path) }
    return FilePath(joining: path.components.dropFirst(outer.components.count - 1))
  }

  /// Adds the asset catalogs of the target, whose items may have tags.
  private mutating func addCatalogs(
    in group: XcodeProject.Object, _ around: XcodeProject.FileLocation, _ membership: Membership,
    _ folders: [FilePath], of target: String
  ) {
    let span = group["path"]?.span ?? group.span
    guard let place = folder.path(of: around) else {
      if case .elsewhere = around { return }
      // A folder that is not read may contain catalogs with tags.
      if membership.isMember, reported.insert("outside \(span.start)").inserted {
        findings.add(OnDemandFileRules.outside(group["path"]?.text ?? "", at: span))
      }
      return
    }
    guard membership.isMember || membership.hasExceptions(in: FilePath("")) else { return }
    let files: [FilePath]
    switch inspect(place) {
    case .folder(let found): files = found
    case .tooLarge:
      if reported.insert("large \(span.start)").inserted {
        findings.add(OnDemandFileRules.tooLarge(place.text, at: span))
      }
      return
    case .missing, .outside, .file: return
    }
    var seen: Set<FilePath> = []
    for file in files {
      let names = file.components
      guard let end = names.firstIndex(where: { FilePath($0.bytes).hasSuffix(".xcassets") }) else {
        continue
      }
      let catalog = FilePath(joining: names[...end])
      let isCopied = folders.contains { names[..<end].starts(with: $0.components) }
      guard seen.insert(catalog).inserted, !isCopied, membership.has(catalog) else { continue }
      result.catalogs.append(
        .init(
          tags: [], place: around.appending(catalog),
          bundlePath: FilePath(joining: [catalog.name]), kind: .catalog, target: target, span: span)
      )
    }
  }
}
