import SystemIO
import TestSupport
import Testing

@testable import BAPackKit

/// The reach of selectors, compared with a simple model.
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

  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func `the tables agree with the model`(seed: UInt64) {
    var random = Seeded(seed: seed)
    for _ in 0..<60 {
      let selectors = (0...random.next(below: 7)).map { _ in Self.selector(&random) }
      var paths = (0..<25).map { _ in Self.path(&random, most: 4) }
      // Usually in the order of an archive.
      if random.next() % 4 != 0 { paths.sort() }
      var list = PathList()
      var kinds: [Bool] = []
      for path in paths {
        kinds.append(random.next() % 3 != 0)
        list.append(Array(path.utf8)[...], isFile: kinds[kinds.count - 1])
      }
      let model = SelectorModel(selectors: selectors)
      let reached = zip(paths, kinds).map { model.reaches($0, isFile: $1) }
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

  /// Returns paths of files, none of which is also a folder.
  private static func files(_ random: inout Seeded) -> [String] {
    var files: [String] = []
    for _ in 0..<12 {
      let path = path(&random, most: 3)
      if !files.contains(where: { ($0 + "/").hasPrefix(path + "/") || path.hasPrefix($0 + "/") }) {
        files.append(path)
      }
    }
    return files
  }

  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func `a walk, the reach and a manifest agree with the model`(seed: UInt64) throws {
    var random = Seeded(seed: seed)
    var count = 0
    for _ in 0..<12 {
      let files = Self.files(&random)
      let folder = try TemporaryFolder()
      for file in files { try folder.makeFile(file) }
      for _ in 0..<8 {
        let selectors = (0...random.next(below: 4)).map { _ in Self.selector(&random) }
        let manifest = Manifest(
          assetPackID: "p", downloadPolicy: .onDemand, fileSelectors: selectors, platforms: [])
        let document = ManifestDocument(parsing: manifest.archivedJSON(), named: "m.json")
        let found = try Selection.resolve(
          document, in: SourceRoot(opening: folder.path, .unstoppable), .unstoppable)
        // If two files have the same path, the selection contains only one of them.
        let isClear = found.findings.allSatisfy {
          ![NameRules.twoSources.id, NameRules.fileAndFolder.id].contains($0.id)
        }
        guard document.isValid, isClear else { continue }
        let chosen = Set(found.selection.filter { $0.kind == .file }.map(\.destination.text))
        let model = SelectorModel(selectors: selectors)
        let destinations = Set(files.flatMap(model.destinations))
        #expect(chosen == destinations, "\(selectors) in \(files)")
        count += chosen.count
        var sources = SourceReach(selectors)
        var places: Set<String> = []
        for file in files.sorted() where sources.visit(Array(file.utf8)) {
          let paths = sources.destinations(of: Array(file.utf8))
          places.formUnion(paths.map { String(decoding: $0, as: UTF8.self) })
        }
        #expect(places == chosen, "\(selectors) in \(files)")
        for file in files {
          let unmoved = SelectorModel(selectors: selectors.map(\.inPlace))
          #expect(
            manifest.chooses(FilePath(file)) == !unmoved.destinations(of: file).isEmpty,
            "\(selectors) and \(file)")
        }
        for (folder, paths) in Dictionary(
          grouping: files.map { FilePath($0) }, by: \.folder.normalized)
        {
          #expect(
            Set(manifest.chosen(of: Set(paths.map(\.name)), in: folder))
              == Set(paths.filter(manifest.chooses)), "\(selectors) and \(paths)")
        }
        var reach = SelectorReach(selectors)
        for path in chosen.sorted() {
          let isReached = reach.visit(Array(path.utf8), isFile: true, common: 0)
          #expect(isReached, "\(selectors) and \(path)")
        }
      }
    }
    #expect(count > 20)
  }

  @Test(.heavy)
  func `a list of paths returns the same paths`() {
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

/// A simple model of selectors.
private struct SelectorModel {
  let selectors: [FileSelector]

  private func matches(_ text: String, _ path: String) -> Bool {
    (try? PathPattern(forFiles: text))?.matches(Array(path.utf8)) ?? false
  }

  /// Returns whether an exclusion matches a path of the source or one of its parents.
  private func isDropped(_ path: String) -> Bool {
    let names = path.split(separator: "/")
    return selectors.contains { selector in
      guard case .exclusion(let text) = selector,
        let pattern = try? PathPattern(forExclusion: text)
      else { return false }
      return names.indices.contains {
        pattern.matches(Array(names[...$0].joined(separator: "/").utf8))
      }
    }
  }

  /// Returns the rest of a path after a folder; nil for other paths.
  private func rest(_ path: String, below folder: String) -> String? {
    if folder == "." { return path }
    return path.hasPrefix(folder + "/") ? String(path.dropFirst(folder.count + 1)) : nil
  }

  /// Returns the paths of a source file in the pack.
  func destinations(of file: String) -> [String] {
    if isDropped(file) { return [] }
    return selectors.compactMap { selector in
      switch selector {
      case .file(let own): own == file ? file : nil
      case .renamedFile(let source, let destination): source == file ? destination : nil
      case .directory(let folder): rest(file, below: folder) == nil ? nil : file
      case .renamedDirectory(let source, let destination):
        rest(file, below: source).map { destination == "." ? $0 : destination + "/" + $0 }
      case .filePattern(let text): matches(text, file) ? file : nil
      case .exclusion: nil
      }
    }
  }

  /// Returns whether a source can contain a file or folder with this path in the pack.
  func reaches(_ path: String, isFile: Bool) -> Bool {
    // Only a folder is selected as a folder.
    func restOrSelf(below folder: String) -> String? {
      path == folder && !isFile ? "" : rest(path, below: folder)
    }
    return selectors.contains { selector in
      switch selector {
      case .file(let own): isFile && own == path && !isDropped(path)
      case .renamedFile(let source, let own): isFile && own == path && !isDropped(source)
      case .directory(let own): restOrSelf(below: own) != nil && !isDropped(path)
      case .renamedDirectory(let source, let own):
        restOrSelf(below: own).map { !isDropped($0.isEmpty ? source : source + "/" + $0) } ?? false
      case .filePattern(let text): isFile && matches(text, path) && !isDropped(path)
      case .exclusion: false
      }
    }
  }
}

extension FileSelector {
  /// The selector without its destination.
  fileprivate var inPlace: FileSelector {
    switch self {
    case .renamedFile(let source, _): .file(source)
    case .renamedDirectory(let source, _): .directory(source)
    case .file, .directory, .filePattern, .exclusion: self
    }
  }
}
