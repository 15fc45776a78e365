import Arguments
import BAPackKit
import SourceDiagnostics
import SystemIO

/// `evaluate`: prints the files that a manifest selects, as the app will see them.
struct EvaluateCommand: Subcommand {
  private static let manifest = Argument(
    "manifest", .file(), elsewhere: ProjectOptions.hint,
    "The manifest to read; '-' reads standard input. Without one, those of the project file.")

  private static let excluded = Flag(
    "excluded", "Print what exclusions drop, instead of what is selected.")

  static let definition = Command(
    "evaluate", overview: "Prints the path of each selected file as the app will see it.",
    discussion: [
      """
      One path a line, sorted by bytes. With '--format json' each line is an object: 'path', \
      'source' (the path below the source root), 'size' in bytes, and 'selector', which holds the \
      'index' of the selector that chose the file beside its own keys.
      """,
      """
      With '--excluded' it prints the source paths that exclusions drop instead, a folder with a '/' \
      behind it and without what is in it; as JSON 'source', 'isFolder', 'selector', and \
      'exclusions', the selectors that dropped it.
      """,
    ],
    [manifest, ManifestInput.sourceRoot, excluded, ReportFormat.option] + ProjectOptions.all,
    exclusive: [ProjectOptions.exclusive],
    examples: [
      Term("ba-package evaluate Manifest.json", "See what would be packed."),
      Term("ba-package evaluate Manifest.json --format json", "The same for a script."),
      Term("ba-package evaluate Manifest.json --excluded", "See what would be left out."),
    ])

  private let input: ManifestInput
  private let listsExcluded: Bool
  private let format: ReportFormat

  init(_ arguments: ParsedArguments) throws(UsageError) {
    input = ManifestInput(arguments, operands: arguments[Self.manifest].map { [$0] } ?? [])
    listsExcluded = arguments[Self.excluded]
    format = arguments[ReportFormat.option]
  }

  func run(_ console: Console) throws(PackError) -> ExitStatus {
    guard let input = try input.opened(console, otherwise: "Nothing was evaluated") else {
      return .failed
    }
    var status = ExitStatus.done
    let project = try input.project(input.paths, console)
    for input in project.inputs(saying: console) {
      if try evaluate(project.document(of: input, console.work), project, console) != .done {
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
    guard !pack.hasErrors else { return .failed }
    let selectors = document.fileSelectors.enumerated().map(Self.object)
    if listsExcluded {
      writeExcluded(pack, selectors, on: console)
    } else {
      write(pack, selectors, on: console)
    }
    return .done
  }

  /// Written in large pieces: writing each line would take longer than finding the files.
  private func write(_ pack: SelectedPack, _ selectors: [JSONValue], on console: Console) {
    let piece = 64 << 10
    var text: [UInt8] = []
    for index in pack.selection.filesByPath() {
      switch format {
      case .text: text += pack.selection.pathInContents(at: index).bytes
      case .json: text += JSONWriter.bytes(Self.object(pack.selection[index], selectors), .compact)
      }
      text.append(UInt8(ascii: "\n"))
      if text.count >= piece {
        console.result(text: String(decoding: text, as: UTF8.self))
        text.removeAll(keepingCapacity: true)
      }
    }
    console.result(text: String(decoding: text, as: UTF8.self))
  }

  /// In JSON, each path once for each selector that excludes it; in text, only once.
  private func writeExcluded(
    _ pack: SelectedPack, _ selectors: [JSONValue], on console: Console
  ) {
    var last: [UInt8]?
    for item in pack.excluded.sorted(by: Self.precedes) {
      switch format {
      case .text:
        let line = item.source.bytes + (item.isFolder ? Array("/\n".utf8) : Array("\n".utf8))
        if line != last { console.result(bytes: line) }
        last = line
      case .json:
        console.result(
          JSONWriter.string(
            .object([
              .init("source", .string(item.source.text)),
              .init("isFolder", .bool(item.isFolder)), .init("selector", selectors[item.selector]),
              .init("exclusions", .array(item.exclusions.map { selectors[$0] })),
            ]), .compact))
      }
    }
  }

  private static func precedes(_ left: Selection.Excluded, _ right: Selection.Excluded) -> Bool {
    if left.source == right.source { return left.selector < right.selector }
    return left.source.bytes.lexicographicallyPrecedes(right.source.bytes)
  }

  private static func object(_ entry: Selection.Entry, _ selectors: [JSONValue]) -> JSONValue {
    .object([
      .init("path", .string(entry.destination.text)),
      .init("source", .string(entry.source?.text ?? "")),
      .init("size", .number(String(entry.size))),
      .init("selector", entry.selector.map { selectors[$0] } ?? .null),
    ])
  }

  private static func object(_ index: Int, _ selector: FileSelector) -> JSONValue {
    .object([.init("index", .number(String(index)))] + selector.jsonMembers)
  }
}
