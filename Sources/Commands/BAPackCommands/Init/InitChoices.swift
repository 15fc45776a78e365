import Arguments
import BAPackKit
import Proposing
import SystemIO
import TerminalText

/// The choices of the user for a proposal: those of the command line, then those at the prompt.
struct InitChoices {
  static let exclude = RepeatableOption(
    "exclude", .exclusion, called: "pattern", in: .input,
    "Leave out files that match, such as '*-draft.png'; repeatable.",
    details: "Manifests whose folders have such files get it as a 'fileExclusion'.")
  static let include = RepeatableOption(
    "include", .exclusion, called: "pattern", in: .input,
    "Pack files that a rule about names leaves out, such as '*.lua'; repeatable.",
    details: "'--exclude' wins over '--include'.")
  static let essentialLimit = DefaultedOption(
    "essential-limit", .decimalSize, called: "size", in: .manifest, default: 50_000_000,
    shownAs: "50M", "Limit the download before the first launch.",
    details: "Sizes are decimal: 50M is 50,000,000 bytes. A tenth of it is the size up to which "
      + "other folders than those of the first screen are in 'core'.")
  static let policy = RepeatableOption(
    "policy", .policyOfPack, called: "id=policy", in: .manifest,
    "Set the policy of a pack, such as music=on-demand; repeatable.",
    details: "The policies are 'essential', 'prefetch' and 'on-demand'.")
  static let noLocalized = Flag(
    "no-localized", in: .manifest, "Propose no localized packs; the app chooses languages.",
    details: "Systems before version 27 receive no localized packs.")
  static let oldestSystem = Option(
    "oldest-os", .majorVersion, called: "version", in: .manifest,
    "Set the oldest system version of the app, such as 26.",
    details: "The default is the setting of the project. Systems before version 27 receive no "
      + "localized packs; for such an app, a second scenario tests the oldest system.")
  static let primaryLanguage = Option(
    "primary-language", ManifestOptions.languageTag, called: "tag", in: .manifest,
    "Set the primary language of the app, such as en.",
    details: "The default is the setting of the project.")

  static let noHistory = Flag(
    "no-history", in: .input, "Ignore the Git history of the files.",
    details: "Without it, up to 40 releases are read within 2 seconds, and files that change often "
      + "are in other packs than files that are stable.")

  /// The options that can be typed at the prompt, too.
  static let options: [any TypedParameter] = [
    policy, essentialLimit, exclude, include, noLocalized, primaryLanguage, oldestSystem,
    noHistory,
  ]

  /// A change of the proposed packs.
  private enum Change {
    case policy(PackPolicy)
    case name(String, to: String)
  }

  private(set) var options = ProposalOptions()
  /// Whether the history of the files decides, too.
  private(set) var readsHistory = true
  /// The changes in the order in which they apply.
  private var changes: [Change] = []

  init(_ arguments: ParsedArguments) {
    let platforms = Set(arguments[ManifestChoices.platforms])
    options.platforms = Platform.allCases.filter(platforms.contains)
    add(arguments)
  }

  /// Adds the choices of an option line.
  mutating func add(_ arguments: ParsedArguments) {
    options.exclusions += arguments[Self.exclude]
    options.inclusions += arguments[Self.include]
    if arguments.isGiven(Self.essentialLimit) {
      options.essentialLimit = arguments[Self.essentialLimit]
    }
    if arguments[Self.noHistory] { readsHistory = false }
    if arguments[Self.noLocalized] { options.localizes = false }
    if let language = arguments[Self.primaryLanguage] { options.primaryLanguage = language }
    if let system = arguments[Self.oldestSystem] { options.oldestSystem = system }
    changes += arguments[Self.policy].map(Change.policy)
  }

  mutating func setPrimaryLanguage(_ language: LanguageTag) { options.primaryLanguage = language }

  mutating func setOldestSystem(_ system: Int) { options.oldestSystem = system }

  mutating func rename(_ id: String, to other: String) { changes.append(.name(id, to: other)) }

  /// Sets the policies and IDs that the user chose.
  func apply(to proposal: inout Proposal) throws(PackError) {
    for change in changes {
      switch change {
      case .policy(let choice):
        let index = try proposal.index(of: choice.id)
        proposal.packs[index].manifest.downloadPolicy = choice.policy
      case .name(let id, to: let other):
        try proposal.rename(try proposal.index(of: id), to: other)
      }
    }
  }
}

extension Proposal {
  /// Returns the index of the pack with an ID.
  func index(of id: String) throws(PackError) -> Int {
    if let index = packs.firstIndex(where: { $0.manifest.assetPackID == id }) { return index }
    let near = Spelling.nearest(to: id, among: packs.map(\.manifest.assetPackID))
    throw PackError(
      .invalidValue, "no proposed pack has the ID '\(shown(id))'",
      remedy: near.map { "did you mean '\($0)'?" } ?? "'ba-package init --dry-run' prints the IDs")
  }

  fileprivate mutating func rename(_ index: Int, to id: String) throws(PackError) {
    guard !packs.contains(where: { $0.manifest.assetPackID.lowercased() == id.lowercased() }) else {
      throw PackError(
        .invalidValue, "another pack has the ID '\(shown(id))'", remedy: "choose another ID")
    }
    var manifest = packs[index].manifest
    manifest.assetPackID = id
    let document = ManifestDocument(parsing: manifest.authoredJSON(), named: "the manifest")
    if let problem = document.findings.first(where: { $0.severity == .error }) {
      throw PackError(.invalidValue, problem.message, remedy: "choose another ID")
    }
    packs[index].manifest = manifest
    packs[index].series = nil
  }
}
