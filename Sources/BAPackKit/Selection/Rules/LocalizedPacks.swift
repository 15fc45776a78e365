import SourceDiagnostics
import SystemIO

/// The packs of one family hold the same paths in each language.
enum LocalizedPacks {
  static let rule = Rule(
    "files.localized-difference", .always(.warning),
    what: "Localized packs whose IDs differ only by the language do not hold the same paths.",
    why: """
      An app asks for one path and gets the file in the user's language. A path that is missing in one \
      language is found out by the users of that language.
      """,
    example: .init(
      wrong: #""fileSelectors": [{"file": "intro.fr.mp4"}], "language": "fr""#,
      right: """
        "fileSelectors": [{"fileSource": "intro.fr.mp4", "fileDestination": "intro.mp4"}],
        "language": "fr"
        """))

  /// Compares the packs of each family.
  static func check(_ packs: inout [SelectedPack]) {
    var families: [String: [Int]] = [:]
    for index in packs.indices where !packs[index].hasErrors {
      guard let family = packs[index].document.localizedFamily else { continue }
      families[family, default: []].append(index)
    }
    for family in families.values where family.count > 1 { compare(family, &packs) }
  }

  /// What most of a family have is missing elsewhere; what few have is surplus there.
  private static func compare(_ family: [Int], _ packs: inout [SelectedPack]) {
    let owners = PathOwners(of: packs, family)
    var lacking: [Int: [String]] = [:]
    var surplus: [Int: [String]] = [:]
    var isWhole: [PathOwners.Owners: [Int]] = [:]
    for number in family {
      for entry in packs[number].filePlaces {
        let path = packs[number].selection.destinationBytes(at: entry)
        let set = owners.owners(of: path)
        let holders = isWhole[set] ?? owners.packs(set)
        isWhole[set] = holders
        guard holders.count < family.count, holders.first == number else { continue }
        if holders.count * 2 >= family.count {
          for other in family where !holders.contains(other) {
            lacking[other, default: []].append(shownBytes(path))
          }
        } else {
          for holder in holders { surplus[holder, default: []].append(shownBytes(path)) }
        }
      }
    }
    for number in family {
      let siblings = family.filter { $0 != number }.map { packs[$0].name }
      for (paths, verb, others) in [
        (lacking[number], "lacks" as Diagnostic.Message, "have" as Diagnostic.Message),
        (surplus[number], "holds", "lack"),
      ] {
        guard let paths else { continue }
        packs[number].add([
          rule.finding(
            .warning,
            "'\(path: packs[number].name)' \(verb) \(some(paths.sorted())), which its siblings \(others)",
            at: packs[number].document.locations.fileSelectors,
            notes: ["its siblings are \(some(siblings))"])
        ])
      }
    }
  }

  /// Some of the names, and how many more there are.
  private static func some(_ names: [String]) -> Diagnostic.Message {
    let most = 10
    guard names.count > most else { return Diagnostic.list(names) }
    return "\(Diagnostic.list(Array(names.prefix(most)), ",")) and \(names.count - most) more"
  }
}
