import SourceDiagnostics
import SystemIO

/// A path is in one pack of an app only.
enum SharedPaths {
  static let rule = Rule(
    "files.shared-path", .always(.warning),
    what: "Two packs of an app hold a file with the same path.",
    why: """
      All packs of an app share one namespace on the device. Which of two files the app gets for a \
      path is undefined, unless both packs have a language, and not the same.
      """,
    example: .init(
      wrong: #""fileSelectors": [{"fileSource": "a.png", "fileDestination": "icon.png"}]"#,
      right: #""fileSelectors": [{"fileSource": "a.png", "fileDestination": "Tutorial/icon.png"}]"#)
  )

  /// What a group of packs shares.
  private struct Shared {
    var packs: [Int]
    /// Where the first of the paths is in the last of the packs.
    var entry = 0
    var paths: [String] = []
    var count = 0
  }

  /// Reports each group of packs that share the same paths once, at the last of them.
  static func check(_ packs: inout [SelectedPack]) {
    guard packs.count > 1 else { return }
    let owners = PathOwners(of: packs, packs.indices)
    // The groups that meet in a set of owners: one, or one for each language.
    var groups: [PathOwners.Owners: [Int]] = [:]
    var numbers: [[Int]: Int] = [:]
    var shared: [Shared] = []
    for (index, pack) in packs.enumerated() {
      for entry in pack.filePlaces {
        let path = pack.selection.destinationBytes(at: entry)
        let set = owners.owners(of: path)
        if groups[set] == nil {
          groups[set] = rivals(among: owners.packs(set), packs).map { members in
            if let known = numbers[members] { return known }
            numbers[members] = shared.count
            shared.append(Shared(packs: members))
            return shared.count - 1
          }
        }
        for group in groups[set] ?? [] where shared[group].packs.last == index {
          if shared[group].count == 0 { shared[group].entry = entry }
          shared[group].count += 1
          if shared[group].paths.count < 5 { shared[group].paths.append(shownBytes(path)) }
        }
      }
    }
    var findings: [Int: [Diagnostic]] = [:]
    for group in shared {
      guard let last = group.packs.last else { continue }
      findings[last, default: []].append(finding(group, group.packs.map { packs[$0] }))
    }
    for (index, found) in findings { packs[index].add(found) }
  }

  /// The packs of which a device may have two at once, in groups.
  ///
  /// Translations share their paths on purpose; a pack without a language meets all others.
  private static func rivals(among members: [Int], _ packs: [SelectedPack]) -> [[Int]] {
    guard members.count > 1 else { return [] }
    var byLanguage: [LanguageTag: [Int]] = [:]
    for member in members {
      guard let language = packs[member].document.manifest?.language else { return [members] }
      byLanguage[language, default: []].append(member)
    }
    return byLanguage.values.filter { $0.count > 1 }.sorted { $0[0] < $1[0] }
  }

  private static func finding(_ shared: Shared, _ members: [SelectedPack]) -> Diagnostic {
    let names = members.map(\.name)
    let owners: Diagnostic.Message =
      switch names.count {
      case 2: "the packs \(Diagnostic.list(names)) both hold"
      case 3...5: "the packs \(Diagnostic.list(names)) all hold"
      default:
        "\(names.count) packs, from '\(path: names[0])' to '\(path: names[names.count - 1])', hold"
      }
    let paths: Diagnostic.Message =
      shared.count == shared.paths.count
      ? Diagnostic.list(shared.paths)
      : "the same \(shared.count) files, '\(path: shared.paths[0])' among them"
    let last = members[members.count - 1]
    let selector = last.selection[shared.entry].selector ?? 0
    return rule.finding(
      .warning, "\(owners) \(paths)",
      at: SelectionFindings(last.document).destination(of: selector)
        ?? last.document.locations.fileSelectors,
      notes: members.dropLast().prefix(5).map {
        "'\(path: $0.name)' is described in \(path: $0.document.source.name)"
      })
  }
}
