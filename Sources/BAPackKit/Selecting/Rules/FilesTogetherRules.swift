import SourceDiagnostics
import SystemIO

/// What can be wrong with the files of all packs of an app together.
enum FilesTogetherRules {
  static let all: [Rule] = [
    hostingLimit, sharedPath, localizedDifference,
  ]

  /// All packs of an app fit into what Apple hosts.
  static let hostingLimit = Rule(
    "files.hosting-limit", .byHost(unknown: .warning, apple: .warning, selfHosted: nil),
    what: "The files of all packs together exceed what App Store Connect hosts for one app.",
    why: """
      The limit counts compressed bytes, over all packs of an app. What is far above it before \
      compression will hardly fit.
      """,
    example: .init(
      wrong: #""fileSelectors": [{"directory": "."}]"#,
      right: #""fileSelectors": [{"directory": "Level1"}]"#,
      trial: .files([
        "Level1/map", .hole("Level2/map", size: DeliveryLimits.current.hostedBytes),
      ])))

  /// Reports once, at the pack that exceeds the limit.
  static func hostingLimit(
    _ packs: inout [SelectedPack], _ hosting: Hosting?, limits: DeliveryLimits = .current
  ) {
    guard let space = limits.budgets(for: hosting).first(where: { $0.subject == .hosted }) else {
      return
    }
    var taken: UInt64 = 0
    for index in packs.indices {
      // How large the archives will be is not known yet: this foretells what the budget will say.
      let before = taken
      taken.addSaturated(packs[index].selection.totalSize)
      guard space.level(before) != .over, space.level(taken) == .over else { continue }
      let subject = packs.count == 1 ? "the files have" : "the files of all packs up to here have"
      let finding = hostingLimit.finding(
        "\(subject) \(taken / 1_000_000_000) GB before compression; Apple hosts "
          + "\(space.limit / 1_000_000_000) GB for one app", for: hosting,
        at: packs[index].document.locations.fileSelectors,
        notes: [
          "the limit is as Apple published it on \(limits.date), and counts compressed bytes"
        ])
      packs[index].findings.add(finding)
    }
  }

  /// A path is in one pack of an app only.
  static let sharedPath = Rule(
    "files.shared-path", .always(.warning),
    what: "Two packs of an app hold a file with the same path.",
    why: """
      All packs of an app share one namespace on the device. Which of two files the app gets for a \
      path is undefined, unless both packs have a language, and not the same.
      """,
    example: .init(
      wrong: #""fileSelectors": [{"fileSource": "a.png", "fileDestination": "icon.png"}]"#,
      right: #""fileSelectors": [{"fileSource": "a.png", "fileDestination": "Tutorial/icon.png"}]"#,
      trial: .app(
        wrong: [
          #""assetPackID": "Level", "fileSelectors": [{"file": "icon.png"}]"#,
          """
          "assetPackID": "Tutorial", \
          "fileSelectors": [{"fileSource": "a.png", "fileDestination": "icon.png"}]
          """,
        ],
        right: [
          #""assetPackID": "Level", "fileSelectors": [{"file": "icon.png"}]"#,
          """
          "assetPackID": "Tutorial", \
          "fileSelectors": [{"fileSource": "a.png", "fileDestination": "Tutorial/icon.png"}]
          """,
        ], files: ["a.png", "icon.png"]))
  )

  /// What a group of packs shares.
  private struct Shared {
    var packs: [Int]
    /// The first of the paths, as an index in the last of the packs.
    var entry = 0
    var paths: [String] = []
    var count = 0
  }

  /// Reports each group of packs that share paths once, at the last pack of the group.
  static func sharedPath(_ packs: inout [SelectedPack]) {
    guard packs.count > 1 else { return }
    let owners = PathOwners(of: packs, packs.indices)
    // For each set of owners, its groups: one, or one for each language.
    var groups: [PathOwners.Owners: [Int]] = [:]
    var numbers: [[Int]: Int] = [:]
    var shared: [Shared] = []
    for (index, pack) in packs.enumerated() {
      for entry in pack.filePlaces {
        let path = pack.selection.pathInContents(at: entry)
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
    for group in shared {
      guard let last = group.packs.last else { continue }
      let finding = sharedPath(group, group.packs.map { packs[$0] })
      packs[last].findings.add(finding)
    }
  }

  /// Groups of packs that a device may have at the same time.
  ///
  /// Translations share paths on purpose; a pack without a language may be together with any other.
  private static func rivals(among members: [Int], _ packs: [SelectedPack]) -> [[Int]] {
    guard members.count > 1 else { return [] }
    var byLanguage: [LanguageMeaning: [Int]] = [:]
    for member in members {
      guard let language = packs[member].document.manifest?.language else { return [members] }
      byLanguage[language.meaning, default: []].append(member)
    }
    return byLanguage.values.filter { $0.count > 1 }.sorted { $0[0] < $1[0] }
  }

  private static func sharedPath(_ shared: Shared, _ members: [SelectedPack]) -> Finding {
    let names = members.map(\.name)
    let owners: Finding.Message =
      switch names.count {
      case 2: "the packs \(Finding.list(names)) both hold"
      case 3...5: "the packs \(Finding.list(names)) all hold"
      default:
        "\(names.count) packs, from '\(path: names[0])' to '\(path: names[names.count - 1])', hold"
      }
    let paths: Finding.Message =
      shared.count == shared.paths.count
      ? Finding.list(shared.paths)
      : "the same \(shared.count) files, '\(path: shared.paths[0])' among them"
    let last = members[members.count - 1]
    let selector = last.selection[shared.entry].selector ?? 0
    return sharedPath.finding(
      "\(owners) \(paths)",
      at: last.document.locations.destination(of: selector)
        ?? last.document.locations.fileSelectors,
      notes: members.dropLast().prefix(5).map {
        "'\(path: $0.name)' is described in \(path: $0.document.source.name)"
      })
  }

  /// The packs of one family hold the same paths in each language.
  static let localizedDifference = Rule(
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
        """,
      trial: .app(
        wrong: [
          #""assetPackID": "film-en", "language": "en", "fileSelectors": [{"file": "intro.mp4"}]"#,
          #""assetPackID": "film-fr", "language": "fr", "fileSelectors": [{"file": "intro.fr.mp4"}]"#,
        ],
        right: [
          #""assetPackID": "film-en", "language": "en", "fileSelectors": [{"file": "intro.mp4"}]"#,
          """
          "assetPackID": "film-fr", "language": "fr", \
          "fileSelectors": [{"fileSource": "intro.fr.mp4", "fileDestination": "intro.mp4"}]
          """,
        ], files: ["intro.mp4", "intro.fr.mp4"])))

  /// Compares the packs of each family of translations.
  static func localizedDifference(_ packs: inout [SelectedPack]) {
    var families: [String: [Int]] = [:]
    for index in packs.indices where !packs[index].hasErrors {
      guard let family = packs[index].document.localizedFamily else { continue }
      families[family, default: []].append(index)
    }
    for family in families.values where family.count > 1 {
      localizedDifference(family, &packs)
    }
  }

  /// What most packs of a family have is missing in the others; what few have is surplus there.
  private static func localizedDifference(_ family: [Int], _ packs: inout [SelectedPack]) {
    let owners = PathOwners(of: packs, family)
    var lacking: [Int: [String]] = [:]
    var surplus: [Int: [String]] = [:]
    var isWhole: [PathOwners.Owners: [Int]] = [:]
    for number in family {
      for entry in packs[number].filePlaces {
        let path = packs[number].selection.pathInContents(at: entry)
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
        (lacking[number], "lacks" as Finding.Message, "have" as Finding.Message),
        (surplus[number], "holds", "lack"),
      ] {
        guard let paths else { continue }
        let finding = localizedDifference.finding(
          "'\(path: packs[number].name)' \(verb) \(some(paths.sorted())), which its siblings \(others)",
          at: packs[number].document.locations.fileSelectors,
          notes: ["its siblings are \(some(siblings))"])
        packs[number].findings.add(finding)
      }
    }
  }

  /// Some of the names, and the number of the others.
  private static func some(_ names: [String]) -> Finding.Message {
    let most = 10
    guard names.count > most else { return Finding.list(names) }
    return "\(Finding.list(Array(names.prefix(most)), ",")) and \(names.count - most) more"
  }
}
