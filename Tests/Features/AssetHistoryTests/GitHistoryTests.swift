import AssetHistory
import BAPackKit
import SystemIO
import TerminalText
import TestSupport
import Testing

/// Reads histories of Git repositories, also of damaged and hostile ones.
@Suite struct GitHistoryTests {
  private static func history(
    _ path: String, _ range: String = "", tags: String = "*", within time: Duration = .seconds(60),
    where isWanted: @escaping ([UInt8]) -> Bool = { _ in true }
  ) throws -> AssetHistory {
    let releases = try #require(GitReleases(range, tags: tags))
    let found = try AssetHistory.read(
      [path], releases, until: .now + time, .unstoppable
    ) { isWanted($1) }
    return try #require(found.histories.first)
  }

  /// Returns the sizes of the files of each release, with a short name for each content.
  private static func files(_ history: AssetHistory) -> [String: [String: UInt64]] {
    Dictionary(
      uniqueKeysWithValues: history.releases.map { release in
        (
          release.name,
          Dictionary(
            uniqueKeysWithValues: release.files.map { file in
              (
                String(decoding: history.paths[Int(file.path)], as: UTF8.self),
                history.contents[Int(file.content)].size
              )
            })
        )
      })
  }

  private static func error(_ body: () throws -> AssetHistory) -> PackError? {
    #expect(throws: PackError.self) { _ = try body() }
  }

  @Test func `releases are tags in the order of their commits, and the ends of the range`() throws {
    let repository = try TestRepository()
    for (tag, size) in [("v2", 1), ("v1", 2), ("other", 3), ("v0", 4)] {
      try repository.folder.makeFile("Art/a.bin", [UInt8](repeating: 7, count: size))
      try repository.release(tag)
    }
    try repository.folder.makeFile("Art/b/c", "x")
    try repository.git("add", "--all")
    try repository.git("commit", "--quiet", "-m", "later")
    let all = try Self.history(repository.path)
    #expect(all.releases.map(\.name) == ["v2", "v1", "other", "v0", "HEAD"])
    #expect(Self.files(all)["HEAD"] == ["Art/a.bin": 4, "Art/b/c": 1])
    #expect(Self.files(all)["v2"] == ["Art/a.bin": 1])
    let some = try Self.history(repository.path, "other..v0", tags: "v*")
    #expect(some.releases.map(\.name) == ["other", "v0"])
    let inner = try Self.history(repository.path + "/Art", "v0..")
    #expect(Self.files(inner) == ["v0": ["a.bin": 4], "HEAD": ["a.bin": 4, "b/c": 1]])
    let digests = Set(all.contents.map(\.digest))
    #expect(digests.count == 5)
    #expect(all.notes.isEmpty)
  }

  @Test(arguments: 1...6 as ClosedRange<UInt64>)
  func `changes since a release give the files of the next one`(seed: UInt64) throws {
    var random = Seeded(seed: seed)
    let repository = try TestRepository()
    let names = ["Art/a", "Art/b.x", "Art/b/c", "Art/b/\u{e9} \"1\"", "Art-2", "z"]
    for number in 0..<6 {
      for name in names where random.next(below: 2) == 0 {
        _ = try? repository.git("rm", "-r", "--quiet", "--force", "--ignore-unmatch", name)
        switch random.next(below: 4) {
        case 0: break
        case 1: try repository.folder.makeLink(name, to: "z")
        default:
          try repository.folder.makeFile(
            name, [UInt8](repeating: 7, count: random.next(below: 9)))
        }
        try repository.git("add", "--all")
      }
      try repository.release("v\(number)")
    }
    for folder in ["", "/Art"] where (try? FileStatus(ofFileAt: repository.path + folder)) != nil {
      let together = Self.files(try Self.history(repository.path + folder))
      for number in 0..<6 {
        let tag = "v\(number)"
        let alone = Self.files(
          try Self.history(repository.path + folder, "\(tag)..\(tag)", tags: "none"))
        #expect(together[tag] == alone[tag], "seed \(seed), \(tag)")
      }
    }
  }

  @Test func `paths of other files are kept on request`() throws {
    let repository = try TestRepository()
    try repository.folder.makeFile("a", "1")
    try repository.folder.makeFile("b", "2")
    try repository.release("v1")
    let releases = try #require(GitReleases(""))
    for (keeps, paths) in [(true, ["a", "b"]), (false, ["a"])] {
      let found = try AssetHistory.read(
        [repository.path], releases, until: .now + .seconds(60), keepsOtherPaths: keeps,
        .unstoppable
      ) { $1 == Array("a".utf8) }
      let history = try #require(found.histories.first)
      #expect(history.paths.map { String(decoding: $0, as: UTF8.self) } == paths)
      #expect(history.releases.map(\.files.count) == [1])
      let more = history.adding([Array("a".utf8), Array("0".utf8)])
      #expect(more.paths.count == paths.count + 1)
      #expect(more.releases[0].files.map(\.path) == [1])
    }
  }

  @Test func `the size in a pointer of Git LFS counts`() throws {
    let repository = try TestRepository()
    let pointer = """
      version https://git-lfs.github.com/spec/v1
      oid sha256:\(String(repeating: "ab", count: 32))
      size 123456789

      """
    try repository.folder.makeFile("hero.png", pointer)
    try repository.folder.makeFile("like.txt", "oid sha256 " + pointer)
    try repository.release("v1")
    let files = Self.files(try Self.history(repository.path))
    #expect(files["v1"]?["hero.png"] == 123_456_789)
    #expect(files["v1"]?["like.txt"] == UInt64(pointer.utf8.count + 11))
  }

  @Test(arguments: ["a...b", "-x..b", "a b", "^a", "v1..--output=x", "a:b"])
  func `a text that is no range is refused`(text: String) { #expect(GitReleases(text) == nil) }

  @Test func `missing releases are errors with a remedy`() throws {
    let repository = try TestRepository()
    try repository.folder.makeFile("a", "1")
    try repository.release("v1")
    let missing = Self.error { try Self.history(repository.path, "v9..") }
    #expect(missing?.message == "the Git repository has no commit 'v9'")
    try repository.folder.makeFile("a", "2")
    try repository.release("v2")
    let turned = Self.error { try Self.history(repository.path, "v2..v1") }
    #expect(turned?.message == "'v2' is not in the history of 'v1'")
    let folder = try TemporaryFolder()
    let outside = Self.error { try Self.history(folder.path) }
    #expect(outside?.message.contains("not a git repository") == true)
  }

  // MARK: Hostile repositories

  @Test func `names that no folder can contain, links and submodules are left out`() throws {
    let repository = try TestRepository()
    let blob = try repository.git("hash-object", "-w", "--stdin", reading: [1, 2, 3])
    let id = try #require([UInt8](hexadecimal: blob, count: 20))
    let inner = try repository.git(
      "hash-object", "-w", "-t", "tree", "--stdin", "--literally",
      reading: Array("100644 deep".utf8) + [0] + id)
    let commit = try repository.commit(tree: [
      ("40000", "..", inner), ("100644", "a\nb\tc", blob), ("100644", "same", blob),
      ("100755", "same", blob), ("120000", "link", blob), ("160000", "module", blob),
    ])
    try repository.git("update-ref", "refs/heads/main", commit)
    let history = try Self.history(repository.path)
    #expect(Self.files(history) == ["HEAD": ["a\nb\tc": 3, "same": 3]])
    #expect(history.notes.count == 3)
    #expect(history.notes.allSatisfy { $0.hasPrefix("left out: 1 ") })
  }

  @Test func `a tree that contains itself many times ends with an error`() throws {
    let repository = try TestRepository()
    var id = try repository.git("hash-object", "-w", "--stdin", reading: [1])
    for level in 0..<12 {
      var bytes: [UInt8] = []
      for name in "0123456789" {
        bytes += Array("\(level == 0 ? "100644" : "40000") \(name)".utf8) + [0]
        bytes += try #require([UInt8](hexadecimal: id, count: 20))
      }
      id = try repository.git("hash-object", "-w", "-t", "tree", "--stdin", reading: bytes)
    }
    let commit = try repository.git("commit-tree", "-m", "tree", id)
    try repository.git("update-ref", "refs/heads/main", commit)
    let start = ContinuousClock.now
    let error = Self.error { try Self.history(repository.path, within: .seconds(1)) }
    #expect(error?.message.contains("too long") == true)
    #expect(ContinuousClock.now - start < .seconds(30))
  }

  @Test func `programs that a repository names do not run`() throws {
    let repository = try TestRepository()
    try repository.folder.makeFile("a.txt", "1")
    try repository.folder.makeFile(".gitattributes", "* diff=evil filter=evil\n")
    try repository.release("v1")
    let trap = repository.path + "/.git/trap"
    try repository.folder.makeFile(".git/evil", "#!/bin/sh\ntouch '\(trap)'\ncat\n")
    try repository.git("config", "core.fileMode", "false")
    for key in [
      "core.fsmonitor", "core.pager", "diff.external", "diff.evil.textconv", "filter.evil.smudge",
      "core.sshCommand", "pager.ls-tree", "alias.ls-tree",
    ] {
      try repository.git("config", key, "sh '\(repository.path)/.git/evil'")
    }
    #expect(Self.files(try Self.history(repository.path))["v1"]?["a.txt"] == 1)
    #expect((try? FileStatus(ofFileAt: trap)) == nil)
  }

  @Test func `a missing object is an error with a remedy`() throws {
    let repository = try TestRepository()
    try repository.folder.makeFile("a", "some text")
    try repository.folder.makeFile("b", "other text")
    try repository.release("v1")
    let id = try repository.git("rev-parse", "HEAD:a")
    try repository.folder.remove(".git/objects/\(id.prefix(2))/\(id.dropFirst(2))")
    let error = Self.error { try Self.history(repository.path) }
    #expect(error?.message.contains("the file 'a' is not in the repository") == true)
    #expect(error?.remedies.isEmpty == false)
    // Files that no pack selects are not required.
    let some = try Self.history(repository.path) { $0 == Array("b".utf8) }
    #expect(Self.files(some) == ["v1": ["b": 10]])
  }

  @Test func `a partial clone is an error, and nothing is fetched`() throws {
    let repository = try TestRepository()
    try repository.folder.makeFile("a", "some text")
    try repository.release("v1")
    try repository.git("config", "uploadpack.allowFilter", "true")
    let clone = try TemporaryFolder()
    try repository.git(
      "clone", "--quiet", "--bare", "--filter=blob:none", "file://" + repository.path,
      clone.path("clone.git"))
    let error = Self.error { try Self.history(clone.path("clone.git")) }
    #expect(error?.message.contains("not in the repository") == true, "\(error?.message ?? "")")
    #expect(error?.remedies.isEmpty == false)
  }

  @Test func `a shallow clone has a note`() throws {
    let repository = try TestRepository()
    for tag in ["v1", "v2"] {
      try repository.folder.makeFile("a", tag)
      try repository.release(tag)
    }
    let clone = try TemporaryFolder()
    try repository.git(
      "clone", "--quiet", "--bare", "--depth=1", "file://" + repository.path,
      clone.path("clone.git"))
    let history = try Self.history(clone.path("clone.git"))
    #expect(history.releases.map(\.name) == ["v2"])
    #expect(history.notes == ["the clone is shallow, so older releases are missing"])
  }

  @Test func `the deadline ends the reading`() throws {
    let repository = try TestRepository()
    try repository.folder.makeFile("a", "1")
    try repository.release("v1")
    let error = Self.error { try Self.history(repository.path, within: .zero) }
    #expect(error?.kind == .timedOut)
  }
}
