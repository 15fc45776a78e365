import SystemIO

/// A folder that was opened and read before the walk reached it.
struct ReadFolder<Tree: SourceTree>: Sendable {
  let folder: Tree.Folder
  let status: FileStatus
  let listing: DirectoryListing
  /// The statuses of selected files, by the indices of their items; nil if not read.
  let statuses: [FileStatus?]

  func status(at index: Int) -> FileStatus? {
    index < statuses.count ? statuses[index] : nil
  }
}

/// Threads that open and read folders before the walk through a tree reaches them.
///
/// Most of the time of a walk is needed for system calls. The walk announces the subfolders of each
/// folder, in its order, and takes each of them later. The threads first read the subfolders of the
/// deepest folder, which the walk reaches next. If no thread has started a folder, or reading it
/// failed, the walk reads it itself and reports any error. While a thread reads the folder that the
/// walk needs, the walk reads another announced one. Exclusions are checked before a file is
/// examined, as in the walk.
final class FoldersAhead<Tree: SourceTree>: Sendable {
  /// A subfolder that the walk will reach.
  struct Request: Sendable {
    let name: FileName
    let parent: Tree.Folder
    let matcher: SelectorMatcher
    let frontier: SelectorMatcher.Frontier
  }

  private let tree: Tree
  private let queue: Queue
  private let threads: WorkerThreads

  /// Starts the threads.
  init(_ tree: Tree, threads count: Int) throws(Failure) {
    let queue = Queue()
    self.tree = tree
    self.queue = queue
    threads = try WorkerThreads(count, stop: { queue.stop() }) {
      while let next = queue.next() { queue.put(Self.read(next.request, tree), next.number) }
    }
  }

  /// Announces folders in the order in which the walk reaches them; returns the number of the
  /// first one.
  func announce(_ requests: [Request]) -> Int { queue.add(requests) }

  /// Returns a folder that the walk has reached; nil if the walk must read it.
  func take(_ number: Int) -> ReadFolder<Tree>? {
    while true {
      switch queue.take(number) {
      case .taken(let folder): return folder
      case .isRunning(let other?): queue.put(Self.read(other.request, tree), other.number)
      case .isRunning(nil): queue.waitForAwaited()
      }
    }
  }

  private static func read(_ request: Request, _ tree: Tree) -> ReadFolder<Tree>? {
    do throws(Failure) {
      let folder = try tree.open(request.name, in: request.parent)
      let status = try tree.status(of: folder)
      let listing = try tree.list(folder)
      let matcher = request.matcher
      let statuses = listing.items.prefix(mostStatuses).map { (item) -> FileStatus? in
        let name = listing.name(of: item)
        guard item.kind == .file, matcher.chooses(name, request.frontier),
          !matcher.excludes(name, request.frontier)
        else { return nil }
        return try? tree.status(of: item, in: listing, of: folder)
      }
      return ReadFolder(folder: folder, status: status, listing: listing, statuses: statuses)
    } catch {
      return nil
    }
  }

  /// The maximum number of statuses that are read ahead in a folder.
  private static var mostStatuses: Int { 4096 }
}

extension FoldersAhead {
  /// The announced folders, and the folders that were read and not taken yet.
  private final class Queue: Sendable {
    typealias Numbered = (number: Int, request: Request)

    /// The state of a folder that the walk has reached.
    enum Taken {
      case taken(ReadFolder<Tree>?)
      /// A thread reads it; the walk can read another folder, if there is one.
      case isRunning(Numbered?)
    }

    private struct State {
      /// The folders that no thread has begun, the next one last.
      var waiting: [Numbered] = []
      var isRunning: Set<Int> = []
      var done: [Int: ReadFolder<Tree>?] = [:]
      /// The size of the folders in `done`.
      var size = 0
      /// The number of threads that found `done` full.
      var pausing = 0
      /// The folder for which the walk waits.
      var awaited: Int?
      var nextNumber = 0
      var isStopping = false

      /// Begins the next folder; nil if there is none or if too many were read.
      mutating func begin() -> Numbered? {
        guard size < mostSize, let next = waiting.popLast() else { return nil }
        isRunning.insert(next.number)
        return next
      }
    }

    private let state = Guarded(State())
    private let available = Semaphore()
    private let arrived = Semaphore()

    /// The maximum size of folders that were read and not taken.
    private static var mostSize: Int { 16_384 }

    /// Returns the size of a folder: its number of names, and more for its descriptor.
    private static func size(_ folder: ReadFolder<Tree>?) -> Int {
      1024 + (folder?.listing.items.count ?? 0)
    }

    func add(_ requests: [Request]) -> Int {
      let first = state.with { state in
        let first = state.nextNumber
        state.nextNumber += requests.count
        for (offset, request) in requests.enumerated().reversed() {
          state.waiting.append((first + offset, request))
        }
        return first
      }
      for _ in requests { available.signal() }
      return first
    }

    /// Waits for the next folder to read; nil at the end.
    func next() -> Numbered? {
      while true {
        available.wait()
        let (next, isStopping) = state.with { state -> (Numbered?, Bool) in
          if state.isStopping { return (nil, true) }
          if state.size >= Self.mostSize { state.pausing += 1 }
          return (state.begin(), false)
        }
        if isStopping {
          // Wakes the next thread, too.
          available.signal()
          return nil
        }
        if let next { return next }
      }
    }

    func put(_ folder: ReadFolder<Tree>?, _ number: Int) {
      let isAwaited = state.with { state in
        state.isRunning.remove(number)
        state.done[number] = .some(folder)
        state.size += Self.size(folder)
        return state.awaited == number
      }
      if isAwaited { arrived.signal() }
    }

    func take(_ number: Int) -> Taken {
      let (taken, resuming) = state.with { state -> (Taken, Int) in
        if state.isRunning.contains(number) {
          let other = state.begin()
          if other == nil { state.awaited = number }
          return (.isRunning(other), 0)
        }
        state.awaited = nil
        guard let folder = state.done.removeValue(forKey: number) else {
          // No thread has begun it: it is at the end, unless others before it were left out.
          if let place = state.waiting.lastIndex(where: { $0.number == number }) {
            state.waiting.remove(at: place)
          }
          return (.taken(nil), 0)
        }
        state.size -= Self.size(folder)
        guard state.size < Self.mostSize else { return (.taken(folder), 0) }
        defer { state.pausing = 0 }
        return (.taken(folder), state.pausing)
      }
      for _ in 0..<resuming { available.signal() }
      return taken
    }

    /// Waits for the folder of the last call of `take`, which a thread reads.
    func waitForAwaited() { arrived.wait() }

    func stop() {
      state.with { $0.isStopping = true }
      available.signal()
    }
  }
}

extension Resolver {
  /// Announces the subfolders that the walk will reach, if there are threads or if it is worth
  /// starting them; returns the indices of their items, and their numbers.
  mutating func announceFolders(
    _ listing: DirectoryListing, in folder: Tree.Folder, _ frontier: SelectorMatcher.Frontier
  ) -> [(item: Int, number: Int)] {
    guard tree.canReadAhead, readerCount > 0 else { return [] }
    var items: [Int] = []
    var requests: [FoldersAhead<Tree>.Request] = []
    for (index, item) in listing.items.enumerated() where item.kind == .directory {
      if items.count == Self.mostFolders { break }
      let name = listing.name(of: item)
      guard !isOwnFile(name), let below = matcher.advance(frontier, over: name),
        !matcher.excludes(name, frontier)
      else { continue }
      items.append(index)
      requests.append(
        FoldersAhead.Request(
          name: listing.fileName(of: item), parent: folder, matcher: matcher, frontier: below))
    }
    if ahead == nil, items.count >= Self.fewestFolders {
      ahead = try? FoldersAhead(tree, threads: readerCount)
    }
    guard let ahead, !items.isEmpty else { return [] }
    let first = ahead.announce(requests)
    return items.enumerated().map { ($0.element, first + $0.offset) }
  }

  /// Ends the threads, and closes the folders that were read; no other threads are started, because
  /// the numbers of announced folders are those of these threads.
  mutating func stopReadingAhead() {
    ahead = nil
    readerCount = 0
  }

  /// The maximum number of subfolders of one folder that are announced, to limit their memory.
  private static var mostFolders: Int { 10_000 }

  /// The number of subfolders of one folder for which threads are started.
  private static var fewestFolders: Int { 8 }
}
