import BAPackKit
import SourceDiagnostics
import SystemIO

/// A list of known findings for `validate`, which are not reported again.
///
/// A finding is identified by its rule, the file and its message, so that changes of other lines
/// do not matter. Each file of a finding about several files is recorded separately.
struct KnownFindings: JSONStateDocument, Described {
  private var entries: [Entry] = []

  static let noun = "list of known findings"
  static let loss = "all findings are reported"
  static let largest = JSONLimits().size
  /// The file belongs to the project, and is committed with it.
  static let rules = StateRules(.everyone, followsLinks: true, makesFolder: false)
  static let format = 1
  static let table = Table("a list of known findings", blank: KnownFindings()) {
    Key("findings", \.entries, .list(of: .object), "The known findings.")
  }

  /// Equal findings in one file.
  struct Entry: Described, Equatable {
    fileprivate var identity = FindingIdentity(id: "", path: "", message: "")
    fileprivate var count = 1

    static let table = Table("a known finding", blank: Entry()) {
      Key("id", \.identity.id, .text, "The ID of the rule.")
      Key("path", \.identity.path, .text, "The path of the file, relative to the record.")
      Key("message", \.identity.message, .text, "The problem.")
      Key("count", \.count, .count, "The number of equal findings in the file.")
    }
  }

  init() {}

  /// Creates a record of all findings; `path` is that of the record.
  init(of findings: Ledger, at path: String) {
    entries = findings.identities(placed: Self.place(at: path)).map {
      Entry(identity: $0.identity, count: $0.count)
    }
  }

  /// Reads a record; returns nil if there is none.
  static func readExisting(at path: String) throws(PackError) -> KnownFindings? {
    try mapFailure(.reading) { () throws(Failure) in try StateFile<KnownFindings>(path).read() }
  }

  /// Reads a record.
  static func read(at path: String) throws(PackError) -> KnownFindings {
    guard let record = try readExisting(at: path) else {
      throw PackError(
        .missing, "there is no list of known findings '\(path)'",
        remedy: "'--record-findings' writes one")
    }
    return record
  }

  /// Writes the record.
  func write(to path: String, _ work: Work) throws(PackError) {
    try mapFailure(.writing) { () throws(Failure) in
      try StateFile<KnownFindings>(path).change(work) { $0 = self }
    }
  }

  /// Returns the existing files with recorded findings that were not checked.
  func files(missingIn findings: Ledger, at path: String) -> [String] {
    let place = Self.place(at: path)
    let checked = Set(findings.pages.map { place($0.source.name) })
    let folder = FilePath(OutputPlace(path).folder)
    return Set(entries.map(\.identity.path)).subtracting(checked).sorted().filter { name in
      (try? FileStatus(ofFileAt: folder.appending(FilePath(name)).text))?.kind == .file
    }
  }

  /// The number of findings.
  var count: Int { entries.reduce(0) { $0 + $1.count } }

  /// Removes the known findings from a ledger, and returns their number and the number of known
  /// findings that no longer occur.
  ///
  /// If not all files were checked, only findings of checked files are known to be fixed.
  func remove(
    from findings: inout Ledger, at path: String, isWhole: Bool
  ) -> (known: Int, fixed: Int) {
    var left: [FindingIdentity: Int] = [:]
    for entry in entries { left[entry.identity, default: 0] += entry.count }
    let place = Self.place(at: path)
    let checked = Set(findings.pages.map { place($0.source.name) })
    let known = findings.remove(&left, placed: place)
    let fixed = left.reduce(0) { sum, item in
      isWhole || checked.contains(item.key.path) ? sum + item.value : sum
    }
    return (known, fixed)
  }

  /// Returns a function for the path of a text relative to the folder of a record.
  private static func place(at path: String) -> (String) -> String {
    let folder = OutputPlace(path).folder
    return { name in
      if name.isEmpty || name == ManifestInput.standardInput { return name }
      return relativePath(of: name, from: folder) ?? name
    }
  }
}
