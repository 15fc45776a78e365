import AssetArchive
import BAPackKit
import SystemIO
import TerminalText

/// The rules about names, for a quick search.
private struct LeftOutNames {
  private var byExtension: [String: LeftOutRule] = [:]
  private var byName: [String: LeftOutRule] = [:]
  private var byFolder: [String: LeftOutRule] = [:]
  private var starts: [(String, LeftOutRule)] = []
  private var endings: [(String, LeftOutRule)] = []
  private var longestName = 0

  init(_ engine: Engine?) {
    for rule in LeftOutRules.named.reversed() {
      for word in rule.extensions { byExtension[word] = rule }
      for word in rule.names {
        byName[word] = rule
        longestName = max(longestName, word.utf8.count)
      }
      for word in rule.folders { byFolder[word] = rule }
    }
    for word in LeftOutRules.editorExtensions(of: engine) {
      byExtension[word] = LeftOutRules.editors
    }
    for rule in LeftOutRules.named {
      starts += rule.starts.map { ($0, rule) }
      endings += rule.stemEndings.map { ($0, rule) }
    }
  }

  func rule(ofFile name: ArraySlice<UInt8>) -> LeftOutRule? {
    if name.count <= longestName, let rule = byName[lowered(name)] { return rule }
    let suffix = fileExtension(of: name)
    if !suffix.isEmpty, suffix.count <= 16, let rule = byExtension[lowered(suffix)] { return rule }
    for (start, rule) in starts where name.starts(with: start.utf8, by: { $0.lowercased == $1 }) {
      return rule
    }
    let stem = fileStem(of: name)
    for (ending, rule) in endings
    where stem.count > ending.utf8.count
      && stem.suffix(ending.utf8.count).elementsEqual(ending.utf8, by: { $0.lowercased == $1 })
    {
      return rule
    }
    return name.last == UInt8(ascii: "~") ? LeftOutRules.junk : nil
  }

  func rule(ofFolder name: ArraySlice<UInt8>) -> LeftOutRule? {
    if let rule = byFolder[lowered(name)] { return rule }
    // A folder that is a product of a build, such as an app or an Xcode project.
    let suffix = fileExtension(of: name)
    if let rule = byExtension[lowered(suffix)], rule.hasFolders { return rule }
    return name.first == dot ? LeftOutRules.junk : nil
  }
}

extension LeftOutRule {
  /// Whether the rule leaves out all files with an extension, in lower case.
  func leavesOut(kind: String, by engine: Engine?) -> Bool {
    extensions.contains(kind)
      || rule.id == LeftOutRules.editors.rule.id
        && LeftOutRules.editorExtensions(of: engine).contains(kind)
  }
}

extension LeftOutRules {
  /// The extensions of files that some engines write next to each asset.
  fileprivate static func editorExtensions(of engine: Engine?) -> Set<String> {
    switch engine {
    case .unity, .cocosCreator: ["meta"]
    case .unreal, .godot, .defold, .cocos2dx, .flutter, .reactNative, .xcode, .love, .solar2D, nil:
      []
    }
  }
}

extension Grouping {
  /// Leaves out the files that do not belong in a pack.
  mutating func leaveOutFiles() {
    let names = LeftOutNames(engine)
    let patterns = options.exclusions.compactMap { try? PathPattern(forExclusion: $0) }
    let own = Set(options.ownPaths.map { FilePath($0).normalized.bytes })
    let outputs = Set(options.outputPaths.map { FilePath($0).normalized.bytes })
    for folder in tree.folders.indices where folder != AssetTree.rootFolder {
      guard !isLeftOut(folder: folder) else { continue }
      let path = tree.path(ofFolder: folder)
      if own.contains(path) {
        leaveOut(folder: folder, LeftOutRules.own, "files of this project")
      } else if outputs.contains(path) {
        leaveOut(
          folder: folder, LeftOutRules.output,
          "the output folder: rename it if it contains assets")
      } else if patterns.contains(where: { $0.matches(path) }) {
        leaveOut(folder: folder, LeftOutRules.excluded, "excluded by the user")
      } else if let rule = names.rule(ofFolder: tree.name(ofFolder: folder)) {
        leaveOut(folder: folder, rule.rule, rule.phrase)
      }
    }
    for folder in tree.folders.indices {
      let folderPath = tree.path(ofFolder: folder)
      for file in tree.ownFiles(of: folder) where isKept(file) {
        let name = tree.name(ofFile: file)
        let path = folderPath.isEmpty ? Array(name) : folderPath + [slash] + name
        leaveOut(file, name, path, names, patterns, own)
      }
    }
  }

  private func isLeftOut(folder: Int) -> Bool {
    var folder = folder
    while folder != AssetTree.rootFolder {
      if leftOutFolders[folder] != nil { return true }
      folder = Int(tree.folders[folder].parent)
    }
    return false
  }

  private mutating func leaveOut(
    _ file: Int, _ name: ArraySlice<UInt8>, _ path: [UInt8], _ names: LeftOutNames,
    _ patterns: [PathPattern], _ own: Set<[UInt8]>
  ) {
    switch tree.files[file].kind {
    case .file: break
    case .skippedFolder:
      let rule = names.rule(ofFolder: name) ?? LeftOutRules.junk
      return leaveOut(file, rule.rule, rule.phrase)
    case .folderLink, .unusableLink:
      return leaveOut(
        file, LeftOutRules.links, "links that cannot be packed: replace them by copies")
    case .special, .unreadableFolder:
      return leaveOut(file, LeftOutRules.special, "special files and unreadable folders")
    }
    if own.contains(path) {
      leaveOut(file, LeftOutRules.own, "files of this project")
    } else if patterns.contains(where: { $0.matches(path) }) {
      leaveOut(file, LeftOutRules.excluded, "excluded by the user")
    } else if PackPath.fault(inContents: path[...]) != nil {
      leaveOut(file, LeftOutRules.names, "names that a manifest cannot contain")
    } else if let rule = names.rule(ofFile: name) {
      leaveOut(file, rule.rule, rule.phrase)
    }
  }
}
