import Arguments
import BAPackKit
import Reporting
import SourceDiagnostics
import SystemIO
import TerminalText

/// `list`: prints the files in packs.
struct ListCommand: Subcommand {
  private static let pack = Argument(
    "pack", .file("aar"), elsewhere: ProjectOptions.hint,
    "A pack, folder, ID or quoted pattern (default: the packs of the project).",
    details: "A pattern is 'build/*.aar' for files, or 'voices-*' for IDs in the project.")
  private static let paths = ArgumentList(
    "path", .file("aar"), isRequired: false,
    "More packs, or files, folders or quoted patterns in the packs (default: all files).",
    details: "Packs end in '.aar', are folders of packs, or are IDs of the project.")
  private static let sort = Option<Order>(
    "sort", .choice, called: "key", in: .output, "Sort files by size (largest first) or by name.")
  private static let find = Option(
    "find",
    ValueType<PathPattern> { word throws(InvalidValue) in
      guard !word.isEmpty, let pattern = try? PathPattern(forExclusion: word) else {
        throw InvalidValue(
          "expected a pattern, such as 'Levels/*'; write '\\[' for the character '['")
      }
      return pattern
    }, called: "pattern", in: .input, "List only matching files, for example '**/*.png'.",
    details: "A pattern without '/' matches names at any depth."
  )
  private static let duplicates = Flag(
    "duplicates", in: .output, "List contents that occur more than once in all packs.")
  private static let long = Flag(
    "long", short: "l", in: .output, "Show type, permissions, size and time.")
  private static let digests = Flag(
    "digests", in: .output, "Show the SHA-256 digest of each file.",
    details: "The format is that of sha256sum.")
  private static let all = Flag(
    "all", in: .output, "List all entries, folders and the manifest included.")

  static let definition = Command(
    "list", aliases: ["ls"], overview: "List the files in asset packs.",
    discussion: [
      """
      Prints one path a line, as the app sees it.
      """,
      """
      With '--digests', a comment with the ID precedes the files of each pack; 'sha256sum -c' \
      ignores it. A list of some files has another comment, or '\(DigestList.partKey)' in JSON. \
      'diff' does not accept such a list.
      """,
      """
      With '--duplicates', the files that waste most bytes are first.
      """,
      """
      With '--format json', prints one object a line; see 'ba-package schema --for \
      \(DocumentName.list.rawValue)', and '--for \(DocumentName.duplicates.rawValue)' for \
      '--duplicates'. In a name that is not UTF-8, the invalid bytes are written as '\\xFF', and a \
      member with 'Base64' in its name has the exact bytes.
      """,
    ],
    [pack, paths, find] + ProjectOptions.all
      + [long, digests, all, sort, duplicates, ReportFormat.option, PackInput.threads]
      + [MemoryOption.option],
    exclusive: [
      [duplicates, long], [duplicates, digests], [duplicates, all], [duplicates, sort],
      [duplicates, find], ProjectOptions.exclusive,
    ],
    examples: [
      Term("ba-package list Tutorial.aar", "List the files of a pack."),
      Term("ba-package list build/packs --find 'Levels/*'", "Find the packs with a file."),
      Term("ba-package list Tutorial.aar Levels", "List the files of a folder in a pack."),
      Term("ba-package list build/packs --duplicates", "Find files that are in several packs."),
      Term("ba-package list Tutorial.aar --long --sort size", "List the largest files first."),
      Term("ba-package list --all --long Tutorial.aar", "List all entries with their attributes."),
      Term("ba-package list --digests Tutorial.aar", "Print a list for 'sha256sum -c'."),
    ])

  /// The order of the files of a pack.
  enum Order: String, Sendable, CaseIterable {
    case size, name
  }

  /// The packs, and the paths in them.
  private let words: [String]
  private let input: ManifestOptions
  private let order: Order?
  private let pattern: PathPattern?
  private let showsDuplicates: Bool
  private let isLong: Bool
  private let showsDigests: Bool
  private let showsAll: Bool
  private let threads: Int
  private let memory: UInt64
  private let format: ReportFormat

  init(_ arguments: ParsedArguments) throws(UsageError) {
    words = (arguments[Self.pack].map { [$0] } ?? []) + arguments[Self.paths]
    input = ManifestOptions(arguments, operands: [])
    order = arguments[Self.sort]
    pattern = arguments[Self.find]
    showsDuplicates = arguments[Self.duplicates]
    isLong = arguments[Self.long]
    showsDigests = arguments[Self.digests]
    showsAll = arguments[Self.all]
    threads =
      showsDigests || showsDuplicates
      ? arguments[PackInput.threads] ?? ProcessState.processorCount : 1
    memory = UInt64(arguments[MemoryOption.option])
    format = arguments[ReportFormat.option]
    if isLong, format == .json { throw .withoutEffect(Self.long, beside: "--format json") }
    if arguments.isGiven(PackInput.threads), !showsDigests, !showsDuplicates {
      throw UsageError("'--threads' has no effect without '--digests' or '--duplicates'")
    }
  }

  /// Returns whether a word is a pack, or a pattern or a folder of packs.
  private static func isPack(_ word: String) -> Bool {
    if word.lowercased().hasSuffix(".aar") { return true }
    return PackInput.isFolder(word) && (try? ArchiveSearch.archives(in: word))?.isEmpty == false
  }

  /// Divides the words into packs and paths in them.
  ///
  /// The first word is a pack, except in a project: there, a path that does not exist in the file
  /// system, and is no ID, is one in the packs.
  private func divide(_ known: PackOperands) -> (packs: [String], paths: [String]) {
    var (packs, paths): ([String], [String]) = ([], [])
    for (index, word) in words.enumerated() {
      let isFirst = index == 0 && (input.project.place == nil || word.isPresent)
      if isFirst || Self.isPack(word) || !known.packs(called: word).isEmpty {
        packs.append(word)
      } else {
        paths.append(word)
      }
    }
    return (packs, paths)
  }

  func run(_ console: Console) throws(PackError) -> ExitStatus {
    let outcome = "No packs were listed"
    // The errors of a project file are reported if its packs are listed.
    let known = PackOperands(
      words.isEmpty ? nil : (try? input.opened(console)), for: words, console)
    let (operands, paths) = divide(known)
    if showsDuplicates, let path = paths.first {
      throw PackError(
        .conflict, "'--duplicates' compares whole packs; '\(path)' is not a pack",
        remedy: .argument("specify packs, or none for the packs of the project"))
    }
    guard let packs = try PackInput.packs(operands, known, input, console, otherwise: outcome)
    else { return .failed }
    return showsDuplicates
      ? try listDuplicates(in: packs, console) : try list(packs, ChosenPaths(paths), known, console)
  }

  private func list(
    _ packs: [String], _ chosen: ChosenPaths, _ known: PackOperands, _ console: Console
  ) throws(PackError) -> ExitStatus {
    var chosen = chosen
    let isPart = showsDigests && (!chosen.areAll || pattern != nil)
    var status = ExitStatus.done
    var titles = Titles(of: packs, format, hasPartComment: isPart && !isLong)
    var count = 0
    for pack in packs {
      let listed = try console.attempt { () throws(PackError) in
        try list(pack, &chosen, console, &titles)
      }
      if listed == nil { status = .failed }
      count += listed ?? 0
    }
    if pattern != nil, count == 0, status == .done {
      throw PackError(
        .missing, "no file in \(Quantity.count(packs.count, "pack")) matches the pattern",
        remedy: "'*' does not match '/'; 'Levels/**' matches all files below a folder")
    }
    // If a pack cannot be read, the missing files are unknown.
    guard status == .done, !chosen.missing.isEmpty else { return status }
    let near = chosen.missing.lazy.compactMap(known.nearest).first
    throw PackError.missing(
      chosen, in: packs, or: near.map { .advice("did you mean the pack '\($0)'?") })
  }

  /// Whether the lines are paths, in the order of the archive.
  private var isPlain: Bool { format == .text && !isLong && !showsDigests && order == nil }

  /// The line for the root of an archive.
  private static let root = Array(".".utf8)[...]

  /// Lists one pack; returns the number of lines.
  private func list(
    _ pack: String, _ chosen: inout ChosenPaths, _ console: Console, _ titles: inout Titles
  ) throws(PackError) -> Int {
    let source = try ByteSource(opening: pack)
    // The ID is needed before the first file is listed. Errors of the pack are reported by the
    // reader below.
    let id =
      showsDigests
      ? try? PackOutline(reading: source.second(), memory: memory, console.work).id : nil
    var reader = try PackReader(source, threads: threads, memory: memory)
    var count = 0
    var isAssetPack = showsAll
    var printed = 0
    var sorted: [(size: UInt64, path: [UInt8], line: [UInt8])] = []
    while let entry = try reader.nextEntry() {
      count += 1
      isAssetPack = isAssetPack || entry.isInContents
      guard let path = listedPath(of: entry), pattern?.matches(Array(path)) ?? true,
        chosen.markRequested(path)
      else { continue }
      if isPlain {
        printed += 1
        titles.begin(pack, id, console)
        console.result(path: path.isEmpty ? Self.root : path)
        continue
      }
      var digest: String?
      if showsDigests, entry.kind == .file {
        digest = hexadecimal(try reader.contentDigest(console.work))
      }
      let listed = ListedEntry(
        pack: pack, id: id, path: path, entry: entry, digest: digest,
        isPart: showsDigests && (!chosen.areAll || pattern != nil))
      guard let line = line(listed, console) else { continue }
      printed += 1
      if order != nil {
        sorted.append((entry.size ?? 0, Array(path), line))
      } else {
        titles.begin(pack, id, console)
        console.result(bytes: line + Self.lineEnd)
      }
    }
    guard isAssetPack else {
      throw PackError.notAnAssetPack(pack, entries: count)
    }
    sorted.sort {
      if order == .size, $0.size != $1.size { return $0.size > $1.size }
      return $0.path.lexicographicallyPrecedes($1.path)
    }
    for item in sorted {
      titles.begin(pack, id, console)
      console.result(bytes: item.line + Self.lineEnd)
    }
    if chosen.areAll, pattern == nil { titles.begin(pack, id, console) }
    return printed
  }

  /// Returns the line of an entry; nil if it is not in a list of digests.
  private func line(_ listed: ListedEntry, _ console: Console) -> [UInt8]? {
    switch format {
    case .json:
      let text = JSONWriter.string(ListedEntry.table.value(of: listed), .compact)
      return Array(restoringCharacters(in: text).utf8)
    case .text:
      let stored = listed.path.isEmpty ? Self.root : listed.path
      let path = console.named(stored)
      if isLong {
        let facts = [listed.entry.attributes, listed.digest].compactMap(\.self)
        return Array((facts + [""]).joined(separator: "  ").utf8) + path
      }
      guard showsDigests else { return path }
      // Such a line has its own escapes.
      let name = console.output.isTerminal ? path : Array(stored)
      return listed.digest.map { checksumLine($0, name) }
    }
  }

  private static let lineEnd: [UInt8] = [UInt8(ascii: "\n")]

  /// Lists the files with equal contents, the largest waste of space first.
  private func listDuplicates(
    in packs: [String], _ console: Console
  ) throws(PackError) -> ExitStatus {
    let outlines = try PackOutline.read(
      packs, .digests, memory: memory, threads: threads, console.work)
    let inventory = Inventory("", outlines.map(InventoryPack.init))
    let groups = Duplicate.all(in: inventory).sorted {
      ($0.size * UInt64($0.copies.count - 1)) > ($1.size * UInt64($1.copies.count - 1))
    }
    for group in groups {
      let files = group.copies.map { place in
        let contents = inventory.packs[place.pack].contents
        return (
          pack: inventory.packs[place.pack].place,
          path: contents?[place.file] ?? AssetPath(unchecked: [])
        )
      }
      let result = EqualFiles(digest: group.digest, size: group.size, files: files)
      console.result(result, as: format) {
        console.result("\(files.count) equal files of \(Quantity.bytes(group.size)):")
        for file in files {
          console.result(
            bytes: Array("  ".utf8) + console.named(FilePath(file.pack).bytes) + Array(": ".utf8)
              + console.named(file.path.bytes) + Self.lineEnd)
        }
      }
    }
    let wasted = groups.reduce(UInt64(0)) { sum, group in
      sum.addingReportingOverflow(group.size * UInt64(group.copies.count - 1)).partialValue
    }
    console.summary(
      groups.isEmpty
        ? "No file has a duplicate."
        : "\(Quantity.count(groups.count, "file")) with duplicates; the duplicates have "
          + Quantity.bytes(wasted))
    return .done
  }

  /// Returns the path under which an entry is listed; nil if it is not listed.
  private func listedPath(of entry: PackEntry) -> ArraySlice<UInt8>? {
    if showsAll { return entry.bytesInArchive }
    return entry.kind == .file ? entry.pathInContents?.bytes : nil
  }

  /// Returns a line in the form of `sha256sum`.
  ///
  /// If the name has a backslash or a line break, it is escaped, and the line begins with a
  /// backslash.
  private func checksumLine(_ digest: String, _ name: [UInt8]) -> [UInt8] {
    let escaped = name.flatMap { byte -> [UInt8] in
      switch byte {
      case UInt8(ascii: "\\"): Array(#"\\"#.utf8)
      case UInt8(ascii: "\n"): Array(#"\n"#.utf8)
      case UInt8(ascii: "\r"): Array(#"\r"#.utf8)
      default: [byte]
      }
    }
    return Array(((escaped == name ? "" : #"\"#) + digest + "  ").utf8) + escaped
  }
}

extension String {
  /// Whether a file or folder has this path.
  fileprivate var isPresent: Bool { (try? FileStatus(ofFileAt: self)) != nil }
}

/// The lines that introduce a pack: its path if there are several packs, and above digests its ID
/// and whether files are omitted.
private struct Titles {
  private let isText: Bool
  private let areSeveral: Bool
  private let hasPartComment: Bool
  private var last: String?

  init(of packs: [String], _ format: ReportFormat, hasPartComment: Bool) {
    isText = format == .text
    self.hasPartComment = hasPartComment
    areSeveral = packs.count > 1
  }

  mutating func begin(_ pack: String, _ id: PackID?, _ console: Console) {
    guard isText, pack != last else { return }
    if areSeveral {
      console.result(
        bytes: Array((last == nil ? "" : "\n").utf8) + console.named(FilePath(pack).bytes)
          + Array(":\n".utf8))
    }
    if let id { console.result(DigestList.comment(naming: id)) }
    if hasPartComment { console.result(DigestList.partComment) }
    last = pack
  }
}

extension PackEntry {
  var octalMode: String? { permissions.map(octal) }

  private func octal(_ mode: UInt16) -> String {
    let digits = String(mode, radix: 8)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }

  /// Type, permissions, size and time, in columns.
  fileprivate var attributes: String {
    let letters: [(PackEntry.Kind, String)] = [
      (.file, "-"), (.directory, "d"), (.symbolicLink, "l"), (.pipe, "p"), (.socket, "s"),
      (.characterDevice, "c"), (.blockDevice, "b"),
    ]
    let type = letters.first { $0.0 == kind }?.1 ?? "?"
    let mode = permissions.map(Self.letters) ?? "?????????"
    let size = size.map { "\($0)" } ?? "-"
    return "\(type)\(mode)  \(size.padded(to: 12, .right))  \(modified.map { "\($0)" } ?? "-")"
  }

  private static func letters(of permissions: UInt16) -> String {
    let all = Array("rwxrwxrwx")
    var text = ""
    for (index, letter) in all.enumerated() {
      let bit: UInt16 = 1 << UInt16(all.count - 1 - index)
      text.append(permissions & bit == 0 ? "-" : letter)
    }
    return text
  }
}
