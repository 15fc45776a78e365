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

  /// The time that Git may take.
  private static let limit = Duration.seconds(120)

  private let releases: GitReleases
  /// Whether the user chose the first and the last release.
  let hasRange: Bool

  /// Reads the options; without a range, the releases are the newest ones.
  init(_ arguments: ParsedArguments) throws(UsageError) {
    let tags = arguments[Self.tags]
    guard let range = arguments[Self.history] else {
      releases = .newest(tags: tags)
      hasRange = false
      return
    }
    guard let releases = GitReleases(range, tags: tags ?? "*") else {
      throw UsageError(
        "'\(range)' is not a range of a Git history", hint: "write it as 'v1.0..HEAD'")
    }
    self.releases = releases
    hasRange = true
  }

  /// A manifest with the folder of its files.
  struct Rooted {
    var manifest: Manifest
    var place: String
    var root: String
  }

  /// The packs with the same source root.
  struct Root {
    var path: String
    /// The packs, by their indices.
    var packs: [Int]
    var history: AssetHistory
  }

  /// Replays packs in the history of their files.
  func replays(
    of packs: [Rooted], measuredBy today: Inventory, _ work: Work
  ) throws(PackError) -> [PackReplay] {
    try read(packs, work).roots.map { (root) throws(PackError) in
      try PackReplay(
        root.history, root.packs.map { (packs[$0].manifest, packs[$0].place) }, measuredBy: today,
        work)
    }
  }

  /// Reads the history of the files of packs, in the same releases for all source roots; and
  /// whether the releases are tags.
  func read(
    _ packs: [Rooted], keepsOtherPaths: Bool = false, _ work: Work
  ) throws(PackError) -> (roots: [Root], areTags: Bool) {
    let folders = try Self.folders(of: packs)
    var reaches = folders.map { $0.packs.map { SourceReach(packs[$0].manifest.fileSelectors) } }
    let (histories, areTags) = try AssetHistory.read(
      folders.map(\.path), releases, until: .now + Self.limit, keepsOtherPaths: keepsOtherPaths,
      work
    ) { folder, path in
      reaches[folder].indices.reduce(false) { reaches[folder][$1].visit(path) || $0 }
    }
    guard histories.allSatisfy({ $0.releases.count > 1 }) else {
      throw hasRange
        ? PackError(
          .missing, "the range of the history contains only one release",
          remedy: "a range begins with an older tag, as in 'v1.0..HEAD'")
        : PackError(
          .missing, "the Git history of the files has fewer than two releases",
          remedy: "commit the files of each release, and add a tag to the commit")
    }
    let roots = zip(folders, histories).map {
      Root(path: $0.path, packs: $0.packs, history: $1)
    }
    return (roots, areTags)
  }

  /// Returns the source roots with their packs; several paths can lead to one folder.
  private static func folders(
    of packs: [Rooted]
  ) throws(PackError) -> [(path: String, packs: [Int])] {
    var folders: [(path: String, packs: [Int])] = []
    var places: [FileIdentity: Int] = [:]
    for (index, pack) in packs.enumerated() {
      guard let status = try? FileStatus(ofFileAt: pack.root), status.kind == .directory else {
        throw PackError(
          .invalidValue, "'\(pack.root)' is not a folder, so it has no history",
          remedy: "use a source root that is a folder of a Git repository")
      }
      if let place = places[status.identity] {
        folders[place].packs.append(index)
      } else {
        places[status.identity] = folders.count
        folders.append((pack.root, [index]))
      }
    }
    return folders
  }
}
