import Arguments
import BAPackKit
import FoundationEssentials
import SourceDiagnostics
import SystemIO
import TerminalText

/// `list`: prints the files in packs.
struct ListCommand: Subcommand {
  private static let paths = ArgumentList(
    "path", .file("aar"), isRequired: false,
    "Further packs, by the '.aar' at their ends, and files and folders to list; all when none is named."
  )
  private static let long = Flag(
    "long", short: "l", "Show type, permissions, size and time of each file, too.")
  private static let digests = Flag(
    "digests", "Show the SHA-256 of the contents of each file, as sha256sum does.")
  private static let all = Flag(
    "all", "List every entry as the archive has it, folders and the manifest included.")

  static let definition = Command(
    "list", overview: "Lists the files in asset packs as the app sees them.",
    discussion: [
      """
      With '--format json', one object a line: 'pack', 'path' as listed, 'archivePath', 'type', \
      'size', 'mode', 'uid', 'gid', 'modified', 'created' and 'linkTarget', as far as the entry has \
      them, and 'sha256' with '--digests'. There names are exact: one that is no UTF-8 is shown \
      with its odd bytes as '\\xFF', and 'pathBase64', 'archivePathBase64' or 'linkTargetBase64' \
      beside it has its bytes.
      """
    ],
    [
      PackInput.path, paths, long, digests, all, PackInput.threads, MemoryOption.option,
      ReportFormat.option,
    ],
    dependent: [(PackInput.threads, on: digests)],
    examples: [
      Term("ba-package list Tutorial.aar", "Show what the app will find."),
      Term("ba-package list Tutorial.aar Levels", "Show what it will find in one folder."),
      Term("ba-package list --all --long Tutorial.aar", "Show every entry with its attributes."),
      Term(
        "ba-package list --digests Tutorial.aar",
        "Make what 'sha256sum -c' checks where the pack was unpacked."),
    ])

  private let packs: [String]
  private let paths: [String]
  private let isLong: Bool
  private let showsDigests: Bool
  private let showsAll: Bool
  private let threads: Int
  private let memory: UInt64
  private let format: ReportFormat

  init(_ arguments: ParsedArguments) throws(UsageError) {
    let words = arguments[Self.paths]
    func isPack(_ word: String) -> Bool { word.lowercased().hasSuffix(".aar") }
    packs = [try arguments.required(PackInput.path)] + words.filter(isPack)
    paths = words.filter { !isPack($0) }
    isLong = arguments[Self.long]
    showsDigests = arguments[Self.digests]
    showsAll = arguments[Self.all]
    threads = showsDigests ? arguments[PackInput.threads] ?? ProcessState.processorCount : 1
    memory = UInt64(arguments[MemoryOption.option])
    format = arguments[ReportFormat.option]
    if isLong, format == .json { throw .withoutEffect(Self.long, beside: "--format json") }
  }

  func run(_ console: Console) throws(PackError) -> ExitStatus {
    var chosen = ChosenPaths(paths)
    var status = ExitStatus.done
    var titles = Titles(of: packs, format)
    for pack in packs {
      let isListed: Void? = try console.attempt { () throws(PackError) in
        try list(pack, &chosen, console, &titles)
      }
      if isListed == nil { status = .failed }
    }
    // If a pack cannot be read, it is not known what is missing in it.
    guard status == .done, !chosen.missing.isEmpty else { return status }
    throw PackError.missing(chosen.missing, in: packs)
  }

  private func list(
    _ pack: String, _ chosen: inout ChosenPaths, _ console: Console, _ titles: inout Titles
  ) throws(PackError) {
    var reader = try PackReader(opening: pack, threads: threads, memory: memory)
    var count = 0
    var isAssetPack = showsAll
    while let entry = try reader.nextEntry() {
      count += 1
      isAssetPack = isAssetPack || entry.isInContents
      guard let path = listedPath(of: entry), chosen.contains(path) else { continue }
      var digest: String?
      if showsDigests, entry.kind == .file { digest = hexadecimal(try reader.contentDigest()) }
      let line: String
      switch format {
      case .json:
        line = JSONWriter.string(entry.report(in: pack, path, digest), .compact)
      case .text:
        let shown = path.isEmpty ? "." : shownBytes(path)
        if isLong {
          line = ([entry.attributes] + (digest.map { [$0] } ?? []) + [shown])
            .joined(separator: "  ")
        } else if showsDigests {
          guard let digest else { continue }
          line = checksumLine(digest, path, forPeople: console.output.isTerminal)
        } else {
          line = shown
        }
      }
      titles.begin(pack, console)
      console.result(line)
    }
    guard isAssetPack else {
      throw PackError.notAnAssetPack(pack, entries: count)
    }
    if paths.isEmpty { titles.begin(pack, console) }
  }

  /// The path under which an entry is listed; nil if it is not listed.
  private func listedPath(of entry: PackEntry) -> ArraySlice<UInt8>? {
    if showsAll { return entry.bytesInArchive }
    return entry.kind == .file ? entry.bytesInContents : nil
  }

  /// A line in the form of `sha256sum`.
  ///
  /// If the name has a backslash or a line break, it is escaped, and the line begins with a
  /// backslash.
  private func checksumLine(_ digest: String, _ path: ArraySlice<UInt8>, forPeople: Bool) -> String
  {
    let exact = forPeople ? nil : String(validating: path, as: UTF8.self)
    let name = exact ?? shownBytes(path)
    let escaped = name.replacing("\\", with: #"\\"#).replacing("\n", with: #"\n"#)
      .replacing("\r", with: #"\r"#)
    return (escaped == name ? "" : #"\"#) + digest + "  " + escaped
  }
}

/// The lines that say which pack follows, if there are several.
private struct Titles {
  private let areShown: Bool
  private var last: String?

  init(of packs: [String], _ format: ReportFormat) {
    areShown = packs.count > 1 && format == .text
  }

  mutating func begin(_ pack: String, _ console: Console) {
    guard areShown, pack != last else { return }
    console.result((last == nil ? "" : "\n") + shown(pack) + ":")
    last = pack
  }
}

extension PackEntry {
  /// An entry as JSON, without the keys that it has no value for.
  fileprivate func report(in pack: String, _ shown: ArraySlice<UInt8>, _ digest: String?)
    -> JSONValue
  {
    var members = [JSONValue.Member("pack", .string(pack))]
    func add(_ key: String, _ value: JSONValue?) {
      if let value { members.append(.init(key, value)) }
    }
    func add(_ key: String, name: ArraySlice<UInt8>) {
      if let text = String(validating: name, as: UTF8.self) { return add(key, .string(text)) }
      add(key, .string(shownBytes(name)))
      add(key + "Base64", .string(Data(name).base64EncodedString()))
    }
    add("path", name: shown.isEmpty ? Array(".".utf8)[...] : shown)
    add("archivePath", name: bytesInArchive)
    add("type", .string(kind.rawValue))
    add("size", size.map { .number("\($0)") })
    add("mode", permissions.map { .string(octal($0)) })
    add("uid", userID.map { .number("\($0)") })
    add("gid", groupID.map { .number("\($0)") })
    add("modified", modified.map { .string("\($0)") })
    add("created", created.map { .string("\($0)") })
    if let linkTargetBytes { add("linkTarget", name: linkTargetBytes[...]) }
    add("sha256", digest.map { .string($0) })
    return .object(members)
  }

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
    let padding = String(repeating: " ", count: max(0, 12 - size.count))
    return "\(type)\(mode)  \(padding)\(size)  \(modified.map { "\($0)" } ?? "-")"
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
