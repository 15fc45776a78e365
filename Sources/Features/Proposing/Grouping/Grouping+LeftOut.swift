import AssetArchive
import BAPackKit
import SystemIO
import TerminalText

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
    let names = LeftOutNames(editorExtensions: LeftOutRules.editorExtensions(of: engine))
    let patterns = options.exclusions.compactMap { try? PathPattern(forExclusion: $0) }
    let included = options.inclusions.compactMap { try? PathPattern(forExclusion: $0) }
    let own = Set(options.ownPaths.map { FilePath($0).normalized.bytes })
    let outputs = Set(options.outputPaths.map { FilePath($0).normalized.bytes })
    for folder in tree.folders.indices where folder != AssetTree.rootFolder {
      guard !isLeftOut(folder: folder) else { continue }
      let path = tree.path(ofFolder: folder)
      if own.contains(path) {
        leaveOut(folder: folder, LeftOutRules.own, Self.ownPhrase)
      } else if outputs.contains(path) {
        leaveOut(
          folder: folder, LeftOutRules.output,
          "the output folder: rename it if it contains assets")
      } else if tree.ownFiles(of: folder).contains(where: isProjectFile) {
        leaveOut(folder: folder, LeftOutRules.nested, "folders of other projects")
      } else if patterns.contains(where: { $0.matches(path) }) {
        leaveOut(folder: folder, LeftOutRules.excluded, "excluded by the user")
      } else if let rule = names.rule(ofFolder: tree.name(ofFolder: folder)),
        !included.contains(where: { $0.matchesPathOrFolder(path) })
      {
        leaveOut(folder: folder, rule.rule, rule.phrase)
      }
    }
    for folder in tree.folders.indices {
      let folderPath = tree.path(ofFolder: folder)
      for file in tree.ownFiles(of: folder) where isKept(file) {
        let name = tree.name(ofFile: file)
        let path = folderPath.isEmpty ? Array(name) : folderPath + [slash] + name
        leaveOut(file, name, path, names, patterns, included, own)
      }
    }
    leaveOutPartsOfPrograms(names, included)
  }

  /// Leaves out folders such as `docs` next to program code, and texts and settings among code.
  private mutating func leaveOutPartsOfPrograms(
    _ names: LeftOutNames, _ included: [PathPattern]
  ) {
    let code = count { $0 == LeftOutRules.code.rule.id }
    guard code.last ?? 0 > 0 else { return }
    for folder in tree.folders.indices where folder != AssetTree.rootFolder {
      guard let rule = names.rule(ofFolderBesideCode: tree.name(ofFolder: folder)),
        !isLeftOut(folder: folder)
      else { continue }
      let files = tree.allFiles(of: folder)
      let parent = tree.allFiles(of: Int(tree.folders[folder].parent))
      let path = tree.path(ofFolder: folder)
      // A folder that contains only assets can be a part of the game, such as pictures of tools.
      guard code[parent] - code[files] >= Self.leastCode, !files.allSatisfy(isKept),
        !included.contains(where: { $0.matchesPathOrFolder(path) })
      else { continue }
      leaveOut(folder: folder, rule.rule, rule.phrase)
    }
    let parts = count { Self.rulesOfPrograms.contains($0) }
    for folder in tree.folders.indices where folder != AssetTree.rootFolder {
      let files = tree.allFiles(of: folder)
      guard code[files] > 0 else { continue }
      // A folder with any other file, such as an image, may be that of an app with its assets.
      let others = files.filter(isKept)
      let kinds = Set(others.map { lowered(fileExtension(of: tree.name(ofFile: $0))) })
      let hasTexts = code[files] >= max(Self.leastCode, 4 * others.count)
      let hasSettings = parts[files] >= max(2, others.count)
      guard
        hasTexts && kinds.isSubset(of: Self.kindsOfTexts)
          || hasSettings && kinds.isSubset(of: Self.kindsOfSettings)
      else { continue }
      for file in others
      where !included.contains(where: { $0.matchesPathOrFolder(tree.path(ofFile: file)) }) {
        leaveOut(file, LeftOutRules.code.rule, LeftOutRules.code.phrase)
      }
    }
  }

  /// The number of files that some rules leave out, in any range of files.
  private struct Counts {
    /// The number of such files before each file; the last element is the number of all.
    var sums: [Int]

    var last: Int? { sums.last }

    subscript(files: Range<Int>) -> Int { sums[files.upperBound] - sums[files.lowerBound] }
  }

  /// Counts the files that rules with some IDs leave out.
  private func count(_ isCounted: (Finding.ID) -> Bool) -> Counts {
    let counted = leftOut.map { isCounted($0.reason.rule.id) }
    var sums = [0]
    sums.reserveCapacity(tree.files.count + 1)
    for file in tree.files.indices {
      let reason = leftOutReason(of: file)
      sums.append(sums[file] + (reason.map { counted[$0] } ?? false ? 1 : 0))
    }
    return Counts(sums: sums)
  }

  /// The number of files of code from which a folder is that of a program.
  private static let leastCode = 3

  private static let rulesOfPrograms = Set(
    [LeftOutRules.code, LeftOutRules.editors, LeftOutRules.bundle, LeftOutRules.documents]
      .map(\.rule.id))

  private static let kindsOfTexts: Set<String> = [
    "", "txt", "yaml", "yml", "toml", "cfg", "ini", "conf", "template", "no_compile",
  ]

  private static let kindsOfSettings: Set<String> = [
    "config", "plist", "manifest", "props", "targets", "service", "pkginfo", "rc",
  ]

  /// Leaves out the files and folders that a device may not distinguish from others in their
  /// folder; the languages of localized packs have no folders there.
  mutating func leaveOutSimilarNames() {
    let forms = PathForms(on: .macOS)
    for folder in tree.folders.indices where !isLeftOut(folder: folder) {
      var members: [(name: AssetPath, folder: Int?, file: Int, count: Int)] = []
      for child in tree.subfolders(of: folder) where languageFolders[child] == nil {
        let count = tree.allFiles(of: child).count(where: isKept)
        guard count > 0 else { continue }
        members.append((AssetPath(unchecked: tree.name(ofFolder: child)), child, 0, count))
      }
      for file in tree.ownFiles(of: folder) where isKept(file) && renamedFiles[file] == nil {
        members.append((AssetPath(unchecked: tree.name(ofFile: file)), nil, file, 1))
      }
      // The first of the members with the most files is kept.
      var kept: [UInt64: [AssetPath]] = [:]
      for member in members.sorted(by: { $0.count > $1.count }) {
        let form = forms.fingerprint(of: member.name)
        guard kept[form]?.contains(where: { forms.areAlike($0, member.name) }) ?? false else {
          kept[form, default: []].append(member.name)
          continue
        }
        let phrase = "names that some devices do not distinguish from others"
        if let child = member.folder {
          leaveOut(folder: child, LeftOutRules.similarNames, phrase)
        } else {
          leaveOut(member.file, LeftOutRules.similarNames, phrase)
        }
      }
    }
  }

  private static let ownPhrase = "files of ba-package"
  private static let projectFile = Array("ba-package.json".utf8)

  private func isProjectFile(_ file: Int) -> Bool {
    tree.files[file].kind == .file && tree.name(ofFile: file).elementsEqual(Self.projectFile)
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
    _ patterns: [PathPattern], _ included: [PathPattern], _ own: Set<[UInt8]>
  ) {
    switch tree.files[file].kind {
    case .file: break
    case .documentOfPacks: return leaveOut(file, LeftOutRules.own, Self.ownPhrase)
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
      leaveOut(file, LeftOutRules.own, Self.ownPhrase)
    } else if patterns.contains(where: { $0.matches(path) }) {
      leaveOut(file, LeftOutRules.excluded, "excluded by the user")
    } else if PackPath.fault(inContents: path[...]) != nil {
      leaveOut(file, LeftOutRules.names, "names that a manifest cannot contain")
    } else if let rule = names.rule(ofFile: name) ?? tree.ruleOfTarget(ofLink: file),
      !included.contains(where: { $0.matchesPathOrFolder(path) })
    {
      leaveOut(file, rule.rule, rule.phrase)
    }
  }
}
