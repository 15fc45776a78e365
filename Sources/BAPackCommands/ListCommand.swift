import Arguments
import BAPackKit
import SourceDiagnostics

/// `list`: the files in a pack.
struct ListCommand: Subcommand {
  private static let long = Flag(
    "long", short: "l", "Show type, permissions, size and time of each file, too.")
  private static let all = Flag(
    "all", "List every entry as the archive has it, folders and the manifest included.")

  static let definition = Command(
    "list", overview: "Lists the files in an asset pack as the app sees them.",
    discussion: [
      """
      With '--format json', one object a line: 'path' as listed, 'archivePath', 'type', 'size', \
      'mode', 'uid', 'gid', 'modified' and 'created', as far as the entry has them.
      """
    ],
    [PackInput.path, long, all, ReportFormat.option],
    examples: [
      Term("ba-package list Tutorial.aar", "Show what the app will find."),
      Term("ba-package list --all --long Tutorial.aar", "Show every entry with its attributes."),
    ])

  private let path: String
  private let isLong: Bool
  private let showsAll: Bool
  private let format: ReportFormat

  init(_ arguments: ParsedArguments) throws(UsageError) {
    path = try arguments.required(PackInput.path)
    isLong = arguments[Self.long]
    showsAll = arguments[Self.all]
    format = arguments[ReportFormat.option]
    if isLong, format == .json { throw .withoutEffect(Self.long, beside: "--format json") }
  }

  func run(_ console: Console) throws(PackError) -> ExitStatus {
    var reader = try PackReader(opening: path)
    while let entry = try reader.nextEntry() {
      guard let shown = shownPath(of: entry) else { continue }
      switch format {
      case .json: console.result(JSONWriter.string(entry.report(path: shown), .compact))
      case .text: console.result(isLong ? "\(entry.attributes)  \(shown)" : shown)
      }
    }
    return .done
  }

  private func shownPath(of entry: PackEntry) -> String? {
    if showsAll { return entry.pathBytes.isEmpty ? "." : entry.path }
    return entry.kind == .file ? entry.appPath : nil
  }
}

extension PackEntry {
  /// An entry as JSON; what it does not have is left out.
  fileprivate func report(path shown: String) -> JSONValue {
    var members = [
      JSONValue.Member("path", .string(shown)), .init("archivePath", .string(path)),
      .init("type", .string(kind.rawValue)),
    ]
    func add(_ key: String, _ value: JSONValue?) {
      if let value { members.append(.init(key, value)) }
    }
    add("size", size.map { .number("\($0)") })
    add("mode", permissions.map { .string(octal($0)) })
    add("uid", userID.map { .number("\($0)") })
    add("gid", groupID.map { .number("\($0)") })
    add("modified", modified.map { .string("\($0)") })
    add("created", created.map { .string("\($0)") })
    add("linkTarget", linkTarget.map { .string($0) })
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
