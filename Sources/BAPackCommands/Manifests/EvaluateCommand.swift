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
    ],
    [manifest, ManifestInput.sourceRoot] + ProjectOptions.all + FindingOptions.all
      + [excluded, ReportFormat.option],
    exclusive: [ProjectOptions.exclusive],
    examples: [
      Term("ba-package evaluate Manifest.json", "List the files of the pack."),
      Term("ba-package evaluate Manifest.json --excluded", "List the excluded files."),
      Term("ba-package evaluate Manifest.json --format json", "List the files for a script."),
    ],
    topics: ["selectors"])

  private var input: ManifestInput
  private let listsExcluded: Bool
  private let format: ReportFormat

  init(_ arguments: ParsedArguments) throws(UsageError) {
    input = ManifestInput(arguments, operands: arguments[Self.manifest].map { [$0] } ?? [])
    FindingOptions.add(to: &input.run.settings, arguments)
    listsExcluded = arguments[Self.excluded]
    format = arguments[ReportFormat.option]
  }

  func run(_ console: Console) throws(PackError) -> ExitStatus {
    guard let input = try input.opened(console, otherwise: "No manifest was evaluated") else {
      return .failed
    }
    var status = ExitStatus.done
    let project = try input.project(input.paths, console)
    for input in project.inputs(saying: console) {
      let document = try project.following(project.document(of: input, console.work))
      if try evaluate(document, project, console) != .done {
        status = .failed
      }
    }
    return status
  }

  private func evaluate(
    _ document: ManifestDocument, _ project: Project, _ console: Console
  ) throws(PackError) -> ExitStatus {
    let pack = try SelectedPack(
      document, sourceRoot: project.sourceRoot?.text, defaultRoot: project.defaultSourceRoot.text,
      readingContents: false, listingExcluded: listsExcluded, console.work)
    console.report(pack.allFindings, as: .text)
    console.report(off: pack.allFindings)
    guard !pack.hasErrors else { return .failed }
    let selectors = document.fileSelectors.enumerated().map(ListedSelector.init)
    if listsExcluded {
      writeExcluded(pack, selectors, on: console)
    } else {
      write(pack, selectors, on: console)
    }
    return .done
  }

  /// Prints the selected files.
  ///
  /// Lines are collected, because a separate write for each line takes longer than finding the
  /// files.
  private func write(_ pack: SelectedPack, _ selectors: [ListedSelector], on console: Console) {
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
    _ pack: SelectedPack, _ selectors: [ListedSelector], on console: Console
  ) {
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
        console.result(JSONWriter.string(ExcludedFile.table.value(of: file), .compact))
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

/// A selector of a manifest with its index.
struct ListedSelector: Sendable {
  private let index: Int
  private let members: [JSONValue.Member]
  /// The JSON object, which is created once for all files of the selector.
  fileprivate private(set) var value = JSONValue.null

  init(index: Int, _ selector: FileSelector) {
    self.index = index
    members = selector.jsonMembers
    value = Self.table.value(of: self)
  }

  static let table = Table<Self>(written: "a selector") {
    Key("index", written: \.index, .count, "The index of the selector in the manifest, from 0.")
    Key(members: SelectorKind.shapes.joined().map(\.asOptional)) { $1 += $0.members }
  }
}

extension Form<ListedSelector> {
  fileprivate static var listed: Form {
    Form(.record(ListedSelector.table.record), write: \.value, reading: nil)
  }
}
