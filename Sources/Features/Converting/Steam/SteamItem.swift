import BAPackKit
import SourceDiagnostics
import SystemIO

/// A mapping or an exclusion with parsed paths.
struct SteamItem {
  enum Kind {
    /// The files of a pattern, which are placed in a folder of the pack.
    case files(into: [String], isRecursive: Bool)
    /// One file, which is placed in a folder, possibly with another name; or a folder of that name.
    case file(into: [String], named: String?, isRecursive: Bool)
    case exclusion
  }

  /// The path as the script writes it.
  let word: KeyValues.Word
  /// The names of the path, relative to the content root.
  private(set) var names: [String]
  let kind: Kind

  private static let longest = 4096

  /// Creates an item; nil and a finding if it leads out of the allowed folders.
  ///
  /// `above` contains the names of the content root's enclosing folders at which paths with `..`
  /// may start.
  init?(
    _ item: SteamScript.Item, below root: SteamPath?, above: [String], _ findings: inout Ledger
  ) {
    switch item {
    case .exclusion(let word):
      self.word = word
      kind = .exclusion
      guard
        let names = Self.names(of: word, below: root, above, isExclusion: true, &findings)
      else { return nil }
      self.names = names
    case .mapping(let mapping):
      word = mapping.localPath
      guard
        let names = Self.names(of: word, below: root, above, isExclusion: false, &findings)
      else { return nil }
      let isFolder = SteamPath(word.text).meansFolder
      self.names = isFolder ? names + ["*"] : names
      var folder: [String] = []
      var newName: String?
      let isFile = !isFolder && !names.contains { SteamPattern($0).hasWildcards }
      if let word = mapping.depotPath {
        let path = SteamPath(word.text)
        guard path.ups == 0, path.start == .here || path.start == .top,
          !path.names.contains(where: { $0.utf8.contains(0) })
        else {
          findings.add(SteamFileRules.outside(word.text, "the depot", at: word.span))
          return nil
        }
        folder = path.names
        if isFile, !path.meansFolder, let last = folder.last, let name = names.last {
          if foldedCase(last.utf8) == foldedCase(name.utf8) || last.dropFirst().contains(".") {
            newName = folder.removeLast()
          } else {
            findings.add(SteamFileRules.depotPath(ambiguous: word.text, at: word.span))
          }
        }
      } else {
        findings.add(
          SteamFileRules.depotPath(missingFor: mapping.localPath.text, at: mapping.localPath.span))
      }
      kind =
        isFile
        ? .file(into: folder, named: newName, isRecursive: mapping.isRecursive)
        : .files(into: folder, isRecursive: mapping.isRecursive)
    }
  }

  /// Returns the names of a path relative to the content root.
  private static func names(
    of word: KeyValues.Word, below root: SteamPath?, _ above: [String], isExclusion: Bool,
    _ findings: inout Ledger
  ) -> [String]? {
    let path = SteamPath(word.text)
    guard word.text.utf8.count <= longest, !word.text.utf8.contains(0) else {
      findings.add(SteamRules.mapping("no file can have this path", at: word.span))
      return nil
    }
    let isHere = path.start == .here && path.ups <= above.count
    // A pattern that begins with '*' matches files in any folder.
    let startsAnywhere =
      isExclusion && path.ups == 0 && path.names.first?.utf8.first == UInt8(ascii: "*")
    let before = isHere && !startsAnywhere ? above.dropLast(path.ups) : []
    let below = isHere ? before + path.names : root.flatMap { path.names(below: $0) }
    guard let below, isHere || path.start != .here else {
      // An absolute path could be below a relative content root: then files would be packed that
      // the script excludes.
      let isOutside = path.start == .here || root.map { path.isOnDrive(of: $0) } ?? false
      if isExclusion, isOutside {
        findings.add(
          SteamFileRules.exclusion(
            word.text, "is outside the content root and drops no files; it is omitted",
            at: word.span))
      } else {
        findings.add(
          SteamFileRules.outside(
            word.text, "the content root", at: word.span,
            fixes: [
              Fix(
                path.start == .here
                  ? """
                  run the conversion in the parent folder, or make the path relative to a \
                  'ContentRoot' there
                  """
                  : "make it relative to 'ContentRoot'", .shownOnly)
            ]))
      }
      return nil
    }
    if isExclusion, path.meansFolder { return below + ["*"] }
    return below
  }

  /// Returns the selectors if no files are available.
  func selectorsFromScript(_ findings: inout Ledger) -> [FileSelector] {
    switch kind {
    case .exclusion:
      if let selectors = SteamSelectors.ofExclusion(names) { return selectors }
      findings.add(
        SteamFileRules.exclusion(
          word.text, "has too many '*' to be converted without the files; it is omitted",
          at: word.span))
      return []
    case .file(let folder, let name, _):
      let destination = folder + (name.map { [$0] } ?? names.suffix(1))
      return [
        SteamSelectors.of(
          file: FilePath(joining: names.map { FileName($0) }),
          to: FilePath(joining: destination.map { FileName($0) }))
      ]
    case .files(let folder, let isRecursive):
      if let selectors = SteamSelectors.of(names, isRecursive: isRecursive, to: folder) {
        return selectors
      }
      findings.add(
        SteamFileRules.renaming(
          word.text, to: folder.isEmpty ? "." : folder.joined(separator: "/"), at: word.span))
      return []
    }
  }
}
