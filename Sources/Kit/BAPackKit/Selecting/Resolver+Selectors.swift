import SourceDiagnostics
import SystemIO

extension Resolver {
  /// Adds the files of one selector.
  mutating func choose(_ selector: FileSelector, _ index: Int) throws(PackError) {
    current = Choice()
    current.selector = index
    switch selector {
    case .file(let path): try chooseFile(path)
    case .renamedFile(let source, let destination): try chooseFile(source, as: destination)
    case .directory(let path): try chooseFolder(path)
    case .renamedDirectory(let source, let destination):
      try chooseFolder(source, as: destination)
    // Patterns are chosen in groups, and exclusions are already known.
    case .filePattern, .exclusion: return
    }
    if !current.matched { findings.add(PatternRules.nothingSelected(selector, at: place)) }
  }

  private mutating func chooseFile(_ path: String, as destination: String? = nil)
    throws(PackError)
  {
    let components = FilePath(path.utf8).components[...]
    setPaths(components, destination.map { FilePath($0.utf8) })
    guard admitFile(components) else { return }
    if destination != nil && current.destination.isEmpty && !current.source.isEmpty {
      report(SourceRules.wrongKind(rootAt: places.destination(of: current.selector)))
      return
    }
    switch try find(components, expectsFolder: false) {
    case .file(let name, let status, let folder):
      // The target of a link may change, which is visible in the folder of the link.
      if record.notesFolders, let parent = lastParent, let last = components.last,
        (try? tree.status(of: last, in: parent.folder))?.kind == .symbolicLink
      {
        record.add(listed: FilePath(joining: parent.path).bytes)
      }
      try addFile(name, status, in: folder)
    case .folder:
      report(
        SourceRules.wrongKind(folder: path, at: place, whole: places.whole(current.selector)))
    case nil: break
    }
  }

  private mutating func chooseFolder(_ path: String, as destination: String? = nil)
    throws(PackError)
  {
    let components = FilePath(path.utf8).components[...]
    setPaths(components, destination.map { FilePath($0.utf8).normalized })
    let selectors = [current.selector]
    guard let frontier = followExclusions(to: components, selectedBy: selectors) else { return }
    switch try find(components, expectsFolder: true) {
    case .folder(let folder):
      try walk(folder, matcher.start(choosingAll: true, frontier))
      // With the root of the pack as the destination, the pack has no entry for the folder.
      if current.matched || destination != nil, current.fileCount == 0, !current.excluded,
        !current.isReported
      {
        report(
          SourceRules.emptyFolder(path, at: place).about(
            AssetPath(
              unchecked: current.destination.isEmpty ? current.source : current.destination)))
      }
    case .file:
      report(SourceRules.wrongKind(file: path, at: place, whole: places.whole(current.selector)))
    case nil: break
    }
  }

  mutating func setPaths(_ components: ArraySlice<FileName>, _ destination: FilePath?) {
    current.source = FilePath(joining: components).bytes
    current.destination = destination?.bytes ?? []
    if current.destination == [dot] { current.destination = [] }
    current.keepsPath = destination == nil || current.destination == current.source
  }
}

extension Resolver {
  /// Returns the target of a selector's path; nil if a problem was reported.
  private mutating func find(_ path: ArraySlice<FileName>, expectsFolder: Bool) throws(PackError)
    -> Found<Tree.Folder>?
  {
    do throws(LookupFault) {
      guard !expectsFolder, let name = path.last else {
        return try tree.lookUp(Array(path), from: tree.root)
      }
      let parent = path.dropLast()
      if let lastParent, lastParent.path == parent {
        return try tree.lookUp([name], from: lastParent.folder)
      }
      guard case .folder(let folder) = try tree.lookUp(Array(parent), from: tree.root)
      else { throw .notFolder(upTo: parent.count) }
      lastParent = (parent, folder)
      return try tree.lookUp([name], from: folder)
    } catch {
      switch error {
      case .missing, .notFolder:
        current.matched = true
        current.isReported = true
        record.add(
          Absent(selector: current.selector, path: Array(path), expectsFolder: expectsFolder))
      default: try reportUnlessAbsent(error, path)
      }
      return nil
    }
  }

  mutating func reportUnlessAbsent(_ fault: LookupFault, _ path: ArraySlice<FileName>)
    throws(PackError)
  {
    let bytes = FilePath(joining: path).bytes
    switch fault {
    case .missing, .notFolder: return
    case .system(let error): try refuse(error, bytes)
    default: report(SourceRules.link(shown(bytes), fault, at: place, nil))
    }
  }
}
