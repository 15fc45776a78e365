import BAPackKit
import SourceDiagnostics
import SystemIO

/// A mapping or an exclusion with its paths understood.
struct SteamItem {
  enum Kind {
    /// Files that go into a folder of the pack, or, where `file` is set, one file with its path there.
    case mapping(to: [String], file: [String]?, isRecursive: Bool)
    case exclusion
  }

  /// As the script writes it.
  let word: KeyValues.Word
  /// The names of its path, below the content root.
  private(set) var names: [String]
  let kind: Kind

  private static let longest = 4096

  /// nil if it reaches where it must not, which is reported.
  init?(_ item: SteamScript.Item, below root: SteamPath?, _ findings: inout Ledger) {
    switch item {
    case .exclusion(let word):
      self.word = word
      kind = .exclusion
      guard let names = Self.names(of: word, below: root, isExclusion: true, &findings) else {
        return nil
      }
      self.names = names
    case .mapping(let mapping):
      word = mapping.localPath
      guard let names = Self.names(of: word, below: root, isExclusion: false, &findings) else {
        return nil
      }
      let isFolder = SteamPath(word.text).meansFolder
      self.names = isFolder ? names + ["*"] : names
      var folder: [String] = []
      var file: [String]?
      let isFile = !isFolder && !names.contains { SteamPattern($0).hasWildcards }
      if let word = mapping.depotPath {
        let path = SteamPath(word.text)
        guard path.ups == 0, path.start == .here || path.start == .top,
          !path.names.contains(where: { $0.utf8.contains(0) })
        else {
          findings.add(SteamFileRules.outside(word.text, "the depot", at: word.span))
          return nil
        }
        folder = path.names
        if isFile, !path.meansFolder, let last = folder.last, let name = names.last {
          if foldedCase(last.utf8) == foldedCase(name.utf8) || last.dropFirst().contains(".") {
            file = folder
          } else {
            findings.add(SteamFileRules.depotPath(ambiguous: word.text, at: word.span))
          }
        }
      } else {
        findings.add(
          SteamFileRules.depotPath(missingFor: mapping.localPath.text, at: mapping.localPath.span))
      }
      if isFile, file == nil { file = folder + names.suffix(1) }
      kind = .mapping(to: folder, file: file, isRecursive: mapping.isRecursive)
    }
  }

  /// The names of a path below the content root.
  private static func names(
    of word: KeyValues.Word, below root: SteamPath?, isExclusion: Bool, _ findings: inout Ledger
  ) -> [String]? {
    let path = SteamPath(word.text)
    guard word.text.utf8.count <= longest, !word.text.utf8.contains(0) else {
      findings.add(SteamRules.mapping("no file has such a path", at: word.span))
      return nil
    }
    let below = path.staysBelow ? path.names : root.flatMap { path.names(below: $0) }
    guard let below, path.staysBelow || path.start != .here else {
      if isExclusion {
        findings.add(
          SteamFileRules.exclusion(
            word.text, "is outside the content root and drops nothing: it is left out",
            at: word.span))
      } else {
        findings.add(
          SteamFileRules.outside(
            word.text, "the content root", at: word.span,
            fixes: path.start == .here
              ? [] : [Fix("write it relative to 'ContentRoot'", .shownOnly)]))
      }
      return nil
    }
    if isExclusion, path.meansFolder { return below + ["*"] }
    return below
  }

  /// The selectors where no files are at hand.
  func selectorsByWords(_ findings: inout Ledger) -> [FileSelector] {
    switch kind {
    case .exclusion:
      if let selectors = SteamSelectors.ofExclusion(names) { return selectors }
      findings.add(
        SteamFileRules.exclusion(
          word.text, "has too many '*' to be said without the files: it is left out",
          at: word.span))
      return []
    case .mapping(let folder, let file, let isRecursive):
      if let file {
        return [
          SteamSelectors.of(
            file: FilePath(joining: names.map { FileName($0) }),
            to: FilePath(joining: file.map { FileName($0) }))
        ]
      }
      if let selectors = SteamSelectors.of(names, isRecursive: isRecursive, to: folder) {
        return selectors
      }
      findings.add(
        SteamFileRules.renaming(
          word.text, to: folder.isEmpty ? "." : folder.joined(separator: "/"), at: word.span))
      return []
    }
  }
}

/// Finds selectors that choose what a depot means, with the files at hand.
///
/// The shortest that do are taken: first what the words of the script say, then, for those parts
/// that would choose other files, lists of them. The code that packs is asked each time.
struct SteamSelecting {
  private typealias MeantFile = ConvertedManifest.MeantFile

  private let files: ContentFiles
  private var parts: [Part]
  /// The files of the depot, in the order of the script.
  private(set) var meant: [ConvertedManifest.MeantFile] = []

  /// An item, and what it means here.
  private struct Part {
    let item: SteamItem
    /// The names of its path as they are on disk, as far as they are names.
    var names: [String]
    /// The places of the files that a mapping has, or an exclusion takes.
    var places: [Int]
    /// The files of a mapping, before anything is excluded or overridden.
    var all: [ConvertedManifest.MeantFile] = []
    /// Those that are in the depot because of it.
    var own: [ConvertedManifest.MeantFile] = []
    /// How many of its files give way to those of later mappings.
    var overridden = 0
    /// What it is in the manifest.
    var selectors: [FileSelector] = []
    var isListed = false

    var isExclusion: Bool { if case .exclusion = item.kind { true } else { false } }
  }

  init(_ items: [SteamItem], from files: ContentFiles) {
    self.files = files
    parts = items.map { Self.part($0, files) }
    // Of several files for one path, the last counts.
    var winners: [FilePath: (part: Int, source: FilePath)] = [:]
    for index in parts.indices {
      for file in parts[index].all where winners[file.destination]?.source != file.source {
        winners[file.destination] = (index, file.source)
      }
    }
    let excluded = Set(parts.filter(\.isExclusion).flatMap(\.places).map { files.paths[$0] })
    for index in parts.indices where !parts[index].isExclusion {
      var seen: Set<FilePath> = []
      for file in parts[index].all {
        guard let winner = winners[file.destination], seen.insert(file.destination).inserted else {
          continue
        }
        if winner.source != file.source {
          parts[index].overridden += excluded.contains(file.source) ? 0 : 1
        } else if winner.part == index, !excluded.contains(file.source) {
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
      part.places = files.places(
        excludedBy: SteamPattern(item.names.joined(separator: "/"))
      ).sorted()
    case .mapping(let folder, let file, let isRecursive):
      if let file {
        part.places = files.places(of: item.names)
        if !part.places.isEmpty {
          part.names = part.places.flatMap { files.paths[$0].components }.map(\.text)
          part.all = part.places.map { place in
            MeantFile(
              source: files.paths[place],
              destination: FilePath(joining: file.map { FileName($0) }))
          }
          return part
        }
        // A folder is named without a pattern, too.
        part.names.append("*")
      }
      part.places = files.places(matching: part.names, isRecursive: isRecursive)
      let depth = part.names.count - 1
      part.all = part.places.map { place in
        let source = files.paths[place]
        let rest = source.components.dropFirst(depth)
        return MeantFile(
          source: source,
          destination: FilePath(joining: folder.map { FileName($0) } + rest))
      }
      if let first = part.places.first {
        for (index, name) in files.paths[first].components.prefix(depth).enumerated()
        where !SteamPattern(part.names[index]).hasWildcards { part.names[index] = name.text }
      }
    }
    return part
  }
}

extension SteamSelecting {
  /// The selectors; what they do not say as the script does is among the findings.
  mutating func selectors(
    at place: SourceSpan, in root: String, _ findings: inout Ledger
  ) throws(PackError) -> [FileSelector] {
    let mappings = parts.indices.filter { !parts[$0].isExclusion }
    guard mappings.contains(where: { !parts[$0].places.isEmpty }) else {
      if !mappings.isEmpty {
        findings.add(SteamFileRules.selectsNothing(atAllIn: root, at: place))
      }
      return []
    }
    for index in mappings where parts[index].places.isEmpty {
      findings.add(
        SteamFileRules.selectsNothing(parts[index].item.word.text, at: parts[index].item.word.span))
    }
    parts.removeAll { !$0.isExclusion && $0.places.isEmpty }
    for part in parts { reportCase(of: part, &findings) }
    sayByWords()
    if try !areRight() { try sayByNeed(&findings) }
    if try !areRight() { sayByFile() }
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

  private func areRight() throws(PackError) -> Bool {
    try files.areChosen(meant, by: parts.flatMap(\.selectors))
  }

  /// Says each part as its words do, and lists what no selector says.
  private mutating func sayByWords() {
    for index in parts.indices {
      switch parts[index].item.kind {
      case .exclusion:
        if let selectors = SteamSelectors.ofExclusion(parts[index].names) {
          parts[index].selectors = selectors
        } else {
          list(index)
        }
      case .mapping(let folder, _, let isRecursive):
        if isOneFile(parts[index]) {
          parts[index].selectors = Self.list(parts[index].all)
        } else if let selectors = SteamSelectors.of(
          parts[index].names, isRecursive: isRecursive, to: folder)
        {
          parts[index].selectors = selectors
        } else {
          list(index)
        }
      }
    }
  }

  /// Whether a part names a file, rather than a pattern for files.
  private func isOneFile(_ part: Part) -> Bool {
    !part.names.contains { SteamPattern($0).hasWildcards } && part.all.count == 1
  }

  /// Lists the files of those parts that choose others than they mean.
  private mutating func sayByNeed(_ findings: inout Ledger) throws(PackError) {
    let mapped = Set(parts.flatMap { $0.isExclusion ? [] : $0.places })
    for index in parts.indices where !parts[index].isListed {
      let part = parts[index]
      switch part.item.kind {
      case .exclusion:
        let patterns = part.selectors.compactMap { selector -> PathPattern? in
          guard case .exclusion(let text) = selector else { return nil }
          return try? PathPattern(forExclusion: text)
        }
        let dropped = files.places(droppedBy: patterns).intersection(mapped)
        let wanted = Set(part.places).intersection(mapped)
        guard dropped != wanted else { continue }
        parts[index].places = wanted.sorted()
        list(index)
        findings.add(
          SteamFileRules.exclusion(
            part.item.word.text,
            wanted.isEmpty
              ? "drops no file, as it is a folder's name or another case: it is left out"
              : "became a list of \(wanted.count) \(wanted.count == 1 ? "file" : "files")",
            at: part.item.word.span))
      case .mapping(let folder, _, let isRecursive):
        if part.overridden == 0, try files.areChosen(part.all, by: part.selectors) { continue }
        let dotted = SteamSelectors.of(
          part.names, isRecursive: isRecursive, to: folder, withDots: true)
        if part.overridden == 0, let dotted, try files.areChosen(part.all, by: dotted) {
          parts[index].selectors = dotted
        } else {
          list(index)
        }
      }
    }
  }

  /// Lists all files of all parts.
  private mutating func sayByFile() {
    for index in parts.indices {
      if parts[index].isExclusion {
        parts[index].selectors = []
      } else if !isOneFile(parts[index]) || parts[index].own.isEmpty {
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

  /// Reports a name that is spelled in another case than on disk, once for each part.
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
      other = part.places.first { !pattern.matches(files.paths[$0].bytes[...]) }
        .map { files.paths[$0] }
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
  /// The name as text.
  var text: String { FilePath(bytes).text }
}
