import SystemIO
import TestSupport
import Testing

@testable import BAPackKit

/// What the selectors of a pack reach, found out with tables and by trying one after the other.
@Suite("The reach of selectors") struct SelectorReachTests {
  private static let names = ["a", "b", ".c", "a.txt", "b.txt", "ab", "x", "日"]

  private static func path(_ random: inout Seeded, most: Int) -> String {
    (0...random.next(below: most)).map { _ in
      names[random.next(below: names.count)]
    }.joined(separator: "/")
  }

  private static func pattern(_ random: inout Seeded) -> String {
    let parts = ["*", "**", "a*", "*.txt", "?", "[ab]", "a", "b.txt", "x"]
    return (0...random.next(below: 3)).map { _ in
      parts[random.next(below: parts.count)]
    }.joined(separator: "/")
  }

  private static func selector(_ random: inout Seeded) -> FileSelector {
    switch random.next() % 8 {
    case 0: .file(path(&random, most: 3))
    case 1: .renamedFile(source: path(&random, most: 3), destination: path(&random, most: 3))
    case 2: .directory(random.next() % 6 == 0 ? "." : path(&random, most: 2))
    case 3:
      .renamedDirectory(
        source: path(&random, most: 2),
        destination: random.next() % 4 == 0 ? "." : path(&random, most: 2))
    case 4, 5: .filePattern(pattern(&random))
    default: .exclusion(random.next() % 2 == 0 ? pattern(&random) : path(&random, most: 2))
    }
  }

  /// Whether one of the selectors reaches a path, found out by asking each.
  private func isReached(_ path: String, isFile: Bool, _ selectors: [FileSelector]) -> Bool {
    func matches(_ text: String, _ path: String) -> Bool {
      guard let pattern = try? PathPattern(forFiles: text) else { return false }
      let names = Array(path.utf8).split(separator: slash)
      let progress = names.dropLast().reduce(pattern.start) { pattern.advance($0, over: $1) }
      return names.last.map { pattern.accepts(progress, $0) } ?? false
    }
    func isDropped(_ path: String) -> Bool {
      selectors.contains { selector in
        guard case .exclusion(let text) = selector,
          let pattern = try? PathPattern(forExclusion: text)
        else { return false }
        var progress = pattern.start
        for name in Array(path.utf8).split(separator: slash) {
          if pattern.accepts(progress, name) { return true }
          progress = pattern.advance(progress, over: name)
        }
        return false
      }
    }
    func rest(_ path: String, below folder: String) -> String? {
      if folder == "." { return path }
      // A folder can become a folder only.
      if path == folder { return isFile ? nil : "" }
      return path.hasPrefix(folder + "/") ? String(path.dropFirst(folder.count + 1)) : nil
    }
    return selectors.contains { selector in
      switch selector {
      case .file(let own): return isFile && own == path && !isDropped(path)
      case .renamedFile(let source, let own):
        return isFile && own == path && !isDropped(source)
      case .directory(let own): return rest(path, below: own) != nil && !isDropped(path)
      case .renamedDirectory(let source, let own):
        guard let rest = rest(path, below: own) else { return false }
        return !isDropped(rest.isEmpty ? source : source + "/" + rest)
      case .filePattern(let text): return isFile && matches(text, path) && !isDropped(path)
      case .exclusion: return false
      }
    }
  }

  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func `tables say what trying says`(seed: UInt64) {
    var random = Seeded(seed: seed)
    for _ in 0..<60 {
      let selectors = (0...random.next(below: 7)).map { _ in Self.selector(&random) }
      var paths = (0..<25).map { _ in Self.path(&random, most: 4) }
      // In the order of an archive mostly, and in none sometimes.
      if random.next() % 4 != 0 { paths.sort() }
      var list = PathList()
      var kinds: [Bool] = []
      for path in paths {
        kinds.append(random.next() % 3 != 0)
        list.append(Array(path.utf8)[...], isFile: kinds[kinds.count - 1])
      }
      let reached = zip(paths, kinds).map { isReached($0, isFile: $1, selectors) }
      let wrong = paths.indices.filter { index in
        !reached[index]
          && (kinds[index]
            || !paths.indices.contains { reached[$0] && paths[$0].hasPrefix(paths[index] + "/") })
      }.map { paths[$0] }
      var reach = SelectorReach(selectors)
      let found = reach.unreachable(list).map(\.text)
      #expect(found == wrong, "\(selectors) over \(paths)")
    }
  }

  @Test(.heavy)
  func `a list of paths gives back what was put in`() {
    var random = Seeded(seed: 5)
    var list = PathList()
    var expected: [[UInt8]] = []
    for index in 0..<3000 {
      let size = index % 100 == 0 ? 60_000 : random.next(below: 12)
      let path =
        (expected.last?.prefix(random.next(below: 9)) ?? [])
        + random.noise(size).map { $0 & 3 }
      expected.append(Array(path.prefix(65_535)))
      list.append(path[...], isFile: index % 3 == 0)
    }
    var found: [[UInt8]] = []
    list.forEach { path, isFile, common in
      #expect(isFile == (found.count % 3 == 0))
      #expect(found.last.map { $0.prefix(common) == path.prefix(common) } ?? (common == 0))
      found.append(path)
    }
    #expect(found == expected)
    #expect(list.count == 3000)
  }
}
