package import BAPackKit
package import SystemIO
import TerminalText

extension AssetHistory {
  /// Reads some files below folders of a Git repository, in the same releases.
  ///
  /// No file is checked out. Git reads names, IDs and sizes; the only contents that are read are
  /// those of small files, which can be pointers of Git LFS.
  ///
  /// - Parameters:
  ///   - keepsOtherPaths: Whether ``paths`` also has the paths of files that are not wanted.
  ///   - isWanted: Selects files by the index of the folder, and their paths below it.
  /// - Returns: The history of each folder, and whether the releases are tags.
  package static func read(
    _ folders: [String], _ releases: GitReleases, until deadline: ContinuousClock.Instant,
    keepsOtherPaths: Bool = false, _ work: Work,
    where isWanted: @escaping (_ folder: Int, _ path: [UInt8]) -> Bool
  ) throws(PackError) -> (histories: [AssetHistory], areTags: Bool) {
    let repositories = folders.map { GitRepository(folder: $0, until: deadline, work) }
    guard let first = repositories.first else { return ([], true) }
    let (commits, areTags) = try releases.commits(in: first, changing: patterns(of: repositories))
    let histories = try repositories.enumerated().map { (index, repository) throws(PackError) in
      var reading = Reading(repository, keepsOtherPaths: keepsOtherPaths) { isWanted(index, $0) }
      try reading.readDepth()
      for commit in commits { try reading.add(commit) }
      try reading.addContents()
      return reading.history
    }
    return (histories, areTags)
  }

  /// Returns the patterns that select folders in Git; all of them are in one repository.
  private static func patterns(of repositories: [GitRepository]) throws(PackError) -> [String] {
    if repositories.count < 2 { return ["."] }
    let places = try repositories.map { (repository) throws(PackError) in try repository.place() }
    if let other = places.firstIndex(where: { $0.top != places[0].top }) {
      throw PackError(
        .conflict,
        "'\(repositories[other].folder)' is in another Git repository than "
          + "'\(repositories[0].folder)'",
        remedy: "specify the IDs or manifests of packs with files in the same repository")
    }
    return places.map { ":(top,literal)" + $0.path }
  }

  private struct Reading {
    private let repository: GitRepository
    private let isWanted: ([UInt8]) -> Bool
    private let keepsOtherPaths: Bool
    private var isShallow = false
    /// The ID of the last commit.
    private var last: String?
    private var paths: [[UInt8]] = []
    /// The content of each path in the last release; -1 without a file.
    private var files: [Int32] = []
    /// The places of paths in `paths`; nil for files that are left out.
    private var pathPlaces: [PathDigest: Int32?] = [:]
    /// The IDs of contents in hexadecimal digits.
    private var ids: [[UInt8]] = []
    private var idPlaces: [PathDigest: Int32] = [:]
    private var releases: [Release] = []
    private var contents: [Content] = []
    private var submodules: Set<[UInt8]> = []
    private var links: Set<[UInt8]> = []
    private var unsafeNames: Set<[UInt8]> = []

    init(
      _ repository: GitRepository, keepsOtherPaths: Bool,
      _ isWanted: @escaping ([UInt8]) -> Bool
    ) {
      self.repository = repository
      self.keepsOtherPaths = keepsOtherPaths
      self.isWanted = isWanted
    }

    /// Reads whether the clone is shallow.
    mutating func readDepth() throws(PackError) {
      isShallow =
        try repository.output(of: ["rev-parse", "--is-shallow-repository"])
        .starts(with: "true".utf8)
    }

    /// Reads all files of the first release, and the changed files of each further one.
    mutating func add(_ commit: GitReleases.Commit) throws(PackError) {
      if let last {
        let bytes = try repository.output(of: [
          "diff-tree", "-r", "-z", "--raw", "--no-renames", "--ignore-submodules=none",
          "--relative", last, commit.id,
        ])
        // Fields `:mode mode id id status`, each followed by a path.
        var fields = bytes.split(separator: 0).makeIterator()
        while let change = fields.next(), let path = fields.next() {
          let words = change.split(separator: UInt8(ascii: " "))
          guard words.count == 5 else { continue }
          setFile(path, mode: words[1], id: words[3])
        }
      } else {
        // Lines `mode type id<tab>path`.
        let bytes = try repository.output(of: ["ls-tree", "-r", "-z", commit.id])
        for record in bytes.split(separator: 0) {
          guard let tab = record.firstIndex(of: UInt8(ascii: "\t")) else { continue }
          let words = record[..<tab].split(separator: UInt8(ascii: " "))
          guard words.count == 3 else { continue }
          setFile(record[(tab + 1)...], mode: words[0], id: words[2])
        }
      }
      last = commit.id
      releases.append(
        Release(
          name: commit.name,
          files: files.indices.filter { files[$0] >= 0 }
            .map { File(path: Int32($0), content: files[$0]) }))
    }

    /// Sets what is at a path; nothing that is not a file is a file of the release.
    private mutating func setFile(
      _ path: ArraySlice<UInt8>, mode: ArraySlice<UInt8>, id: ArraySlice<UInt8>
    ) {
      if mode.starts(with: "16".utf8) { submodules.insert(Array(path)) }
      if mode.starts(with: "12".utf8), isWanted(Array(path)) { links.insert(Array(path)) }
      let isFile = mode.starts(with: "100".utf8)
      // A path that had no file before needs no place.
      guard isFile || pathPlaces[PathDigest(path)] != nil, let place = place(of: path) else {
        return
      }
      files[Int(place)] = isFile ? content(of: id) : -1
    }

    /// Returns the place of a path; nil if the file is left out.
    private mutating func place(of path: ArraySlice<UInt8>) -> Int32? {
      let digest = PathDigest(path)
      if let known = pathPlaces[digest] { return known }
      let names = path.split(separator: slash, omittingEmptySubsequences: false)
      let isUnsafe = names.contains { $0.isEmpty || $0 == [dot] || $0 == [dot, dot] }
      if isUnsafe { unsafeNames.insert(Array(path)) }
      let isLeftOut = isUnsafe || !isWanted(Array(path))
      let place = isLeftOut ? nil : Int32(paths.count)
      if !isLeftOut || !isUnsafe && keepsOtherPaths {
        paths.append(Array(path))
        files.append(-1)
      }
      pathPlaces[digest] = .some(place)
      return place
    }

    private mutating func content(of id: ArraySlice<UInt8>) -> Int32 {
      let digest = PathDigest(id)
      if let place = idPlaces[digest] { return place }
      let place = Int32(ids.count)
      ids.append(Array(id))
      idPlaces[digest] = place
      return place
    }

    /// Reads the sizes of all contents, and those in pointers of Git LFS.
    mutating func addContents() throws(PackError) {
      if ids.isEmpty { return }
      let (bytes, fault) = try repository.run(
        ["cat-file", "--batch-check=%(objecttype) %(objectsize)", "--buffer"],
        reading: Self.list(ids))
      let lines = bytes.split(separator: UInt8(ascii: "\n"))
      var missing = Array(min(lines.count, ids.count)..<ids.count)
      contents.reserveCapacity(ids.count)
      for (index, line) in lines.prefix(ids.count).enumerated() {
        let words = line.split(separator: UInt8(ascii: " "))
        let size = words.last.flatMap { UInt64(String(decoding: $0, as: UTF8.self)) }
        if size == nil || words.first?.elementsEqual("blob".utf8) != true { missing.append(index) }
        contents.append(Content(size: size ?? 0, digest: Self.digest(ids[index])))
      }
      if let first = missing.first { throw absence(of: missing.count, first, fault) }
      try addPointers()
    }

    private func absence(of count: Int, _ first: Int, _ fault: String?) -> PackError {
      let file = releases.lazy.flatMap(\.files).first { $0.content == Int32(first) }
      let example = file.map { "'\(shownBytes(paths[Int($0.path)]))'" } ?? "one"
      let what =
        count == 1
        ? "the file \(example) is"
        : "\(Quantity.count(count, "file")) of these releases, such as \(example), are"
      return repository.unreadable(
        "\(what) not in the repository" + (fault.map { " (\($0))" } ?? ""),
        remedies: [
          """
          complete a partial clone with 'git fetch --refetch --no-filter', or clone a damaged \
          repository again
          """
        ])
    }

    /// Returns IDs as lines.
    private static func list(_ ids: [[UInt8]]) -> [UInt8] {
      ids.flatMap { $0 + [UInt8(ascii: "\n")] }
    }

    /// Returns an ID as 32 bytes.
    private static func digest(_ id: [UInt8]) -> [UInt8] {
      let text = String(decoding: id, as: UTF8.self)
      let bytes = [UInt8](hexadecimal: text, count: id.count / 2) ?? id
      return Array((bytes + Array(repeating: 0, count: 32)).prefix(32))
    }

    // MARK: Git LFS

    /// The sizes of files that are read, because they can be pointers.
    private static let pointerSizes: ClosedRange<UInt64> = 100...300

    private mutating func addPointers() throws(PackError) {
      let small = contents.indices.filter { Self.pointerSizes.contains(contents[$0].size) }
      if small.isEmpty { return }
      let bytes = try repository.output(
        of: ["cat-file", "--batch=%(objectsize)", "--buffer"],
        reading: Self.list(small.map { ids[$0] }))
      var rest = bytes[...]
      for index in small {
        let line = rest.prefix { $0 != UInt8(ascii: "\n") }
        guard let size = Int(String(decoding: line, as: UTF8.self)),
          rest.count >= line.count + size + 2
        else { throw repository.unreadable("the list of small files is too short") }
        let text = rest.dropFirst(line.count + 1).prefix(size)
        if let size = PointerFile.sizeInLFS(Array(text)) { contents[index].size = size }
        rest = rest.dropFirst(line.count + size + 2)
      }
    }

    // MARK: Result

    var history: AssetHistory {
      AssetHistory(paths, contents, releases, notes: notes)
    }

    private var notes: [String] {
      let omissions = [
        (submodules, "submodule", "whose files are not in this repository"),
        (links, "symbolic link", "which are not followed in a history"),
        (unsafeNames, "name", "that no folder can contain"),
      ].compactMap { found, what, why in
        found.min(by: { $0.lexicographicallyPrecedes($1) }).map { first in
          "left out: \(Quantity.count(found.count, what)) (\(shownBytes(first))), \(why)"
        }
      }
      return (isShallow ? ["the clone is shallow, so older releases are missing"] : []) + omissions
    }
  }
}

// MARK: - Recent releases

extension AssetHistory {
  /// Reads some files below a folder in its newest releases, as many as the time allows.
  ///
  /// After `pause`, no further release is read; then the sizes are read, until the deadline.
  ///
  /// - Returns: The history, and whether its releases are tags; nil if the folder is in no Git
  ///   repository, or has fewer than two releases.
  package static func recent(
    of folder: String, pausing pause: ContinuousClock.Instant,
    until deadline: ContinuousClock.Instant, _ work: Work,
    where isWanted: @escaping ([UInt8]) -> Bool
  ) throws(PackError) -> (history: AssetHistory, areTags: Bool)? {
    let repository = GitRepository(folder: folder, until: deadline, work)
    guard try repository.run(["rev-parse", "--verify", "--quiet", "HEAD^{commit}"]).fault == nil
    else { return nil }
    let (commits, areTags) = try GitReleases.newest().commits(in: repository)
    var reading = Reading(repository, keepsOtherPaths: false, isWanted)
    try reading.readDepth()
    var count = 0
    for commit in commits.reversed() where count < 2 || ContinuousClock.now < pause {
      try reading.add(commit)
      count += 1
    }
    try reading.addContents()
    let read = reading.history
    let notes =
      read.notes
      + (count < commits.count ? ["only the newest \(count) releases were read in time"] : [])
    let history = AssetHistory(read.paths, read.contents, read.releases.reversed(), notes: notes)
    return history.releases.contains { !$0.files.isEmpty } && count > 1 ? (history, areTags) : nil
  }
}
