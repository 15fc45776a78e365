import Arguments
import BAPackKit
import SourceDiagnostics

/// `evaluate`: the files that a manifest selects, as the app will see them.
struct EvaluateCommand: Subcommand {
  private static let manifest = Argument(
    "manifest", .file(), "The manifest to read; '-' reads standard input.")

  static let definition = Command(
    "evaluate", overview: "Prints the path of each selected file as the app will see it.",
    discussion: [
      """
      One path a line, sorted by bytes. With '--format json' each line is an object: 'path', \
      'source' (the path below the source root), 'size' in bytes, and 'selector', which holds the \
      'index' of the selector that chose the file beside its own keys.
      """
    ],
    [manifest, ManifestInput.sourceRoot, ReportFormat.option],
    examples: [
      Term("ba-package evaluate Manifest.json", "See what would be packed."),
      Term("ba-package evaluate Manifest.json --format json", "The same for a script."),
    ])

  private let path: String
  private let input: ManifestInput
  private let format: ReportFormat

  init(_ arguments: ParsedArguments) throws(UsageError) {
    path = arguments[Self.manifest] ?? "-"
    input = ManifestInput(arguments)
    format = arguments[ReportFormat.option]
  }

  func run(_ console: Console) throws(PackError) -> ExitStatus {
    var status = ExitStatus.done
    for path in input.expanded([path], console) {
      if try evaluate(path, console) != .done { status = .failed }
    }
    return status
  }

  private func evaluate(_ path: String, _ console: Console) throws(PackError) -> ExitStatus {
    let document = try input.read(path, console)
    let pack = try SelectedPack(
      document, sourceRoot: input.sourceRoot, readingContents: false)
    console.report([Findings(document.source, pack.allDiagnostics)], as: .text)
    guard !pack.hasErrors else { return .failed }
    write(pack, on: console)
    return .done
  }

  /// In pieces, since a line at a time costs more than finding the files.
  private func write(_ pack: SelectedPack, on console: Console) {
    let piece = 64 << 10
    var text: [UInt8] = []
    let selectors = pack.document.fileSelectors.enumerated().map(Self.object)
    for index in pack.selection.filesByPath() {
      switch format {
      case .text: text += pack.selection.destinationBytes(at: index)
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

  private static func object(_ entry: Selection.Entry, _ selectors: [JSONValue]) -> JSONValue {
    .object([
      .init("path", .string(entry.destination)), .init("source", .string(entry.source ?? "")),
      .init("size", .number(String(entry.size))),
      .init("selector", entry.selector.map { selectors[$0] } ?? .null),
    ])
  }

  private static func object(_ index: Int, _ selector: FileSelector) -> JSONValue {
    let keys: [(String, String)] =
      switch selector {
      case .file(let path): [("file", path)]
      case .directory(let path): [("directory", path)]
      case .filePattern(let text): [("filePattern", text)]
      case .renamedFile(let source, let destination):
        [("fileSource", source), ("fileDestination", destination)]
      case .renamedDirectory(let source, let destination):
        [("directorySource", source), ("directoryDestination", destination)]
      case .exclusion(let text): [("fileExclusion", text)]
      }
    return .object(
      [.init("index", .number(String(index)))] + keys.map { .init($0.0, .string($0.1)) })
  }
}
