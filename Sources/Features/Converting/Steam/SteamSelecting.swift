import BAPackKit
import SourceDiagnostics
import SystemIO

/// Finds selectors that choose the files of a depot, if the files are available.
///
/// It uses the shortest ones: first selectors from the text of the script, then lists of files for
/// those parts that would choose other files. The code that packs checks each result.
struct SteamSelecting {
  private typealias MeantFile = ConvertedManifest.MeantFile

  private let files: ContentFiles
  private var parts: [Part]
  /// The files of the depot, in the order of the script.
  private(set) var meant: [ConvertedManifest.MeantFile] = []

  /// A mapping or exclusion, and its files.
  private struct Part {
    let item: SteamItem
    /// The names of its path on disk, if they are names.
    var names: [String]
    /// The paths on disk that an exclusion without wildcards names; their case may differ.
    var spellings: [[String]] = []
    /// The indices of the files that a mapping selects or an exclusion drops.
    var places: [Int]
    /// The files of a mapping, before exclusions and overrides.
    var all: [ConvertedManifest.MeantFile] = []
    /// The files that are in the depot because of it.
    var own: [ConvertedManifest.MeantFile] = []
    /// The number of its files that later mappings replace.
    var overridden = 0
    /// Its selectors in the manifest.
    var selectors: [FileSelector] = []
    var isListed = false

    var isExclusion: Bool { if case .exclusion = item.kind { true } else { false } }

    /// Whether it names a file rather than a pattern for files.
    var isOneFile: Bool {
      !isExclusion && all.count == 1 && !names.contains { SteamPattern($0).hasWildcards }
    }

    /// The destination folder of a pattern's files.
    var target: (folder: [String], isRecursive: Bool) {
      switch item.kind {
      case .files(let folder, let isRecursive): (folder, isRecursive)
      case .file(let folder, let name, let isRecursive):
        (folder + (name.map { [$0] } ?? []), isRecursive)
      case .exclusion: ([], false)
      }
    }

    /// Sets the names on disk of an exclusion without wildcards.
    mutating func useNamesOnDisk(_ files: ContentFiles) {
      var seen: Set<[FileName]> = []
      for place in places {
        let names = Array(files.paths[place].components.prefix(item.names.count))
        if seen.insert(names).inserted { spellings.append(names.map(\.text)) }
      }
      if let first = spellings.first { names = first }
    }

    /// Selects the files of a pattern.
    mutating func choose(_ files: ContentFiles, into folder: [String], _ isRecursive: Bool) {
      places = files.places(matching: names, isRecursive: isRecursive)
      let depth = names.count - 1
      all = places.map { place in
        let source = files.paths[place]
        let rest = source.components.dropFirst(depth)
        return MeantFile(
          source: source, destination: FilePath(joining: folder.map { FileName($0) } + rest))
      }
      guard let first = places.first else { return }
      for (index, name) in files.paths[first].components.prefix(depth).enumerated()
      where !SteamPattern(names[index]).hasWildcards { names[index] = name.text }
    }
  }

  init(_ items: [SteamItem], from files: ContentFiles) {
    self.files = files
    parts = items.map { Self.part($0, files) }
    // Of several files with one path, the last one applies.
    var winners: [FilePath: (part: Int, source: FilePath)] = [:]
    for index in parts.indices {
      for file in parts[index].all where winners[file.destination]?.source != file.source {
        winners[file.destination] = (index, file.source)
      }
    }
    var isExcluded = Array(repeating: false, count: files.paths.count)
    for part in parts where part.isExclusion {
      for place in part.places { isExcluded[place] = true }
    }
    for index in parts.indices where !parts[index].isExclusion {
      for (file, place) in zip(parts[index].all, parts[index].places) {
        guard let winner = winners[file.destination] else { continue }
        if winner.source != file.source {
          parts[index].overridden += isExcluded[place] ? 0 : 1
        } else if winner.part == index, !isExcluded[place] {
          parts[index].own.append(file)
        }
      }
      meant += parts[index].own
    }
  }

  private static func part(_ item: SteamItem, _ files: ContentFiles) -> Part {
    var part = Part(item: item, names: item.names, places: [])
    switch item.kind {
    case .exclusion:
      let pattern = SteamPattern(item.names.joined(separator: "/"))
      part.places = files.places(excludedBy: pattern)
      if !pattern.hasWildcards { part.useNamesOnDisk(files) }
    case .file(let folder, let name, let isRecursive):
      guard let place = files.places(of: item.names).first else {
        // A folder can also be named without a pattern.
        part.names.append("*")
        part.choose(files, into: folder + (name.map { [$0] } ?? []), isRecursive)
        break
      }
      let source = files.paths[place]
      part.places = [place]
      part.names = source.components.map(\.text)
      let newName = name.map { FileName($0) } ?? source.name
      part.all = [
        MeantFile(
          source: source,
          destination: FilePath(joining: folder.map { FileName($0) } + [newName]))
      ]
    case .files(let folder, let isRecursive): part.choose(files, into: folder, isRecursive)
    }
    return part
  }
}

extension SteamSelecting {
  /// Whether a mapping has a file.
  var hasFiles: Bool { parts.contains { !$0.isExclusion && !$0.places.isEmpty } }

  /// Returns the selectors; differences from the script are added to the findings.
  mutating func selectors(_ findings: inout Ledger) throws(PackError) -> [FileSelector] {
    for part in parts where !part.isExclusion && part.places.isEmpty {
      findings.add(SteamFileRules.selectsNothing(part.item.word.text, at: part.item.word.span))
    }
    parts.removeAll { !$0.isExclusion && $0.places.isEmpty }
    for part in parts { reportCase(of: part, &findings) }
    selectByScript()
    if try !areRight() { try listDifferingParts(&findings) }
    if try !areRight() { listAllParts() }
    reportCollisions(&findings)
    reportCaseCollisions(&findings)
    for part in parts {
      let word = part.item.word
      if part.overridden > 0 {
        findings.add(
          SteamFileRules.overridden(word.text, count: part.overridden, at: word.span))
      }
      if part.isListed, !part.isExclusion {
        findings.add(SteamFileRules.listed(word.text, count: part.own.count, at: word.span))
      }
    }
    return parts.flatMap(\.selectors)
  }

  /// Reports paths that are both a file and a folder.
  private func reportCollisions(_ findings: inout Ledger) {
    let files = Set(meant.map(\.destination))
    for part in parts {
      let collision = part.own.lazy.compactMap { file -> (FilePath, FilePath)? in
        var folder = file.destination.folder
        while folder != FilePath(".") {
          if files.contains(folder) { return (folder, file.destination) }
          folder = folder.folder
        }
        return nil
      }.first
      guard let (file, other) = collision else { continue }
      findings.add(
        SteamFileRules.collision(file.shown, other.shown, at: part.item.word.span))
    }
  }

  /// Reports paths in the pack that differ only in case, once for each mapping.
  private func reportCaseCollisions(_ findings: inout Ledger) {
    var paths = CasePaths()
    for part in parts {
      let collisions = part.own.compactMap { paths.insert($0.destination) }
      guard let (path, other) = collisions.first else { continue }
      findings.add(
        SteamFileRules.caseCollision(path.text, other.text, at: part.item.word.span))
    }
  }

  private func areRight() throws(PackError) -> Bool {
    try files.areChosen(meant, by: parts.flatMap(\.selectors))
  }

  /// Selects each part by the text of the script, and lists files that no selector can choose.
  private mutating func selectByScript() {
    for index in parts.indices {
      let part = parts[index]
      let selectors =
        part.isExclusion
        ? Self.exclusions(of: part)
        : part.isOneFile ? Self.list(part.all) : Self.selectors(of: part)
      if let selectors { parts[index].selectors = selectors } else { list(index) }
    }
  }

  private static func exclusions(of part: Part) -> [FileSelector]? {
    part.spellings.isEmpty
      ? SteamSelectors.ofExclusion(part.names)
      : part.spellings.flatMap { SteamSelectors.ofExclusion($0) ?? [] }
  }

  private static func selectors(of part: Part, withDots: Bool = false) -> [FileSelector]? {
    SteamSelectors.of(
      part.names, isRecursive: part.target.isRecursive, to: part.target.folder,
      withDots: withDots)
  }

  /// Lists the files of those parts whose selectors would choose other files.
  private mutating func listDifferingParts(_ findings: inout Ledger) throws(PackError) {
    let mapped = Set(parts.flatMap { $0.isExclusion ? [] : $0.places })
    for index in parts.indices where !parts[index].isListed {
      let part = parts[index]
      if part.isExclusion {
        let patterns = part.selectors.compactMap { selector -> PathPattern? in
          guard case .exclusion(let text) = selector else { return nil }
          return try? PathPattern(forExclusion: text)
        }
        let dropped = files.places(droppedBy: patterns).intersection(mapped)
        let wanted = Set(part.places).intersection(mapped)
        guard dropped != wanted else { continue }
        let others = wanted.subtracting(dropped).sorted()
        if dropped.isSubset(of: wanted) {
          // The pattern is kept for files that are added later.
          parts[index].selectors += others.map { .exclusion(of: files.paths[$0]) }
        } else {
          parts[index].places = wanted.sorted()
          list(index)
        }
        let count = parts[index].isListed ? wanted.count : others.count
        findings.add(
          SteamFileRules.exclusion(
            part.item.word.text, "becomes a list of \(count) \(count == 1 ? "file" : "files")",
            at: part.item.word.span))
      } else {
        if part.overridden == 0, try files.areChosen(part.all, by: part.selectors) { continue }
        let dotted = part.isOneFile ? nil : Self.selectors(of: part, withDots: true)
        if part.overridden == 0, let dotted, try files.areChosen(part.all, by: dotted) {
          parts[index].selectors = dotted
        } else {
          list(index)
        }
      }
    }
  }

  /// Lists all files of all parts.
  private mutating func listAllParts() {
    for index in parts.indices {
      if parts[index].isExclusion {
        parts[index].selectors = []
      } else if !parts[index].isOneFile || parts[index].own.isEmpty {
        list(index)
      }
    }
  }

  private mutating func list(_ index: Int) {
    parts[index].isListed = true
    parts[index].selectors =
      parts[index].isExclusion
      ? parts[index].places.map { .exclusion(of: files.paths[$0]) }
      : Self.list(parts[index].own)
  }

  private static func list(_ files: [ConvertedManifest.MeantFile]) -> [FileSelector] {
    files.map { SteamSelectors.of(file: $0.source, to: $0.destination) }
  }

  /// Reports a name whose case differs from the name on disk, once for each part.
  private func reportCase(of part: Part, _ findings: inout Ledger) {
    let written = part.item.names
    func path(_ names: some Sequence<String>) -> String { names.joined(separator: "/") }
    let isSpelled = zip(written, part.names).allSatisfy { $0.utf8.elementsEqual($1.utf8) }
    if !isSpelled {
      findings.add(
        SteamFileRules.letterCase(
          path(written), is: path(part.names), at: part.item.word.span))
      return
    }
    let other: FilePath?
    if part.isExclusion {
      let pattern = SteamPattern(path(written), foldingCase: false)
      let below = SteamPattern(path(written) + "/*", foldingCase: false)
      other = part.places.lazy.map { files.paths[$0] }.first {
        !pattern.matches($0.bytes[...]) && !below.matches($0.bytes[...])
      }
    } else {
      let pattern = SteamPattern(part.names.last ?? "", foldingCase: false)
      other = part.places.first { !pattern.matches(files.paths[$0].name.bytes[...]) }
        .map { files.paths[$0] }
    }
    if let other {
      findings.add(
        SteamFileRules.letterCase(path(written), is: other.text, at: part.item.word.span))
    }
  }
}

extension FileName {
  var text: String { FilePath(bytes).text }
}
