import AssetHistory
import BAPackKit
import SystemIO
import TestSupport
import Testing

/// Reads the newest releases of a folder without a range.
@Suite struct RecentReleasesTests {
  private static func recent(
    _ path: String, within time: Duration = .seconds(60)
  ) throws -> (history: AssetHistory, areTags: Bool)? {
    try AssetHistory.recent(
      of: path, pausing: .now + time, until: .now + time, .unstoppable
    ) { _ in true }
  }

  /// Returns the sizes of the file `a` in all releases; -1 where it does not exist.
  private static func sizes(_ history: AssetHistory) -> [Int] {
    history.releases.map { release in
      release.files.first { history.paths[Int($0.path)] == Array("a".utf8) }
        .map { Int(history.contents[Int($0.content)].size) } ?? -1
    }
  }

  @Test func `three tags are the releases, and the end of the history is one`() throws {
    let repository = try TestRepository()
    for size in 1...3 {
      try repository.folder.makeFile("a", [UInt8](repeating: 1, count: size))
      try repository.release("v\(size)")
    }
    let tagged = try #require(try Self.recent(repository.path))
    #expect(tagged.areTags)
    #expect(tagged.history.releases.map(\.name) == ["v1", "v2", "v3"])
    #expect(Self.sizes(tagged.history) == [1, 2, 3])
    try repository.folder.makeFile("a", [UInt8](repeating: 1, count: 9))
    try repository.git("commit", "--quiet", "--all", "-m", "more")
    let more = try #require(try Self.recent(repository.path))
    #expect(more.history.releases.map(\.name) == ["v1", "v2", "v3", "HEAD"])
    #expect(Self.sizes(more.history) == [1, 2, 3, 9])
  }

  @Test func `without three tags, commits at equal distances are the releases`() throws {
    let repository = try TestRepository()
    for number in 1...83 {
      // Each second commit is outside of the folder.
      let name = number.isMultiple(of: 2) ? "other" : "Assets/a"
      try repository.folder.makeFile(name, [UInt8](repeating: 1, count: number))
      try repository.git("add", "--all")
      try repository.git("commit", "--quiet", "-m", "\(number)")
    }
    let recent = try #require(try Self.recent(repository.path + "/Assets"))
    #expect(!recent.areTags)
    let sizes = Self.sizes(recent.history)
    #expect(sizes.count == 40)
    #expect(sizes.first == 1)
    #expect(sizes.last == 83)
    #expect(zip(sizes, sizes.dropFirst()).allSatisfy { (2...4).contains($1 - $0) })
  }

  @Test func `the newest 40 tags are read`() throws {
    let repository = try TestRepository()
    for number in 1...43 {
      try repository.folder.makeFile("a", [UInt8](repeating: 1, count: number))
      try repository.release("v\(number)")
    }
    let recent = try #require(try Self.recent(repository.path))
    #expect(Self.sizes(recent.history) == Array(4...43))
  }

  /// Returns the names of the newest releases of folders, and whether they are tags.
  private static func newest(
    _ folders: [String], tags: String? = nil
  ) throws -> (names: [[String]], sizes: [[Int]], areTags: Bool) {
    let found = try AssetHistory.read(
      folders, .newest(tags: tags), until: .now + .seconds(60), .unstoppable
    ) { _, _ in true }
    return (
      found.histories.map { $0.releases.map(\.name) }, found.histories.map(sizes), found.areTags
    )
  }

  @Test func `several folders of a repository have the same releases`() throws {
    let repository = try TestRepository()
    for number in 1...7 {
      // Each third commit is outside of the folders.
      let name = ["other", "Art [1]/a", "Sounds/a"][number % 3]
      try repository.folder.makeFile(name, [UInt8](repeating: 1, count: number))
      try repository.git("add", "--all")
      try repository.git("commit", "--quiet", "-m", "\(number)")
    }
    let folders = ["/Art [1]", "/Sounds"].map { repository.path + $0 }
    let commits = try Self.newest(folders)
    #expect(!commits.areTags)
    #expect(commits.names[0].count == 5, "of the commits 1, 2, 4, 5 and 7")
    #expect(commits.names[0] == commits.names[1])
    #expect(commits.sizes == [[1, 1, 4, 4, 7], [-1, 2, 2, 5, 5]])
    try repository.git("tag", "v1", "HEAD~2")
    try repository.git("tag", "w1")
    // A pattern is a choice of tags, also of few of them.
    let tagged = try Self.newest(folders, tags: "v*")
    #expect(tagged.areTags)
    #expect(tagged.names == [["v1", "HEAD"], ["v1", "HEAD"]])
    #expect(tagged.sizes == [[4, 7], [5, 5]])
  }

  @Test func `folders of several repositories are refused`() throws {
    let repository = try TestRepository()
    let other = try TestRepository()
    for place in [repository, other] {
      try place.folder.makeFile("a", "1")
      try place.release("v1")
    }
    let error = #expect(throws: PackError.self) { try Self.newest([repository.path, other.path]) }
    #expect(error?.kind == .conflict)
    #expect(error?.message.contains("'\(other.path)' is in another Git repository") == true)
    let plain = try TemporaryFolder()
    let missing = #expect(throws: PackError.self) {
      try Self.newest([repository.path, plain.path])
    }
    #expect(missing?.message.contains(plain.path) == true)
    #expect(missing?.remedies.isEmpty == false)
  }

  @Test func `a folder without a history has none`() throws {
    let folder = try TemporaryFolder()
    #expect(try Self.recent(folder.path) == nil)
    let repository = try TestRepository()
    #expect(try Self.recent(repository.path) == nil)
    try repository.folder.makeFile("a", "1")
    try repository.release("v1")
    // One release has no update, and a new folder has no release.
    #expect(try Self.recent(repository.path) == nil)
    try repository.release("v2")
    try repository.release("v3")
    try repository.folder.makeFile("New/b", "1")
    #expect(try Self.recent(repository.path + "/New") == nil)
  }

  @Test func `the deadline ends the reading, and what was read counts`() throws {
    let repository = try TestRepository()
    for number in 1...4 {
      try repository.folder.makeFile("a", [UInt8](repeating: 1, count: number))
      try repository.release("v\(number)")
    }
    let error = #expect(throws: PackError.self) { try Self.recent(repository.path, within: .zero) }
    #expect(error?.kind == .timedOut)
    // Without time for more, the newest two releases are read.
    let end = try AssetHistory.recent(
      of: repository.path, pausing: .now, until: .now + .seconds(60), .unstoppable
    ) { _ in true }
    let recent = try #require(end)
    #expect(Self.sizes(recent.history) == [3, 4])
    #expect(recent.history.notes == ["only the newest 2 releases were read in time"])
  }
}
