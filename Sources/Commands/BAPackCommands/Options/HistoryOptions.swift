import Arguments
import AssetHistory
import BAPackKit
import Reporting
import SystemIO

/// The options for the history of the assets in a Git repository.
struct HistoryOptions: Sendable {
  static let history = Option(
    "history", .text, called: "range", in: .input,
    "Read former releases of the files from Git, such as v1.0..HEAD.",
    details: """
      Shows what updates cost if the packs had been the same in all releases. Nothing is checked \
      out; at most \(limit.components.seconds) seconds are spent.
      """)
  static let tags = Option(
    "releases", .text, called: "pattern", in: .input,
    "Use the tags that match as releases, such as 'v*' (default: all tags).",
    details: "Both ends of the range are releases, too.")
  static let dependent: [Command.Dependence] = [(tags, on: history)]

  /// The time that Git may take.
  private static let limit = Duration.seconds(120)

  private let releases: GitReleases

  /// Reads the options; nil without a range.
  init?(_ arguments: ParsedArguments) throws(UsageError) {
    guard let range = arguments[Self.history] else { return nil }
    guard let releases = GitReleases(range, tags: arguments[Self.tags] ?? "*") else {
      throw UsageError(
        "'\(range)' is not a range of a Git history", hint: "write it as 'v1.0..HEAD'")
    }
    self.releases = releases
  }

  /// A manifest with the folder of its files.
  struct Rooted {
    var manifest: Manifest
    var place: String
    var root: String
  }

  /// Replays packs in the history of their files.
  func replays(
    of packs: [Rooted], measuredBy today: Inventory, _ work: Work
  ) throws(PackError) -> [PackReplay] {
    let deadline = ContinuousClock.now + Self.limit
    var roots: [String] = []
    for pack in packs where !roots.contains(pack.root) { roots.append(pack.root) }
    return try roots.map { (root) throws(PackError) in
      let own = packs.filter { $0.root == root }
      let history = try read(own, until: deadline, work)
      return try PackReplay(
        history, own.map { ($0.manifest, $0.place) }, measuredBy: today, work)
    }
  }

  /// Reads the history of the files of packs with the same root.
  func read(
    _ packs: [Rooted], keepsOtherPaths: Bool = false,
    until deadline: ContinuousClock.Instant = .now + limit, _ work: Work
  ) throws(PackError) -> AssetHistory {
    let root = packs.first?.root ?? "."
    guard (try? FileStatus(ofFileAt: root).kind) == .directory else {
      throw PackError(
        .invalidValue, "'\(root)' is not a folder, so it has no history",
        remedy: "use a source root that is a folder of a Git repository")
    }
    var reaches = packs.map { SourceReach($0.manifest.fileSelectors) }
    let history = try AssetHistory(
      of: root, releases, until: deadline, keepsOtherPaths: keepsOtherPaths, work
    ) { path in
      reaches.indices.reduce(false) { reaches[$1].visit(path) || $0 }
    }
    guard history.releases.count > 1 else {
      throw PackError(
        .missing, "the range of the history contains only one release",
        remedy: "a range begins with an older tag, as in 'v1.0..HEAD'")
    }
    return history
  }
}
