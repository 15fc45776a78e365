import SystemIO
import TerminalText

/// The rules about names, for a quick search.
package struct LeftOutNames: Sendable {
  private var byExtension: [String: LeftOutRule] = [:]
  private var byName: [String: LeftOutRule] = [:]
  private var byFolder: [String: LeftOutRule] = [:]
  private var byFolderBesideCode: [String: LeftOutRule] = [:]
  private var starts: [(String, LeftOutRule)] = []
  private var endings: [(String, LeftOutRule)] = []
  private var longestName = 0

  /// Creates the rules for a project.
  ///
  /// - Parameter editorExtensions: Extensions of files that the editor of its engine writes.
  package init(editorExtensions: Set<String> = []) {
    for rule in LeftOutRules.named.reversed() {
      for word in rule.extensions { byExtension[word] = rule }
      for word in rule.names {
        byName[word] = rule
        longestName = max(longestName, word.utf8.count)
      }
      for word in rule.folders { byFolder[word] = rule }
      for word in rule.foldersBesideCode { byFolderBesideCode[word] = rule }
    }
    for word in editorExtensions { byExtension[word] = LeftOutRules.editors }
    for rule in LeftOutRules.named {
      starts += rule.starts.map { ($0, rule) }
      endings += rule.stemEndings.map { ($0, rule) }
    }
  }

  /// Returns the rule that leaves out a file with this name.
  package func rule(ofFile name: ArraySlice<UInt8>) -> LeftOutRule? {
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
    return Self.isOfEditor(name) ? LeftOutRules.junk : nil
  }

  /// Returns the rule that leaves out a folder with this name.
  func rule(ofFolder name: ArraySlice<UInt8>) -> LeftOutRule? {
    if let rule = byFolder[lowered(name)] { return rule }
    // A folder that is a product of a build, such as an app or an Xcode project.
    let suffix = fileExtension(of: name)
    if let rule = byExtension[lowered(suffix)], rule.hasFolders { return rule }
    return name.first == dot || Self.isOfEditor(name) ? LeftOutRules.junk : nil
  }

  /// Returns the rule that leaves out a folder with this name next to program code.
  func rule(ofFolderBesideCode name: ArraySlice<UInt8>) -> LeftOutRule? {
    byFolderBesideCode[lowered(name)]
  }

  /// Whether a name is that of a copy that an editor made: `hero.png~`, `#notes.txt#`.
  private static func isOfEditor(_ name: ArraySlice<UInt8>) -> Bool {
    let hash = UInt8(ascii: "#")
    return name.last == UInt8(ascii: "~")
      || name.count > 1 && name.first == hash && name.last == hash
  }

  /// Returns the rule that leaves out the target of a link, by its name and by the folders in the
  /// text of the link.
  func rule(ofTarget name: FileName, _ text: [UInt8]) -> LeftOutRule? {
    if let rule = rule(ofFile: name.bytes[...]) { return rule }
    for folder in text.split(separator: slash).dropLast()
    where folder.contains(where: { $0 != dot }) {
      if let rule = rule(ofFolder: folder) { return rule }
    }
    return nil
  }
}
