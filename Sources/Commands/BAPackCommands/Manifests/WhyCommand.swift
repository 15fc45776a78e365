import Arguments
import BAPackKit
import SourceDiagnostics
import SystemIO
import TerminalText

/// `why`: prints which pack has a file, and the selector or the exclusion that decides it.
struct WhyCommand: Subcommand {
  private static let paths = ArgumentList(
    "path", .file(), "A path or quoted pattern in the source root, or in a pack.",
    details: """
      Paths from the current folder are found, too, if they are in the source root. A pattern is \
      'Levels/*.json' or '**/*.png', for example.
      """)

  static let definition = Command(
    "why", overview: "Show which pack has a file, and why.",
    discussion: [
      """
      Prints each pack that has the path, and the selector that selects it. For a path that no \
      pack has, prints the exclusion that removes it, or the nearest path that a pack has. Exits \
      with 1 if no pack has one of the paths.
      """,
      DocumentName.why.described("With '--format json', prints one object a line for each path"),
    ],
    [paths] + ManifestOptions.sources + ProjectOptions.required + [ReportFormat.option],
    exclusive: [ManifestOptions.exclusiveSources],
    dependent: ManifestOptions.dependentSources,
    examples: [
      Term("ba-package why Levels/Cave/map.json", "Show the pack of a file."),
      Term("ba-package why 'Levels/**/*.json'", "Show the packs of several files."),
    ],
    topics: ["selectors", "project-file"])

  private let input: ManifestOptions
  private let paths: [String]
  private let format: ReportFormat

  init(_ arguments: ParsedArguments) throws(UsageError) {
    input = ManifestOptions(arguments, operands: [])
    paths = arguments[Self.paths]
    format = arguments[ReportFormat.option]
  }

  func run(_ console: Console) throws(PackError) -> ExitStatus {
    guard var packs = try input.selections(console, otherwise: "No path was searched")?.packs
    else { return .failed }
    var answers = paths.map { PathReasons($0) }
    packs.listsExcluded = true
    try packs.forEach { pack in
      for index in answers.indices { answers[index].search(pack) }
    }
    for answer in answers {
      switch format {
      case .json: console.result(json: answer)
      case .text: for line in answer.lines { console.result(line) }
      }
    }
    return packs.failed || answers.contains(where: { $0.packs.isEmpty }) ? .failed : .done
  }
}

/// The packs that have a path, and the reasons.
struct PathReasons: Described {
  /// A pack and its selector, or the exclusion that removes the path.
  struct Reason: Described {
    let id: PackID
    /// The path in the pack; nil if the path is excluded.
    let path: String?
    let source: String?
    let selector: ListedSelector?
    /// `Packs/core.json:12:5`.
    let place: String
    fileprivate let text: String
    /// The path that was found, as it is shown.
    fileprivate let name: String

    static let table = Table<Self>(written: "a reason") {
      Key("pack", written: \.id, .packID, "The ID of the pack.")
      Key("path", written: \.path, .text, "The path in the pack, if the pack has it.")
      Key("source", written: \.source, .text, "The path below the source root.")
      Key(
        "selector", written: \.selector, .nullable(.listed),
        "The selector or the exclusion; null for a folder above selected files.")
      Key("place", written: \.place, .text, "The position of the selector: file, line and column.")
    }
  }

  /// The path as it was given.
  let given: String
  private(set) var packs: [Reason] = []
  private(set) var exclusions: [Reason] = []
  private var nearest: (distance: Int, path: String)?
  private let isPattern: Bool

  init(_ given: String) {
    self.given = given
    isPattern =
      given.utf8.contains { Array("*?[".utf8).contains($0) }
      && (try? PathPattern(forPaths: given)) != nil
  }

  static let table = Table<Self>(written: "a path") {
    Key("path", written: \.given, .text, "The path as it was given.")
    Key("packs", written: \.packs, .list(of: .object), "The packs that have it.")
    Key("excludedBy", written: \.exclusions, .list(of: .object), "The exclusions that remove it.")
    Key(
      "nearest", written: { $0.packs.isEmpty ? $0.nearest?.path : nil }, .text,
      "The nearest path that a pack has, if no pack has the path.")
  }

  /// Searches a pack for the path.
  mutating func search(_ pack: SelectedPack) {
    let names = names(in: pack.root?.path ?? ".")
    let patterns = isPattern ? names.compactMap { try? PathPattern(forPaths: $0) } : []
    func isMeant(_ path: String) -> Bool {
      names.contains(path) || patterns.contains { $0.matches(Array(path.utf8)) }
    }
    let id = PackID(pack.document.assetPackID ?? "")
    for index in pack.selection.indices {
      let path = pack.selection.pathInContents(at: index).text
      let source = String(decoding: pack.selection.sourceBytes(at: index), as: UTF8.self)
      let isFile = pack.selection.isFile(at: index)
      guard isFile || !isPattern, let found = [path, source].first(where: isMeant) else {
        if isFile, !isPattern { note(path) }
        continue
      }
      let selector = pack.selection[index].selector
      packs.append(reason(pack, id, selector, path: path, source: source, called: found))
    }
    for item in pack.excluded {
      let source = item.source.text
      let isInside = item.isFolder && names.contains { $0.hasPrefix(source + "/") }
      guard isMeant(source) || isInside, let exclusion = item.exclusions.first else {
        continue
      }
      exclusions.append(
        reason(pack, id, exclusion, path: nil, source: source, called: source))
    }
  }

  /// The forms of the path: as given, and relative to the source root.
  private func names(in root: String) -> Set<String> {
    let path = FilePath(given).normalized.text
    var names: Set<String> = [path]
    let (base, full) = (FilePath(root).normalized.text, path)
    if full.hasPrefix(base + "/") { names.insert(String(full.dropFirst(base.count + 1))) }
    if let real = try? realPath(of: root), let own = try? realPath(of: given),
      own.hasPrefix(real + "/")
    {
      names.insert(String(own.dropFirst(real.count + 1)))
    }
    return names
  }

  private func reason(
    _ pack: SelectedPack, _ id: PackID, _ selector: Int?, path: String?, source: String,
    called name: String
  ) -> Reason {
    let locations = pack.document.locations.selectors
    let span = selector.flatMap { locations.indices.contains($0) ? locations[$0].whole : nil }
    let position = span.map { pack.document.source.position(of: $0.start) }
    let place = position.map { "\(pack.document.source.name):\($0.line):\($0.column)" }
    return Reason(
      id: id, path: path, source: source,
      selector: selector.map { ListedSelector(index: $0, pack.document.fileSelectors[$0]) },
      place: place ?? pack.document.source.name,
      text: span.map { pack.document.source.text(of: $0) } ?? "",
      name: isPattern ? name : given)
  }

  /// Keeps the nearest path of a pack, for paths that no pack has.
  private mutating func note(_ path: String) {
    guard nearest?.distance != 0, let distance = Spelling.distance(given, path, atMost: 8),
      distance < nearest?.distance ?? 9
    else { return }
    nearest = (distance, path)
  }

  /// The lines for people.
  var lines: [String] {
    // A pattern can match selected and excluded files.
    if !packs.isEmpty { return packs.map(line) + (isPattern ? exclusions.map(line) : []) }
    if !exclusions.isEmpty { return exclusions.map(line) }
    let near = nearest.map { "; the nearest path of a pack is '\(shown($0.path))'" }
    return ["\(shown(given)): no manifest selects it\(near ?? "")"]
  }

  private func line(_ reason: Reason) -> String {
    let (name, text, place) = (shown(reason.name), shown(oneLine(reason.text)), shown(reason.place))
    guard let path = reason.path else {
      return "\(name): left out of '\(reason.id)' by \(text) (\(place))"
    }
    let other = path == reason.name ? "" : ", as '\(shown(path))'"
    let selector = text.isEmpty ? "a folder above selected files" : text
    return "\(name): in '\(reason.id)'\(other): \(selector) (\(place))"
  }

  /// Returns a text of several lines on one line.
  private func oneLine(_ text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}
