import BAPackKit
import SourceDiagnostics
import SystemIO

/// The files below a content root, and the files that each part of a script selects.
///
/// The selection uses the same code as packing, and so does the list of files.
struct ContentFiles: Sendable {
  let root: SourceRoot
  private let outputs: [String]
  private let work: Work
  /// The paths relative to the root, sorted by their bytes.
  let paths: [FilePath]
  /// Problems with other files: names that are not text, links that lead out, folders that cannot
  /// be opened.
  let unread: [String]
  /// The paths with their case folded.
  private let folded: [[UInt8]]
  /// Sketches of the folded paths and of the original paths.
  private let sketches: [ByteSketch]
  private let exactSketches: [ByteSketch]
  /// The indices of the paths, sorted by the folded paths.
  private let order: [Int]

  /// Lists the files, excluding those that links place outside the root.
  init(
    in root: SourceRoot, leavingOut outputs: [String], _ work: Work
  ) throws(PackError) {
    self.work = work
    self.root = root
    self.outputs = outputs
    let (selection, findings) = try Self.resolve([.directory(".")], in: root, outputs, work)
    unread = findings.filter { $0.severity == .error }.map(\.message)
    let paths = selection.filesByPath().map { FilePath(selection.sourceBytes(at: $0)) }
    let folded = paths.map { foldedCase($0.bytes) }
    self.paths = paths
    self.folded = folded
    sketches = folded.map { ByteSketch($0) }
    exactSketches = paths.map { ByteSketch($0.bytes) }
    order = paths.indices.sorted { folded[$0].lexicographicallyPrecedes(folded[$1]) }
  }

  private static func resolve(
    _ selectors: [FileSelector], in root: SourceRoot, _ outputs: [String], _ work: Work
  ) throws(PackError) -> (selection: Selection, findings: Ledger) {
    let manifest = Manifest(
      assetPackID: "files", downloadPolicy: .onDemand, fileSelectors: selectors, platforms: [])
    let document = ManifestDocument(parsing: manifest.authoredJSON(), named: "the manifest")
    let resolution = try Selection.resolve(
      document, in: root, leavingOut: RunOutputs(outputs), work)
    var findings = document.findings
    findings.add(contentsOf: resolution.findings)
    return (resolution.selection, findings)
  }

  /// Whether selectors choose exactly these files at these paths.
  func areChosen(
    _ files: some Collection<ConvertedManifest.MeantFile>, by selectors: [FileSelector]
  ) throws(PackError) -> Bool {
    guard selectors.contains(where: { if case .exclusion = $0 { false } else { true } }) else {
      return files.isEmpty
    }
    let (selection, findings) = try Self.resolve(selectors, in: root, outputs, work)
    guard !findings.hasErrors, selection.fileCount == files.count else { return false }
    let meant = Set(files)
    return selection.indices.allSatisfy { index in
      !selection.isFile(at: index) || meant.contains(selection.meantFile(at: index))
    }
  }

  // MARK: Selection of a script

  /// Returns the indices of all paths that begin with folders, in order.
  private func places(below folders: [[UInt8]]) -> [Int] {
    guard !folders.isEmpty else { return Array(paths.indices) }
    let prefix = Array(folders.joined(separator: [slash])) + [slash]
    let start = firstPlace { !$0.lexicographicallyPrecedes(prefix) }
    return order[start...].prefix { folded[$0].starts(with: prefix) }.sorted()
  }

  private func firstPlace(where isReached: ([UInt8]) -> Bool) -> Int {
    var low = 0
    var high = order.count
    while low < high {
      let middle = (low + high) / 2
      if isReached(folded[order[middle]]) { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// Returns the indices of the files at a path, regardless of case: those with the exact spelling,
  /// or else the first.
  func places(of names: [String]) -> [Int] {
    let path = FilePath(joining: names.map { FileName($0) })
    let wanted = foldedCase(path.bytes)
    let start = firstPlace { !$0.lexicographicallyPrecedes(wanted) }
    let found = order[start...].prefix { folded[$0] == wanted }.sorted()
    return found.first { paths[$0] == path }.map { [$0] } ?? Array(found.prefix(1))
  }

  /// Returns the indices of the files that a pattern selects: in its folder, or at any depth below
  /// it.
  func places(matching names: [String], isRecursive: Bool) -> [Int] {
    let patterns = names.map { SteamPattern($0) }
    guard let last = patterns.last else { return [] }
    let literal = patterns.dropLast().prefix { !$0.hasWildcards }.count
    let inFolder = places(below: names.prefix(literal).map { foldedCase($0.utf8) })
    return inFolder.filter { place in
      let parts = folded[place].split(separator: slash)
      guard isRecursive ? parts.count >= names.count : parts.count == names.count else {
        return false
      }
      for index in literal..<names.count - 1 where !patterns[index].matches(parts[index]) {
        return false
      }
      return parts.last.map { last.matches($0) } ?? false
    }
  }

  /// Returns the indices of the files that an exclusion drops, in order: those with its path, or in
  /// a folder with its path.
  ///
  /// A `*` also matches separators.
  func places(excludedBy pattern: SteamPattern) -> [Int] {
    let needed = pattern.needed
    guard pattern.hasWildcards else {
      let wanted = foldedCase(pattern.text.utf8)
      let names = wanted.split(separator: slash).map(Array.init)
      guard !names.isEmpty else { return [] }
      let path = Array(names.joined(separator: [slash]))
      let start = firstPlace { !$0.lexicographicallyPrecedes(path) }
      let own = order[start...].prefix { folded[$0] == path }
      return (own + places(below: names)).sorted()
    }
    let below = SteamPattern(pattern.text + "/*")
    return paths.indices.filter {
      sketches[$0].has(needed)
        && (pattern.matches(folded[$0][...]) || below.matches(folded[$0][...]))
    }
  }

  /// Returns the indices of the files that an exclusion of a manifest drops.
  func places(droppedBy patterns: [PathPattern]) -> Set<Int> {
    var places: Set<Int> = []
    for pattern in patterns {
      let needed = pattern.needed
      for place in paths.indices where exactSketches[place].has(needed) {
        let bytes = paths[place].bytes
        let drops =
          pattern.matches(bytes)
          || bytes.indices.contains { bytes[$0] == slash && pattern.matches(Array(bytes[..<$0])) }
        if drops { places.insert(place) }
      }
    }
    return places
  }
}
