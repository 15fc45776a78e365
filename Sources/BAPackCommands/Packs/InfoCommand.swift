import Arguments
import BAPackKit
import SourceDiagnostics
import TerminalText

/// `info`: prints what a pack is, and how well it is compressed.
struct InfoCommand: Subcommand {
  static let definition = Command(
    "info",
    overview: "Shows a pack's manifest, its container, and what compressed and what did not.",
    discussion: [
      """
      Small files share blocks, so what a kind of file takes is its share of them. A kind whose files are \
      mostly in blocks with other kinds has no percentage. With '--format \
      json', one object: 'path', 'fileSize', 'container', 'blocks', 'entries', 'groups' and \
      'manifest'; with several packs, one object a line.
      """
    ],
    [PackInput.projectPaths, MemoryOption.option, ReportFormat.option] + ProjectOptions.all,
    exclusive: [ProjectOptions.exclusive],
    examples: [
      Term("ba-package info Tutorial.aar", "Inspect a pack before uploading it."),
      Term("ba-package info build/packs", "See the same of all packs in a folder."),
    ])

  private var packs: [String]
  private let input: ManifestInput
  private let memory: UInt64
  private let format: ReportFormat

  init(_ arguments: ParsedArguments) throws(UsageError) {
    packs = arguments[PackInput.projectPaths]
    input = ManifestInput(arguments, operands: packs)
    memory = UInt64(arguments[MemoryOption.option])
    format = arguments[ReportFormat.option]
  }

  func run(_ console: Console) throws(PackError) -> ExitStatus {
    let nothing = "Nothing was shown"
    guard let found = try PackInput.packs(packs, input, console, otherwise: nothing) else {
      return .failed
    }
    var command = self
    command.packs = found
    return try command.show(console)
  }

  private func show(_ console: Console) throws(PackError) -> ExitStatus {
    var status = ExitStatus.done
    var isFirst = true
    for pack in packs {
      let isWhole = try console.attempt { () throws(PackError) in
        try show(pack, isFirst: isFirst, console)
      }
      if isWhole == nil { status = .failed } else { isFirst = false }
      if isWhole == false { status = .failed }
    }
    return status
  }

  /// Shows one pack; false if it could not be read to its end.
  private func show(
    _ path: String, isFirst: Bool, _ console: Console
  ) throws(PackError) -> Bool {
    let pack = try PackInspection(of: path, memory: memory)
    guard pack.hasContents else {
      throw pack.trouble
        ?? PackError.notAnAssetPack(path, entries: pack.entryCount)
    }
    let isAlone = packs.count == 1
    switch format {
    case .text:
      console.result(
        text: (isFirst ? "" : "\n") + (isAlone ? "" : "\(shown(path)):\n") + pack.text)
    case .json:
      let report = pack.report(path: path)
      console.result(
        text: isAlone ? JSONWriter.string(report) : JSONWriter.string(report, .compact) + "\n")
    }
    guard let trouble = pack.trouble else { return true }
    console.error(trouble)
    return false
  }
}

// MARK: - Text

extension PackInspection {
  fileprivate var text: String {
    var rows = manifestRows
    rows.append(("File", exact(fileSize)))
    if let container {
      let name = container.compression == "none" ? "no compression" : container.compression
      rows.append(("Container", "\(name), blocks of \(blockSize(container.blockSize))"))
      let stored = blocks.count - blocks.compressed
      rows.append(
        ("Blocks", "\(blocks.count): \(blocks.compressed) compressed, \(stored) stored as they are")
      )
      rows.append(("Decoded", exact(blocks.decodedSize)))
      rows.append(
        ("Stored", exact(blocks.storedSize) + ratio(blocks.storedSize, blocks.decodedSize)))
    } else {
      rows.append(("Container", "none: the archive stands alone"))
    }
    rows.append(
      (
        "Contents",
        "\(Quantity.count(fileCount, "file")), \(Quantity.count(directoryCount, "folder")), "
          + exact(contentSize)
      ))
    let lines = rows.map { $0.0.padded(to: 12) + $0.1 }
    return (lines + groupLines).joined(separator: "\n") + "\n"
  }

  private var manifestRows: [(title: String, text: String)] {
    guard let document = manifest else { return [("Manifest", "none")] }
    guard let manifest = document.manifest else {
      return [("Manifest", "invalid; 'ba-package verify' says why")]
    }
    return manifest.lines
  }

  /// A line for each kind of file: the number of files, their size, and how much of the pack they
  /// take.
  private var groupLines: [String] {
    guard !groups.isEmpty else { return [] }
    var table = TextTable([.left, .right, .right, .right])
    table.add("Kind", "Files", "Size", "In the pack", "")
    for group in groups {
      let kind = group.suffix.isEmpty ? "(none)" : group.suffix
      table.add(
        kind, "\(group.fileCount)", Quantity.bytes(group.size), Quantity.bytes(group.storedSize),
        group.verdict)
    }
    return [""] + table.lines
  }

  private func exact(_ bytes: UInt64) -> String {
    bytes < 1000 ? Quantity.bytes(bytes) : "\(Quantity.bytes(bytes)) (\(bytes) bytes)"
  }

  private func ratio(_ part: UInt64, _ whole: UInt64) -> String {
    whole == 0 ? "" : ", \(Int((Double(part) / Double(whole) * 100).rounded())) %"
  }

  private func blockSize(_ size: UInt64) -> String {
    for (unit, name) in [(UInt64(1) << 20, "MiB"), (1 << 10, "KiB")] where size % unit == 0 {
      return "\(size / unit) \(name)"
    }
    return Quantity.bytes(size)
  }
}

extension PackInspection.Group {
  /// How well it is compressed, in words.
  fileprivate var verdict: String {
    guard size > 0 else { return "" }
    if uncompressedSize == size { return "did not compress" }
    let percent = Int((Double(storedSize) / Double(size) * 100).rounded())
    let rest = uncompressedSize > 0 ? ", \(Quantity.bytes(uncompressedSize)) did not compress" : ""
    return (isInSharedBlocks ? "in shared blocks" : "\(percent) %") + rest
  }
}

// MARK: - JSON

extension PackInspection {
  fileprivate func report(path: String) -> JSONValue {
    func number(_ value: some BinaryInteger) -> JSONValue { .number("\(value)") }
    let container: JSONValue =
      container.map {
        .object([
          .init("compression", .string($0.compression)), .init("blockSize", number($0.blockSize)),
        ])
      } ?? .null
    let groups = groups.map { group in
      JSONValue.object([
        .init("suffix", .string(group.suffix)), .init("files", number(group.fileCount)),
        .init("size", number(group.size)), .init("storedSize", number(group.storedSize)),
        .init("uncompressedSize", number(group.uncompressedSize)),
        .init("sharedSize", number(group.sharedSize)),
      ])
    }
    return .object([
      .init("path", .string(path)), .init("fileSize", number(fileSize)),
      .init("container", container),
      .init(
        "blocks",
        .object([
          .init("count", number(blocks.count)), .init("compressed", number(blocks.compressed)),
          .init("decodedSize", number(blocks.decodedSize)),
          .init("storedSize", number(blocks.storedSize)),
        ])),
      .init(
        "entries",
        .object([
          .init("count", number(entryCount)), .init("files", number(fileCount)),
          .init("directories", number(directoryCount)), .init("contentSize", number(contentSize)),
        ])),
      .init("groups", .array(groups)),
      .init("manifest", manifest?.manifest?.archivedValue ?? .null),
      .init("problem", trouble.map { .string($0.message) } ?? .null),
    ])
  }
}
