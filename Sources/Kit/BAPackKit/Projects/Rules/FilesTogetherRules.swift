// Long because the rules about the files of several packs share their helpers.
import SourceDiagnostics
import SystemIO

/// The rules about the files of all packs of an app.
enum FilesTogetherRules {
  static let all: [Rule] = [
    hostingLimit, essentialSize, sharedPath, localizedDifference,
  ]

  static let hostingLimit = Rule(
    "files.hosting-limit", .byHost(unknown: .warning, apple: .warning, selfHosted: nil),
    what: "The files of all packs exceed the size that App Store Connect hosts for one app.",
    why: """
      The limit applies to compressed bytes, summed over all packs of an app. Files that \
      greatly exceed it before compression are unlikely to fit.
      """,
    example: .init(
      wrong: #""fileSelectors": [{"directory": "."}]"#,
      right: #""fileSelectors": [{"directory": "Level1"}]"#))

  /// Reports once, at the pack that exceeds the limit.
  static func hostingLimit(
    _ packs: inout [SelectedPack], _ hosting: Hosting?, limits: DeliveryLimits = .current
  ) {
    guard let space = limits.budgets(for: hosting).first(where: { $0.subject == .hosted }) else {
      return
    }
    var used: UInt64 = 0
    for index in packs.indices {
      // The sizes of the archives are not known before packing. This is an early estimate of the
      // budget.
      let before = used
      used.addSaturated(packs[index].selection.totalSize)
      guard space.level(before) != .over, space.level(used) == .over else { continue }
      let subject = packs.count == 1 ? "the files have" : "the first \(index + 1) packs have"
      let finding = hostingLimit.finding(
        "\(subject) \(used / 1_000_000_000) GB before compression; Apple hosts "
          + "\(space.limit / 1_000_000_000) GB for one app", for: hosting,
        at: packs[index].document.locations.fileSelectors,
        notes: [
          "Apple's limit as of \(limits.date); it applies to compressed bytes"
        ])
      packs[index].findings.add(finding)
    }
  }

  static let essentialSize = Rule(
    "files.essential-size", .always(.note),
    what: "The essential packs of one device exceed 200 MB before compression.",
    why: """
      The first launch waits for essential packs. Files that are not needed in the first minutes \
      can be in a pack with the policy 'prefetch' or 'onDemand'.
      """,
    example: .init(
      wrong: #""downloadPolicy": {"essential": {"installationEventTypes": ["firstInstallation"]}}"#,
      right: #""downloadPolicy": {"prefetch": {"installationEventTypes": ["firstInstallation"]}}"#))

  /// The size in bytes from which essential files are reported.
  private static let essentialSizeNoted = 200_000_000

  /// Reports once, at the largest of the essential packs.
  static func essentialSize(_ packs: inout [SelectedPack]) {
    var essential: [(index: Int, manifest: Manifest, size: UInt64)] = []
    for (index, pack) in packs.enumerated() where !pack.hasErrors {
      guard let manifest = pack.document.manifest,
        case .essential(let events) = manifest.downloadPolicy, events.contains(.firstInstallation)
      else { continue }
      essential.append((index, manifest, pack.selection.totalSize))
    }
    // A device has one platform, and downloads the packs of one language.
    let most =
      Platform.allCases.map { platform -> UInt64 in
        var common: UInt64 = 0
        var localized: [LanguageMeaning: UInt64] = [:]
        for (_, manifest, size) in essential
        where manifest.platforms.isEmpty || manifest.platforms.contains(platform) {
          if let language = manifest.language {
            localized[language.meaning, default: 0].addSaturated(size)
          } else {
            common.addSaturated(size)
          }
        }
        common.addSaturated(localized.values.max() ?? 0)
        return common
      }.max() ?? 0
    guard most >= UInt64(essentialSizeNoted),
      let largest = essential.max(by: { $0.size < $1.size })
    else { return }
    let subject: Finding.Message =
      essential.count == 1
      ? "the pack is essential, with" : "the \(essential.count) essential packs have"
    packs[largest.index].findings.add(
      essentialSize.finding(
        "\(subject) \(most / 1_000_000) MB before compression for one device",
        at: packs[largest.index].document.locations.downloadPolicy,
        notes: ["the first launch waits for these packs"],
        fixes: [
          Fix("keep only the files for the first launch; use 'prefetch' for the others", .shownOnly)
        ]))
  }

  static let sharedPath = Rule(
    "files.shared-path", .always(.warning),
    what: "Two packs of an app contain a file with the same path.",
    why: """
      All packs of an app share one namespace on the device. If two files have the same path, it \
      is undefined which one the app gets, unless the packs have different languages.
      """,
    example: .init(
      wrong: #""fileSelectors": [{"fileSource": "a.png", "fileDestination": "icon.png"}]"#,
      right: #""fileSelectors": [{"fileSource": "a.png", "fileDestination": "Tutorial/icon.png"}]"#)
  )

  /// The paths that a group of packs shares.
  private struct Shared {
    var packs: [Int]
    /// The first of the paths, as an index in the last of the packs.
    var entry = 0
    var paths: [AssetPath] = []
    var files: FileGroup
    var count: Int { files.count }

    init(_ packs: [Int], of all: [SelectedPack]) {
      self.packs = packs
      files = FileGroup(intro: owners(packs.map { all[$0].name }), listing: 5)
    }
  }

  /// A group of packs, and the setting for some of their paths.
  private struct Exception: Hashable {
    var group: Int
    var setting: Int
  }

  /// The packs that contain a path: on a Mac, where the file system may ignore case, and on other
  /// devices.
  private struct OwnersByPlatform: Hashable {
    var mac: PathOwners.Owners
    var other: PathOwners.Owners
  }

  /// Reports each group of packs that share paths once, at the last pack of the group.
  static func sharedPath(_ packs: inout [SelectedPack]) {
    guard packs.count > 1 else { return }
    let repeated = RepeatedPaths(in: packs)
    if repeated.isEmpty { return }
    let audiences = packs.map(\.audience)
    let mac = PathOwners(packs, of: repeated, offeredOn: [.macOS])
    // If every pack is for all platforms, a Mac has all conflicts that other devices have.
    let areForAll = audiences.allSatisfy { audience in
      Platform.allCases.allSatisfy(audience.isOffered)
    }
    let others = Platform.allCases.filter { $0 != .macOS }
    let other = areForAll ? nil : PathOwners(packs, of: repeated, offeredOn: others)
    var groups: [OwnersByPlatform: [Int]] = [:]
    var numbers: [[Int]: Int] = [:]
    var shared: [Shared] = []
    var exceptions: [Exception: Int] = [:]
    for (index, pack) in packs.enumerated() {
      let setting = pack.document.policy.setting(for: sharedPath.id)
      for entry in pack.filePlaces {
        let path = pack.selection.pathInContents(at: entry)
        guard repeated.contains(path) else { continue }
        let set = OwnersByPlatform(
          mac: mac.owners(of: path), other: other?.owners(of: path) ?? PathOwners.Owners())
        if groups[set] == nil {
          let found =
            rivals(mac.packs(set.mac), on: [.macOS], audiences)
            + rivals(other?.packs(set.other) ?? [], on: others, audiences)
          groups[set] = widest(found).map { members in
            if let known = numbers[members] { return known }
            numbers[members] = shared.count
            shared.append(Shared(members, of: packs))
            return shared.count - 1
          }
        }
        for var group in groups[set] ?? [] where shared[group].packs.last == index {
          if let setting = setting(path) {
            let exception = Exception(group: group, setting: setting)
            if exceptions[exception] == nil {
              exceptions[exception] = shared.count
              shared.append(Shared(shared[group].packs, of: packs))
            }
            group = exceptions[exception] ?? group
          }
          if shared[group].count == 0 { shared[group].entry = entry }
          shared[group].files.add(path.shown)
          if shared[group].paths.count < 5 { shared[group].paths.append(path) }
        }
      }
    }
    for group in shared where group.count > 0 {
      guard let last = group.packs.last else { continue }
      var finding = sharedPath(group, group.packs.map { packs[$0] })
      finding.fileGroups = [group.files]
      packs[last].findings.add(finding.about(group.paths[0]))
    }
  }

  /// The groups of packs that devices of some platform may have at the same time.
  private static func rivals(
    _ members: [Int], on platforms: [Platform], _ audiences: [PackAudience]
  ) -> [[Int]] {
    // Another rule reports two paths of the same pack.
    var distinct: [Int] = []
    for member in members where distinct.last != member { distinct.append(member) }
    guard distinct.count > 1 else { return [] }
    return platforms.flatMap { platform in
      PackAudience.rivals(among: distinct, on: platform) { audiences[$0] }
    }
  }

  /// Returns the groups that are not subsets of another group, each once.
  private static func widest(_ groups: [[Int]]) -> [[Int]] {
    var kept: [[Int]] = []
    for group in groups.sorted(by: { $0.count > $1.count })
    where !kept.contains(where: { Set($0).isSuperset(of: group) }) {
      kept.append(group)
    }
    return kept.sorted { $0.lexicographicallyPrecedes($1) }
  }

  /// Returns the beginning of a message about packs that contain the same files.
  private static func owners(_ names: [String]) -> Finding.Message {
    switch names.count {
    case 2: "the packs \(Finding.list(names)) both contain "
    case 3...5: "the packs \(Finding.list(names)) all contain "
    default:
      "\(names.count) packs, '\(path: names[0])' to '\(path: names[names.count - 1])', contain "
    }
  }

  private static func sharedPath(_ shared: Shared, _ members: [SelectedPack]) -> Finding {
    let owners = owners(members.map(\.name))
    let last = members[members.count - 1]
    let alike = shared.paths.flatMap { path in
      members.dropLast().prefix(5).compactMap { $0.spelling(of: path) }
    }
    let shown = shared.paths.map(\.shown)
    var paths: Finding.Message =
      shared.count == shared.paths.count
      ? Finding.list(shown)
      : "the same \(shared.count) files, for example '\(path: shown[0])'"
    if let other = alike.first {
      let (one, second, _) = NameRules.distinguishable(
        other.text, shared.paths[0].text)
      paths =
        shared.count == 1
        ? "'\(path: one)' and '\(path: second)', which may be one file on a device"
        : "\(paths), or paths that may be one file on a device: '\(path: one)'"
    }
    let selector = last.selection[shared.entry].selector ?? 0
    return sharedPath.finding(
      "\(owners)\(paths)",
      at: last.document.locations.destination(of: selector)
        ?? last.document.locations.fileSelectors,
      notes: members.dropLast().prefix(5).map {
        "'\(path: $0.name)' is described in \(path: $0.document.source.name)"
      })
  }

  static let localizedDifference = Rule(
    "files.localized-difference", .always(.warning),
    what: "Localized packs with translations of the same files have different paths.",
    why: """
      An app requests one path and gets the file in the language of the app user. If a language \
      has no file at that path, the app fails for app users with that language.
      """,
    example: .init(
      wrong: #""fileSelectors": [{"file": "intro.fr.mp4"}], "language": "fr""#,
      right: """
        "fileSelectors": [{"fileSource": "intro.fr.mp4", "fileDestination": "intro.mp4"}],
        "language": "fr"
        """))

  /// Compares the packs of each family of translations.
  static func localizedDifference(_ packs: inout [SelectedPack]) {
    for family in families(packs) where family.count > 1 { localizedDifference(family, &packs) }
  }

  /// Returns the groups of localized packs with the same content, as indices of packs.
  static func families(_ packs: [SelectedPack]) -> [[Int]] {
    let members = packs.indices.compactMap { index -> LanguageFamilies.Member? in
      guard !packs[index].hasErrors, let language = packs[index].audience.language,
        packs[index].filePlaces.first != nil
      else { return nil }
      return .init(number: index, language: language)
    }
    return LanguageFamilies(of: members) { number, visit in
      for entry in packs[number].filePlaces {
        visit(packs[number].selection.pathInContents(at: entry))
      }
    }.groups
  }

  /// Reports the differences in a family.
  ///
  /// A path that at least half of the packs have is missing in the others; any other path is
  /// additional.
  private static func localizedDifference(_ family: [Int], _ packs: inout [SelectedPack]) {
    var owners = PathOwners(nil)
    for number in family {
      for entry in packs[number].filePlaces {
        owners.add(packs[number].selection.pathInContents(at: entry), of: number)
      }
    }
    var differences: [Int?: Differences] = [:]
    let setting = packs[family[0]].document.policy.setting(for: localizedDifference.id)
    var isWhole: [PathOwners.Owners: [Int]] = [:]
    for number in family {
      for entry in packs[number].filePlaces {
        let path = packs[number].selection.pathInContents(at: entry)
        let set = owners.owners(of: path)
        let holders = isWhole[set] ?? owners.packs(set)
        isWhole[set] = holders
        guard holders.count < family.count, holders.first == number else { continue }
        differences[setting(path), default: Differences(first: path)]
          .add(path, holders, of: family)
      }
    }
    for (_, found) in differences.sorted(by: { $0.key ?? -1 < $1.key ?? -1 }) {
      report(found, family, &packs)
    }
  }

  /// The different paths in a family, by pack.
  private struct Differences {
    let first: AssetPath
    private(set) var lacking: [Int: [String]] = [:]
    private(set) var surplus: [Int: [String]] = [:]

    init(first: AssetPath) { self.first = first }

    mutating func add(_ path: AssetPath, _ holders: [Int], of family: [Int]) {
      if holders.count * 2 >= family.count {
        for other in family where !holders.contains(other) {
          lacking[other, default: []].append(path.shown)
        }
      } else {
        for holder in holders { surplus[holder, default: []].append(path.shown) }
      }
    }
  }

  private static func report(
    _ differences: Differences, _ family: [Int], _ packs: inout [SelectedPack]
  ) {
    let (lacking, surplus) = (differences.lacking, differences.surplus)
    let different = family.filter { lacking[$0] != nil || surplus[$0] != nil }
    guard let first = different.first else { return }
    let parts = different.flatMap { number in
      [
        (lacking[number], "does not contain" as Finding.Message),
        (surplus[number], "additionally contains" as Finding.Message),
      ].compactMap { paths, verb -> (intro: Finding.Message, paths: [String])? in
        paths.map { ("'\(path: packs[number].name)' \(verb) ", $0.sorted()) }
      }
    }
    let notes = parts.map { "\($0.intro)\(Finding.list($0.paths, atMost: 3))" as Finding.Message }
    let rest = notes.count - mostNotes
    var finding = localizedDifference.finding(
      """
      the localized packs \(Finding.list(family.map { packs[$0].name }, atMost: 10)) do not \
      contain the same paths
      """,
      at: packs[first].document.locations.fileSelectors,
      notes: Array(notes.prefix(mostNotes)) + (rest > 0 ? ["and \(rest) more differences"] : []),
      fixes: [samePaths(family.map { packs[$0].document })])
    finding.fileGroups = parts.map { part in
      part.paths.reduce(into: FileGroup(intro: part.intro, listing: 3)) { $0.add($1) }
    }
    packs[first].findings.add(finding.about(differences.first))
  }

  private static let mostNotes = 6

  /// Returns a fix that gives the folders of all languages the same destination.
  private static func samePaths(_ family: [ManifestDocument]) -> Fix {
    var hasPattern = false
    let selectors = family.compactMap { document -> Finding.Message? in
      guard let manifest = document.manifest, let language = manifest.language,
        let selector = manifest.fileSelectors.first(where: { $0.mapped(outOf: language) != nil }),
        let value = selector.mapped(outOf: language)?.jsonValue
      else { return nil }
      if case .filePattern = selector { hasPattern = true }
      return "\(path: JSONWriter.string(value, .compact)) in '\(path: manifest.assetPackID)'"
    }
    guard let first = selectors.first else {
      return Fix(
        "add the missing files, or give the folders of all languages the same "
          + "'directoryDestination'",
        .shownOnly)
    }
    let others = selectors.dropFirst().prefix(4).reduce("" as Finding.Message) { $0 + ", " + $1 }
    let patterns: Finding.Message = hasPattern ? "; patterns do not support a destination" : ""
    return Fix(
      "give the folders of all languages the same destination: \(first)\(others)\(patterns)",
      .shownOnly)
  }
}

extension SelectedPack {
  /// The indices of its files.
  var filePlaces: LazyFilterSequence<Range<Int>> {
    selection.indices.lazy.filter { [selection] in selection.isFile(at: $0) }
  }

  /// The devices that the pack is offered to.
  var audience: PackAudience {
    PackAudience(
      platforms: document.manifest?.platforms ?? [], language: document.manifest?.language)
  }

  /// Returns a path of this pack that differs from `path` but may be the same file on a device; nil
  /// if the pack contains `path` itself.
  fileprivate func spelling(of path: AssetPath) -> AssetPath? {
    let forms = PathForms(on: .macOS)
    var found: AssetPath?
    for entry in filePlaces {
      let other = selection.pathInContents(at: entry)
      if other == path { return nil }
      if found == nil, forms.areAlike(other, path) { found = other }
    }
    return found
  }
}

extension RepeatedPaths {
  /// Creates a search with all files of the packs.
  fileprivate init(in packs: [SelectedPack]) {
    // A Mac treats the most paths as equal.
    self.init(PathForms(on: .macOS), among: packs.reduce(0) { $0 + $1.selection.count })
    for pack in packs {
      for entry in pack.filePlaces { add(pack.selection.pathInContents(at: entry)) }
    }
    finish()
  }
}

extension PathOwners {
  /// Creates the owners of repeated paths in the packs that are offered on `platforms`, with the
  /// path comparison of these platforms.
  fileprivate init(
    _ packs: [SelectedPack], of repeated: RepeatedPaths, offeredOn platforms: [Platform]
  ) {
    self.init(platforms.first.map { PathForms(on: $0) })
    for (number, pack) in packs.enumerated()
    where platforms.contains(where: pack.audience.isOffered) {
      for entry in pack.filePlaces {
        let path = pack.selection.pathInContents(at: entry)
        if repeated.contains(path) { add(path, of: number) }
      }
    }
  }
}
