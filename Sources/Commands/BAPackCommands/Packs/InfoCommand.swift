import Arguments
import BAPackKit
import SourceDiagnostics
import TerminalText

/// `info`: prints the properties of packs and their compression.
struct InfoCommand: Subcommand {
  static let definition = Command(
    "info", overview: "Show the manifest and the sizes of a pack.",
    discussion: [
      """
      Shows the manifest, the container, the number of blocks, stored and unpacked sizes, and the \
      compression of each kind of file.
      """,
      """
      Small files share blocks, so the size of a kind of file is its share of the blocks. A kind \
      whose files are mostly in blocks with other kinds has no percentage.
      """,
      """
      With '--format json', prints one object, or one object a line for several packs; see \
      'ba-package schema --for \(DocumentName.info.rawValue)'.
      """,
    ],
    [PackInput.projectPaths] + ProjectOptions.all + [ReportFormat.option, MemoryOption.option],
    exclusive: [ProjectOptions.exclusive],
    examples: [
      Term("ba-package info Tutorial.aar", "Show a pack before its upload."),
      Term("ba-package info build/packs", "Show all packs in a folder."),
    ])

  private let operands: [String]
  private let input: ManifestOptions
  private let memory: UInt64
  private let format: ReportFormat

  init(_ arguments: ParsedArguments) throws(UsageError) {
    operands = arguments[PackInput.projectPaths]
    input = ManifestOptions(arguments, operands: operands)
    memory = UInt64(arguments[MemoryOption.option])
    format = arguments[ReportFormat.option]
  }

  func run(_ console: Console) throws(PackError) -> ExitStatus {
    let outcome = "No packs were shown"
    guard let packs = try PackInput.packs(operands, input, console, otherwise: outcome) else {
      return .failed
    }
    var status = ExitStatus.done
    var isFirst = true
    for pack in packs {
      let isWhole = try console.attempt { () throws(PackError) in
        try show(pack, isFirst: isFirst, isAlone: packs.count == 1, console)
      }
      if isWhole == nil { status = .failed } else { isFirst = false }
      if isWhole == false { status = .failed }
    }
    return status
  }

  /// Shows one pack; returns false if it could not be read completely.
  private func show(
    _ path: String, isFirst: Bool, isAlone: Bool, _ console: Console
  ) throws(PackError) -> Bool {
    let pack = try PackInspection(of: path, memory: memory)
    guard pack.hasContents else {
      throw pack.error
        ?? PackError.notAnAssetPack(path, entries: pack.entryCount)
    }
    switch format {
    case .text:
      console.result(
        text: (isFirst ? "" : "\n") + (isAlone ? "" : "\(shown(path)):\n") + pack.text)
    case .json:
      let report = InfoResult.table.value(of: InfoResult(path: path, pack: pack))
      console.result(
        text: isAlone ? JSONWriter.string(report) : JSONWriter.string(report, .compact) + "\n")
    }
    guard let trouble = pack.error else { return true }
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
        ("Blocks", "\(blocks.count): \(blocks.compressed) compressed, \(stored) uncompressed")
      )
      rows.append(("Decoded", exact(blocks.decodedSize)))
      rows.append(
        ("Stored", exact(blocks.storedSize) + ratio(blocks.storedSize, blocks.decodedSize)))
    } else {
      rows.append(("Container", "none"))
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
      return [("Manifest", "invalid; 'ba-package verify' reports the errors")]
    }
    return manifest.lines
  }

  /// A line for each group of files: the number of files, their size, and their share of the pack.
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
  /// The compression as text.
  fileprivate var verdict: String {
    guard size > 0 else { return "" }
    if uncompressedSize == size { return "incompressible" }
    let percent = Int((Double(storedSize) / Double(size) * 100).rounded())
    let rest = uncompressedSize > 0 ? ", \(Quantity.bytes(uncompressedSize)) incompressible" : ""
    return (isInSharedBlocks ? "in shared blocks" : "\(percent) %") + rest
  }
}

// MARK: - JSON

/// The result for one pack.
struct InfoResult: Described {
  let path: String
  let pack: PackInspection

  static let table = Table<Self>(written: "a pack") {
    Key("path", written: \.path, .text, "The path of the archive.")
    Key("fileSize", written: \.pack.fileSize, .bytes, "The size of the archive in bytes.")
    Key(
      "container", written: \.pack.container, .nullable(.object(container)),
      "The container; null if the archive has none.")
    Key("blocks", written: \.pack.blocks, .object(blocks), "The blocks of the container.")
    Key("entries", written: \.pack, .object(entries), "The entries of the archive.")
    Key(
      "groups", written: \.pack.groups, .list(of: .object(group)),
      "The files by the suffix of their names, the largest group first.")
    Key(
      "manifest", written: \.pack.manifest?.manifest?.archivedValue, .nullable(.anything),
      "The manifest; null if it cannot be read.")
    Key(
      "problem", written: \.pack.error?.message, .nullable(.text),
      "The error at the end of the archive; null if it can be read.")
  }

  private static let container = Table<PackContainer>(written: "a container") {
    Key("compression", written: \.compression, .text, "The compression of the blocks.")
    Key("blockSize", written: \.blockSize, .bytes, "The size of a decoded block in bytes.")
  }

  private static let blocks = Table<PackInspection.Blocks>(written: "blocks") {
    Key("count", written: \.count, .count, "The number of blocks.")
    Key("compressed", written: \.compressed, .count, "The number of compressed blocks.")
    Key("decodedSize", written: \.decodedSize, .bytes, "The decoded size of all blocks in bytes.")
    Key("storedSize", written: \.storedSize, .bytes, "The size of all blocks in the archive.")
  }

  private static let entries = Table<PackInspection>(written: "entries") {
    Key("count", written: \.entryCount, .count, "The number of entries.")
    Key("files", written: \.fileCount, .count, "The number of files.")
    Key("directories", written: \.directoryCount, .count, "The number of folders.")
    Key("contentSize", written: \.contentSize, .bytes, "The size of these files in bytes.")
  }

  private static let group = Table<PackInspection.Group>(written: "a group of files") {
    Key("suffix", written: \.suffix, .text, "The suffix of their names.")
    Key("files", written: \.fileCount, .count, "The number of files.")
    Key("size", written: \.size, .bytes, "The size of the files in bytes.")
    Key("storedSize", written: \.storedSize, .bytes, "Their share of the archive in bytes.")
    Key(
      "uncompressedSize", written: \.uncompressedSize, .bytes,
      "Their bytes in blocks without compression.")
    Key("sharedSize", written: \.sharedSize, .bytes, "Their bytes in blocks with other groups.")
  }
}
