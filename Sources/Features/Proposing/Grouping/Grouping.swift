import BAPackKit
import SystemIO
import TerminalText

/// The grouping of the files of a tree: each file is in one group, is left out, or is undecided.
///
/// The passes run in order, and each decides files that are undecided: files to leave out,
/// languages, platforms, qualities, siblings, models, media, and the rest by folder. All of them
/// are functions of names and sizes, so equal trees have equal groups.
struct Grouping {
  let tree: AssetTree
  let options: ProposalOptions
  /// The engine, which writes files next to assets.
  let engine: Engine?
  /// The changes of the files in former releases; nil if they are unknown.
  let changes: ChangeTable?
  /// Whether the texts of each language have a separate pack.
  let separatesTexts: Bool
  /// The files in texts of all languages.
  var texts: [Int] = []
  /// The groups of texts of one language, and whether the first screen shows them.
  var separateTexts: [Int: Bool] = [:]
  /// The app's primary language, for files without a language in their names.
  let primaryLanguage: LanguageTag?
  /// The decision about each file: the index of its group, or one of the values below.
  private(set) var decisions: [Int32]
  private(set) var groups: [Group] = []
  private(set) var leftOut: [LeftOut] = []
  /// Folders that are left out as a whole, with the index in ``leftOut``.
  private(set) var leftOutFolders: [Int: Int] = [:]
  /// Folders of a language, with their paths in the packs.
  var languageFolders: [Int: [UInt8]] = [:]
  /// Files of a language in folders of several languages, with their paths in the packs.
  var renamedFiles: [Int: [UInt8]] = [:]
  /// The places of translations that are localized packs.
  var languagePlaces: [TranslationSet] = []
  /// The files of other languages in localized packs, by the group.
  var fills: [Int: [LanguageFill]] = [:]
  /// The languages of files.
  var languages: [LanguageTag] = []
  /// The primary language of the localized packs, or the setting.
  var packsLanguage: LanguageTag?
  /// The reasons for the first levels in the core.
  var firstLevels: [Reason] = []
  /// The sets of levels in one quality.
  var setsOfVariants: [String] = []
  /// The estimated total size after compression of the files that are not left out.
  private(set) var total: UInt64 = 0
  /// The estimated size of each file after compression.
  let estimates: [UInt64]
  /// The names of the sets of siblings, by their numbers.
  var setNames: [Int: [String]] = [:]
  /// The numbers of members in joined groups of siblings.
  var memberCounts: [Int: Int] = [:]
  /// Whether the first screen needs the files of a language.
  var startsInLanguage = false

  private static let undecided: Int32 = -1
  /// The decision about a file that is left out for the first reason; further reasons are below it.
  private static let firstLeftOut: Int32 = -2

  init(
    _ tree: AssetTree, engine: Engine?, primaryLanguage: LanguageTag?, _ options: ProposalOptions,
    _ changes: ChangeTable?, separatesTexts: Bool
  ) {
    self.tree = tree
    self.changes = changes
    self.separatesTexts = separatesTexts
    self.engine = engine
    self.options = options
    self.primaryLanguage = primaryLanguage
    decisions = Array(repeating: Self.undecided, count: tree.files.count)
    estimates = CompressionKinds.estimates(of: tree)
  }
}

/// Files that belong together: a pack, or a part of one.
struct Group {
  var kind: Kind
  /// The parts of the ID, such as `level` and `02`.
  var name: [String]
  var reason: Reason
  var platforms: [Platform] = []
  var count = 0
  var bytes: UInt64 = 0
  /// The estimated size after compression.
  var estimate: UInt64 = 0
  /// The group that contains the files of this group.
  var joined: Int?

  init(_ kind: Kind, named name: [String], _ reason: Reason) {
    self.kind = kind
    self.name = name
    self.reason = reason
  }

  /// The language of a localized pack.
  var language: LanguageTag? { if case .localized(let tag) = kind { tag } else { nil } }

  /// Whether it has the files of the primary language with their own paths.
  var isTranslationOfPrimary: Bool { kind == .translation(isPrimary: true) }

  /// Whether files that are added later to a folder with files of this group belong to it.
  ///
  /// A new level does not belong to the pack of another level.
  var ownsNewFiles: Bool {
    switch kind {
    case .core, .text, .folder: true
    // All siblings in one pack.
    case .sibling: name.count == 1
    case .localized, .translation, .tier, .model, .music, .videos, .platform: false
    }
  }

  /// Whether a later member of the same set would have a separate pack: a level, a language, a
  /// quality, a platform.
  var isMember: Bool {
    switch kind {
    case .sibling, .localized, .translation, .tier, .platform: true
    case .core, .text, .model, .music, .videos, .folder: false
    }
  }

  /// The purpose of a group, which decides its download policy.
  enum Kind: Hashable {
    case core
    case localized(LanguageTag)
    /// The files of a language with their own paths.
    case translation(isPrimary: Bool)
    case text
    /// A member of a set of siblings, or all of them.
    case sibling(set: Int)
    case tier, model, music, videos, platform, folder
  }
}

// MARK: - Decisions

extension Grouping {
  func isUndecided(_ file: Int) -> Bool { decisions[file] == Self.undecided }

  /// Whether a file is in a pack, or will be.
  func isKept(_ file: Int) -> Bool { decisions[file] >= Self.undecided }

  /// Returns the group of a file; nil if it is left out or undecided.
  func group(of file: Int) -> Int? {
    guard decisions[file] >= 0 else { return nil }
    var group = Int(decisions[file])
    while let other = groups[group].joined { group = other }
    return group
  }

  /// Returns the index in ``leftOut`` of a file that is left out.
  func leftOutReason(of file: Int) -> Int? {
    decisions[file] <= Self.firstLeftOut ? Int(Self.firstLeftOut - decisions[file]) : nil
  }

  /// Adds a group; returns its index.
  mutating func add(_ group: Group) -> Int {
    groups.append(group)
    return groups.count - 1
  }

  mutating func assign(_ file: Int, to group: Int) {
    decisions[file] = Int32(group)
    groups[group].count += 1
    groups[group].bytes += tree.files[file].size
    groups[group].estimate += estimates[file]
  }

  /// Subtracts a file from its group.
  private mutating func subtract(_ file: Int) {
    guard let group = group(of: file) else { return }
    groups[group].count -= 1
    groups[group].bytes -= tree.files[file].size
    groups[group].estimate -= estimates[file]
  }

  /// Assigns the undecided files among some files; returns whether there were any.
  @discardableResult mutating func assign(_ files: some Sequence<Int>, to group: Int) -> Bool {
    var any = false
    for file in files where isUndecided(file) {
      assign(file, to: group)
      any = true
    }
    return any
  }

  /// Moves all files of some groups to another group.
  mutating func merge(_ others: some Sequence<Int>, into group: Int) {
    for other in others where other != group {
      groups[group].count += groups[other].count
      groups[group].bytes += groups[other].bytes
      groups[group].estimate += groups[other].estimate
      (groups[other].count, groups[other].bytes, groups[other].estimate) = (0, 0, 0)
      groups[other].joined = group
    }
  }

  /// Moves one file to another group.
  mutating func move(_ file: Int, to group: Int) {
    subtract(file)
    assign(file, to: group)
  }

  /// Takes a file out of its group.
  mutating func undecide(_ file: Int) {
    subtract(file)
    decisions[file] = Self.undecided
  }

  mutating func change(_ group: Int, _ body: (inout Group) -> Void) { body(&groups[group]) }

  // MARK: Leaving out

  mutating func leaveOut(_ file: Int, _ rule: Rule, _ phrase: String) {
    subtract(file)
    let index = leftOutIndex(rule, phrase)
    decisions[file] = Self.firstLeftOut - Int32(index)
    leftOut[index].count += 1
    leftOut[index].bytes += tree.files[file].size
    leftOut[index].files.append(file)
    if leftOut[index].examples.count < 3 {
      leftOut[index].examples.append(FilePath(tree.path(ofFile: file)).shown)
    }
  }

  /// Leaves all files in a folder out.
  mutating func leaveOut(folder: Int, _ rule: Rule, _ phrase: String) {
    leftOutFolders[folder] = leftOutIndex(rule, phrase)
    for file in tree.allFiles(of: folder) where isKept(file) { leaveOut(file, rule, phrase) }
  }

  private mutating func leftOutIndex(_ rule: Rule, _ phrase: String) -> Int {
    if let index = leftOut.firstIndex(where: { $0.reason.rule.id == rule.id }) { return index }
    leftOut.append(LeftOut(Reason(rule, phrase)))
    return leftOut.count - 1
  }
}

// MARK: - Sizes

extension Grouping {
  /// Sums the sizes of the files that are not left out.
  mutating func sumUp() {
    total = 0
    for file in tree.files.indices where isKept(file) { total += estimates[file] }
  }

  /// The size below which a pack does not pay, and is joined: 1 MB, or a tenth of the limit.
  ///
  /// An example of less than 1 MB gets packs like a game.
  var smallest: UInt64 {
    min(isExample ? total / 60 : 1_000_000, options.essentialLimit / 10)
  }

  /// Whether all files together are less than one pack should be.
  var isExample: Bool { total < 1_000_000 }

  /// The estimated size after compression of the undecided files in a folder and its subfolders.
  func undecidedEstimate(in folder: Int) -> UInt64 {
    tree.allFiles(of: folder).reduce(0) { $0 + (isUndecided($1) ? estimates[$1] : 0) }
  }

  /// Whether a folder or one of its subfolders has an undecided file.
  func hasUndecided(in folder: Int) -> Bool {
    tree.allFiles(of: folder).contains(where: isUndecided)
  }

  /// Returns the name of a folder in lower case; empty for the root.
  func lowerName(ofFolder folder: Int) -> String { lowered(tree.name(ofFolder: folder)) }

  /// Returns the name of a folder in a message.
  func shownName(ofFolder folder: Int) -> String { shownBytes(tree.name(ofFolder: folder)) }

  /// Returns the path of a folder in a message.
  func shownPath(ofFolder folder: Int) -> String { FilePath(tree.path(ofFolder: folder)).shown }
}
