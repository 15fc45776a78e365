import BAPackKit
import SystemIO

/// The choice of releases in a Git history: the tags in a range, or the newest ones.
package struct GitReleases: Sendable, Equatable {
  /// The first release; nil for the whole history.
  package var first: String?
  /// The last release.
  package var last = end
  /// The pattern of the tags that are releases.
  package var tags = "*"
  /// The maximum number of releases, the newest ones; nil for all.
  private var most: Int?
  /// Whether commits are releases if there are fewer tags than ``fewestTags``.
  private var canBeCommits = false

  /// The end of the history without another one.
  package static let end = "HEAD"
  /// The maximum number of releases without a range.
  package static let mostOfNewest = 40
  /// The number of tags from which they are the releases without a range.
  package static let fewestTags = 3

  /// Parses `first..last`, `first..` or `first`; nil if it is no range.
  package init?(_ range: String, tags: String = "*") {
    let words = range.split(separator: "..", maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = words.first, !range.contains("..."), words.allSatisfy(Self.isRevision)
    else { return nil }
    self.first = first.isEmpty ? nil : String(first)
    if let last = words.dropFirst().first, !last.isEmpty { self.last = String(last) }
    self.tags = tags
  }

  private init(newest most: Int) { self.most = most }

  /// Returns the choice of the newest releases: the tags that match a pattern, and the end of the
  /// history.
  ///
  /// Without a pattern, commits that changed the files are the releases if there are few tags.
  package static func newest(tags: String? = nil) -> GitReleases {
    var releases = GitReleases(newest: mostOfNewest)
    releases.tags = tags ?? releases.tags
    releases.canBeCommits = tags == nil
    return releases
  }

  /// Whether a text can be passed to Git as the name of a commit.
  private static func isRevision(_ word: Substring) -> Bool {
    !word.hasPrefix("-") && !word.hasPrefix("^")
      && word.unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value != 0x7F && $0 != ":" }
  }

  /// A release: its name, and the ID of its commit.
  struct Commit: Sendable, Equatable {
    var name: String
    var id: String
  }

  /// Returns the releases, the oldest first, and whether they are tags.
  ///
  /// Others are commits that changed the folders, at equal distances.
  ///
  /// - Parameters:
  ///   - folders: The patterns that select the folders in Git.
  func commits(
    in repository: GitRepository, changing folders: [String] = ["."]
  ) throws(PackError) -> (commits: [Commit], areTags: Bool) {
    let tagged = try taggedCommits(in: repository)
    guard let most else { return (tagged, true) }
    if !canBeCommits || tagged.count(where: { $0.name != last }) >= Self.fewestTags {
      return (tagged.suffix(most), true)
    }
    let list = ["rev-list", "--first-parent", "--reverse", last, "--"] + folders
    let ids = GitRepository.lines(try repository.output(of: list))
    let count = min(ids.count, most)
    let commits = (0..<count).map { number in
      let id = String(ids[count < 2 ? 0 : number * (ids.count - 1) / (count - 1)])
      return Commit(name: String(id.prefix(8)), id: id)
    }
    return (commits, false)
  }

  /// Returns the commits with a tag that the pattern matches, and both ends of the range.
  private func taggedCommits(in repository: GitRepository) throws(PackError) -> [Commit] {
    let end = try commit(last, in: repository)
    let start = try first.map { (name) throws(PackError) in try commit(name, in: repository) }
    var range = ["rev-list", "--topo-order", "--reverse", end]
    if let start { range += ["--not", start + "^@"] }
    let order = GitRepository.lines(try repository.output(of: range)).map(String.init)
    var names = try tagNames(in: repository)
    if names[end] == nil { names[end] = last }
    if let start, let first, names[start] == nil { names[start] = first }
    if let start, !order.contains(start) {
      throw PackError(
        .invalidValue, "'\(first ?? "")' is not in the history of '\(last)'",
        remedy: "write the older release before '..'")
    }
    return order.compactMap { id in names[id].map { Commit(name: $0, id: id) } }
  }

  private func commit(_ name: String, in repository: GitRepository) throws(PackError) -> String {
    let (bytes, fault) = try repository.run([
      "rev-parse", "--verify", "--quiet", name + "^{commit}",
    ])
    if fault == nil, let line = GitRepository.lines(bytes).first { return String(line) }
    // Without this command, a folder outside of repositories looks like a missing release.
    try repository.check()
    throw PackError(
      .missing, "the Git repository has no commit '\(name)'",
      remedy: name == Self.end
        ? "commit the files of each release"
        : "'git tag' lists the names of releases; a shallow clone may lack them")
  }

  /// Returns the names of the tags that the pattern matches, by their commits.
  private func tagNames(
    in repository: GitRepository
  ) throws(PackError) -> [String: String] {
    guard let pattern = try? NamePattern(parsing: FileName(tags)) else {
      throw PackError(.invalidValue, "'\(tags)' is not a pattern of tags")
    }
    // It fails if there are no tags.
    let (bytes, _) = try repository.run(["show-ref", "--tags", "--dereference"])
    var commits: [String: String] = [:]
    for line in GitRepository.lines(bytes) {
      let words = line.split(separator: " ", maxSplits: 1)
      guard words.count == 2, words[1].hasPrefix("refs/tags/") else { continue }
      var name = String(words[1].dropFirst("refs/tags/".count))
      if name.hasSuffix("^{}") { name.removeLast(3) }
      if pattern.matches(Array(name.utf8)[...], dotIsOrdinary: true) {
        commits[name] = String(words[0])
      }
    }
    var names: [String: String] = [:]
    for (name, id) in commits.sorted(by: { $0.key < $1.key }) where names[id] == nil {
      names[id] = name
    }
    return names
  }
}
