import Arguments
import BAPackKit
import SourceDiagnostics
import SystemIO

/// `evaluate`: prints the files that a manifest selects, with their paths in the pack.
struct EvaluateCommand: Subcommand {
  private static let manifest = Argument(
    "manifest", .file(), elsewhere: ProjectOptions.hint,
    "The manifest (default: the manifests of the project).",
    details: "'-' reads standard input.")

  private static let excluded = Flag(
    "excluded", in: .output, "List the files that exclusions remove.")
  private static let declared = Option(
    "declared", .file(), called: "list", in: .check,
    "Require that this list has exactly the selected files.",
    details: """
      The list has the form of '--files-from'; its destinations are compared. Prints the \
      difference: '+' for a selected file that is not in the list, '-' for a file that is not \
      selected.
      """)
  private static let format = DefaultedOption<Format>(
    "format", called: "format", in: .output, default: .text, "Set the output format.",
    details: "'bazel' is a dictionary with the 'srcs' of each pack.")

  /// The output formats.
  private enum Format: String, CaseIterable {
    case text, json, bazel
  }

  /// The result of a run.
  private enum Output {
    case files(ReportFormat)
    case excluded(ReportFormat)
    case bazel
    /// The difference from a list.
    case difference(from: String)
  }

  static let definition = Command(
    "evaluate", overview: "List the files that a manifest selects.",
    discussion: [
      """
      Prints one path a line, as the app will see it, in the order of bytes.
      """,
      """
      With '--excluded', prints the source paths that exclusions remove. A folder has a '/' at the \
      end, and its contents are not listed.
      """,
      """
      With '--format json', prints one object a line for each file; see 'ba-package schema --for \
      \(DocumentName.evaluate.rawValue)', and '--for \(DocumentName.excluded.rawValue)' for \
      '--excluded'.
      """,
      """
      With '--format bazel', prints a file for 'load' with the labels of the selected files, \
      relative to the current folder, which must be that of the BUILD file.
      """,
    ],
    [manifest] + ManifestOptions.sources + ProjectOptions.all + FindingOptions.all
      + [excluded, declared, format],
    exclusive: [
      ProjectOptions.exclusive, ManifestOptions.exclusiveSources, [excluded, declared],
    ],
    dependent: ManifestOptions.dependentSources,
    examples: [
      Term("ba-package evaluate Manifest.json", "List the files of the pack."),
      Term("ba-package evaluate Manifest.json --excluded", "List the excluded files."),
      Term("ba-package evaluate Manifest.json --format json", "List the files for a script."),
      Term("ba-package evaluate --format bazel", "Print the sources for Bazel."),
    ],
    topics: ["selectors"])

  private let input: ManifestOptions
  private let output: Output

  init(_ arguments: ParsedArguments) throws(UsageError) {
    var input = ManifestOptions(arguments, operands: arguments[Self.manifest].map { [$0] } ?? [])
    FindingOptions.add(to: &input.project.settings, arguments)
    self.input = input
    let declared = arguments[Self.declared]
    switch arguments[Self.format] {
    case .text: output = Self.output(.text, isOfExcluded: arguments[Self.excluded], declared)
    case .json:
      if declared != nil { throw .withoutEffect(Self.format, beside: "--declared") }
      output = Self.output(.json, isOfExcluded: arguments[Self.excluded], nil)
    case .bazel:
      let others: [any TypedParameter] = [Self.excluded, Self.declared, ManifestOptions.filesFrom]
      if let other = others.first(where: { arguments.isGiven($0) }) {
        throw .withoutEffect(other, beside: "--format bazel")
      }
      output = .bazel
    }
  }

  private static func output(
    _ format: ReportFormat, isOfExcluded: Bool, _ declared: String?
  ) -> Output {
    if let declared { return .difference(from: declared) }
    return isOfExcluded ? .excluded(format) : .files(format)
  }

  func run(_ console: Console) throws(PackError) -> ExitStatus {
    guard let opened = try self.input.selections(console, otherwise: "No manifest was evaluated")
    else {
      return .failed
    }
    let input = opened.input
    var packs = opened.packs
    switch output {
    case .files(let format): try packs.forEach { write($0, format, on: console) }
    case .excluded(let format):
      packs.listsExcluded = true
      try packs.forEach { writeExcluded($0, format, on: console) }
    case .bazel:
      var sources = try BazelSources()
      try packs.forEach { (pack) throws(PackError) in try sources.add(pack) }
      if !packs.failed { console.result(text: sources.text) }
    case .difference(let list):
      let list = try input.fileList(at: list, console)
      console.report(list.findings, as: .text)
      if list.findings.hasErrors { return .failed }
      var selected: Set<FilePath> = []
      try packs.forEach { pack in
        for index in pack.selection.indices where pack.selection.isFile(at: index) {
          selected.insert(FilePath(pack.selection.sourceBytes(at: index)))
        }
      }
      guard !packs.failed, isEqual(list, to: selected, console) else { return .failed }
    }
    return packs.failed ? .failed : .done
  }

  /// Returns whether a list has exactly the selected files; prints the difference.
  private func isEqual(
    _ list: FileList, to selected: Set<FilePath>, _ console: Console
  ) -> Bool {
    let declared = Set(list.destinations.map { FilePath($0.bytes) })
    let lines =
      selected.subtracting(declared).map { ($0, "+") }
      + declared.subtracting(selected).map { ($0, "-") }
    for (path, sign) in lines.sorted(by: { $0.0.bytes.lexicographicallyPrecedes($1.0.bytes) }) {
      console.result(path: (Array("\(sign) ".utf8) + path.bytes)[...])
    }
    guard !lines.isEmpty else { return true }
    let missing = lines.count { $0.1 == "+" }
    console.error(
      PackError(
        .conflict,
        "the declared files are not the selected files: \(missing) missing (+), "
          + "\(lines.count - missing) not selected (-)",
        remedy: "'ba-package evaluate --format bazel' prints the files to declare"))
    return false
  }

  /// Prints the selected files.
  ///
  /// Lines are collected, because a separate write for each line takes longer than finding the
  /// files.
  private func write(_ pack: SelectedPack, _ format: ReportFormat, on console: Console) {
    let selectors = pack.document.fileSelectors.enumerated().map(ListedSelector.init)
    let piece = 64 << 10
    var text: [UInt8] = []
    for index in pack.selection.filesByPath() {
      switch format {
      case .text: text += pack.selection.pathInContents(at: index).bytes
      case .json:
        let entry = pack.selection[index]
        let file = SelectedFile(entry: entry, selector: entry.selector.map { selectors[$0] })
        text += SelectedFile.table.bytes(of: file, .compact)
      }
      text.append(UInt8(ascii: "\n"))
      if text.count >= piece {
        console.result(text: String(decoding: text, as: UTF8.self))
        text.removeAll(keepingCapacity: true)
      }
    }
    console.result(text: String(decoding: text, as: UTF8.self))
  }

  /// Prints the excluded files: in JSON, a path once for each selector that selected it; in text,
  /// only once.
  private func writeExcluded(
    _ pack: SelectedPack, _ format: ReportFormat, on console: Console
  ) {
    let selectors = pack.document.fileSelectors.enumerated().map(ListedSelector.init)
    var last: [UInt8]?
    for item in pack.excluded.sorted(by: Self.precedes) {
      switch format {
      case .text:
        let line = item.source.bytes + (item.isFolder ? Array("/\n".utf8) : Array("\n".utf8))
        if line != last { console.result(bytes: line) }
        last = line
      case .json:
        let file = ExcludedFile(
          item: item, selector: selectors[item.selector],
          exclusions: item.exclusions.map { selectors[$0] })
        console.result(json: file)
      }
    }
  }

  private static func precedes(_ left: Selection.Excluded, _ right: Selection.Excluded) -> Bool {
    if left.source == right.source { return left.selector < right.selector }
    return left.source.bytes.lexicographicallyPrecedes(right.source.bytes)
  }
}

// MARK: - JSON

/// A line of the result: a selected file.
struct SelectedFile: Described {
  let entry: Selection.Entry
  let selector: ListedSelector?

  static let table = Table<Self>(written: "a file") {
    Key("path", written: \.entry.destination.text, .text, "The path in the pack.")
    Key(
      "source", written: { $0.entry.source?.text ?? "" }, .text, "The path below the source root.")
    Key("size", written: \.entry.size, .bytes, "The size of the file in bytes.")
    Key(
      "selector", written: \.selector, .nullable(.listed),
      "The selector that selected the file; null if no selector names it.")
  }
}

/// A line of the result with `--excluded`: an excluded file or folder.
struct ExcludedFile: Described {
  let item: Selection.Excluded
  let selector: ListedSelector
  let exclusions: [ListedSelector]

  static let table = Table<Self>(written: "an excluded file") {
    Key("source", written: \.item.source.text, .text, "The path below the source root.")
    Key("isFolder", written: \.item.isFolder, .flag, "Whether it is a folder with all its files.")
    Key("selector", written: \.selector, .listed, "The selector that selected it.")
    Key("exclusions", written: \.exclusions, .list(of: .listed), "The exclusions that match it.")
  }
}
