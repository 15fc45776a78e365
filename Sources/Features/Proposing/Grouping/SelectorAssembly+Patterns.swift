import BAPackKit
import SystemIO

/// The files of a folder with files of several groups: patterns, and at most a few single files.
extension SelectorAssembly {
  /// The maximum number of files of one folder that a pack selects one by one.
  private static let mostSingleFiles = 5

  /// Adds patterns and files for the files in a folder with files of several groups.
  mutating func coverOwnFiles(of folder: Int) {
    var families: [ArraySlice<UInt8>: [Int]] = [:]
    var order: [ArraySlice<UInt8>] = []
    for file in tree.ownFiles(of: folder) where grouping.isKept(file) {
      let kind = fileExtension(of: tree.name(ofFile: file))
      if families[kind] == nil { order.append(kind) }
      families[kind, default: []].append(file)
    }
    for kind in order {
      let files = families[kind] ?? []
      if !addPattern(of: kind, files, in: folder) {
        addParts(of: kind, files, in: folder)
      }
    }
  }

  /// Adds a pattern for the files with an extension; returns false if they need single selectors.
  private mutating func addPattern(
    of kind: ArraySlice<UInt8>, _ files: [Int], in folder: Int
  ) -> Bool {
    guard files.count > 1, !kind.isEmpty, let group = grouping.group(of: files[0]),
      // A pattern in the root also matches the files of the project.
      folder != AssetTree.rootFolder || !["json", "aar"].contains(lowered(kind)),
      destination(inLanguageOf: folder) == nil, grouping.languageFolders[folder] == nil,
      let path = text(tree.path(ofFolder: folder)), let suffix = text(Array(kind)),
      files.allSatisfy({ grouping.group(of: $0) == group && grouping.renamedFiles[$0] == nil })
    else { return false }
    let others = tree.ownFiles(of: folder).filter {
      !grouping.isKept($0) && fileExtension(of: tree.name(ofFile: $0)) == kind
        && tree.name(ofFile: $0).first != dot
    }
    guard others.allSatisfy({ !isUnspeakable($0) && tree.files[$0].kind == .file }) else {
      return false
    }
    let start = path.isEmpty ? "" : SelectorText.escaped(path) + "/"
    add(.filePattern(start + "*." + SelectorText.escaped(suffix)), to: group)
    for file in others { exclude(file: file, from: group) }
    return true
  }

  /// Adds selectors for files with one extension in several groups.
  ///
  /// Many files of a group are a pattern of the common start or end of their names, or the pattern
  /// of the extension with exclusions.
  private mutating func addParts(of kind: ArraySlice<UInt8>, _ files: [Int], in folder: Int) {
    var members: [Int: [Int]] = [:]
    for file in files {
      if let group = grouping.group(of: file) { members[group, default: []].append(file) }
    }
    var patterns: [Int: String] = [:]
    for (group, own) in members where own.count > Self.mostSingleFiles {
      patterns[group] = commonPattern(of: own, kind, in: folder)
    }
    let main = members.filter { $0.value.count > Self.mostSingleFiles && patterns[$0.key] == nil }
      .max { ($0.value.count, $1.key) < ($1.value.count, $0.key) }?.key
    for (group, own) in members.sorted(by: { $0.value[0] < $1.value[0] }) {
      if let pattern = patterns[group] {
        add(.filePattern(pattern), to: group)
      } else if group == main, addPattern(of: kind, own, in: folder) {
        for (other, files) in members.sorted(by: { $0.value[0] < $1.value[0] }) where other != group
        {
          if let pattern = patterns[other] {
            exclude(pattern: "./" + pattern, from: group)
          } else {
            for file in files { exclude(path: tree.path(ofFile: file), from: group) }
          }
        }
      } else {
        for file in own { addFile(file) }
      }
    }
  }

  /// Returns a pattern that matches only some files of a folder, by the start and the end of their
  /// names; nil if there is none.
  private func commonPattern(
    of files: [Int], _ kind: ArraySlice<UInt8>, in folder: Int
  ) -> String? {
    guard destination(inLanguageOf: folder) == nil, grouping.languageFolders[folder] == nil,
      files.allSatisfy({ grouping.renamedFiles[$0] == nil }),
      let path = text(tree.path(ofFolder: folder))
    else { return nil }
    let names = files.map { tree.name(ofFile: $0) }
    let start = names.dropFirst().reduce(names[0]) { common, name in
      common.prefix(zip(common, name).prefix { $0 == $1 }.count)
    }
    let end = names.dropFirst().reduce(names[0]) { common, name in
      common.suffix(zip(common.reversed(), name.reversed()).prefix { $0 == $1 }.count)
    }
    let others =
      Set(tree.ownFiles(of: folder)).subtracting(files).map { tree.name(ofFile: $0) }
      + (folder == AssetTree.rootFolder ? [Array("ba-package.json".utf8)[...]] : [])
    let suffix = kind.isEmpty ? [] : [dot] + kind
    typealias Ends = (start: ArraySlice<UInt8>, end: ArraySlice<UInt8>)
    let candidates: [Ends] = [([], end), (start, suffix[...]), (start, end)]
    for (start, end) in candidates where start.count + end.count > suffix.count {
      func matches(_ name: ArraySlice<UInt8>) -> Bool {
        name.count >= start.count + end.count && name.starts(with: start)
          && name.suffix(end.count).elementsEqual(end)
      }
      guard names.allSatisfy(matches), !others.contains(where: matches), start.first != dot,
        let first = text(Array(start)), let last = text(Array(end))
      else { continue }
      let folder = path.isEmpty ? "" : SelectorText.escaped(path) + "/"
      return folder + SelectorText.escaped(first) + "*" + SelectorText.escaped(last)
    }
    return nil
  }
}
