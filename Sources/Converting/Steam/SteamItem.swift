import BAPackKit
import SourceDiagnostics
import SystemIO

/// A mapping or an exclusion with its paths understood.
struct SteamItem {
  enum Kind {
    /// The files of a pattern, which go into a folder of the pack.
    case files(into: [String], isRecursive: Bool)
    /// One file, which goes into a folder, perhaps with another name; or a folder of that name.
    case file(into: [String], named: String?, isRecursive: Bool)
    case exclusion
  }

  /// As the script writes it.
  let word: KeyValues.Word
  /// The names of its path, below the content root.
  private(set) var names: [String]
  let kind: Kind

  private static let longest = 4096

  /// nil if it reaches where it must not, which is reported.
  ///
  /// `above` are the names of the folders of the content root that paths with `..` may start from.
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

  /// The names of a path below the content root.
  private static func names(
    of word: KeyValues.Word, below root: SteamPath?, _ above: [String], isExclusion: Bool,
    _ findings: inout Ledger
  ) -> [String]? {
    let path = SteamPath(word.text)
    guard word.text.utf8.count <= longest, !word.text.utf8.contains(0) else {
      findings.add(SteamRules.mapping("no file has such a path", at: word.span))
      return nil
    }
    let isHere = path.start == .here && path.ups <= above.count
    // A pattern that begins with '*' means files in any folder.
    let startsAnywhere =
      isExclusion && path.ups == 0 && path.names.first?.utf8.first == UInt8(ascii: "*")
    let before = isHere && !startsAnywhere ? above.dropLast(path.ups) : []
    let below = isHere ? before + path.names : root.flatMap { path.names(below: $0) }
    guard let below, isHere || path.start != .here else {
      // What starts elsewhere could be below a content root that is relative: then files would be
      // packed that were to be excluded.
      let isOutside = path.start == .here || root.map { path.isOnDrive(of: $0) } ?? false
      if isExclusion, isOutside {
        findings.add(
          SteamFileRules.exclusion(
            word.text, "is outside the content root and drops nothing: it is left out",
            at: word.span))
      } else {
        findings.add(
          SteamFileRules.outside(
            word.text, "the content root", at: word.span,
            fixes: [
              Fix(
                path.start == .here
                  ? "convert in the folder above, or write the path from a 'ContentRoot' there"
                  : "write it relative to 'ContentRoot'", .shownOnly)
            ]))
      }
      return nil
    }
    if isExclusion, path.meansFolder { return below + ["*"] }
    return below
  }

  /// The selectors where no files are at hand.
  func selectorsFromScript(_ findings: inout Ledger) -> [FileSelector] {
    switch kind {
    case .exclusion:
      if let selectors = SteamSelectors.ofExclusion(names) { return selectors }
      findings.add(
        SteamFileRules.exclusion(
          word.text, "has too many '*' to be said without the files: it is left out",
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
