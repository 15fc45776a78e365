import AppStoreConnect
import Arguments
import BAPackKit
import SourceDiagnostics
import SystemIO
import TerminalText

// The commands that only read: `app-store list`, `status` and `limits`.

/// The packs of an app and the format of the output: the options of `list` and `limits`.
private struct PacksQuery {
  static let parameters = AppStoreOptions.all + [ReportFormat.option]

  let format: ReportFormat
  private let options: AppStoreOptions

  init(_ arguments: ParsedArguments) throws(UsageError) {
    options = try AppStoreOptions(arguments)
    format = arguments[ReportFormat.option]
  }

  /// Returns the app and its packs, in the order of their IDs.
  func fetch(_ console: Console) throws(PackError) -> (app: AppRecord, packs: [PackRecord]) {
    let (service, app) = try options.open(console)
    return (app, try console.packs(of: app, service).sorted { $0.pack < $1.pack })
  }
}

/// The result of `app-store list`.
struct PackList: Described {
  let app: ResourceID
  let packs: [PackRecord]

  static let table = Table<Self>(written: "the packs of an app") {
    Key("app", written: \.app, .resourceID, "The Apple ID of the app.")
    Key("packs", written: \.packs, .list(of: .object(PackRecord.table)), "The packs.")
  }
}

/// `app-store list`: the packs of an app.
struct AppStoreListCommand: Subcommand {
  static let definition = Command(
    "list", overview: "List the packs of an app.",
    discussion: [DocumentName.appStoreList.described()],
    PacksQuery.parameters,
    examples: [Term("ba-package app-store list --app 1234567890", "List the packs of an app.")])

  private let query: PacksQuery

  init(_ arguments: ParsedArguments) throws(UsageError) { query = try PacksQuery(arguments) }

  func run(_ console: Console) throws(PackError) -> ExitStatus {
    let (app, packs) = try query.fetch(console)
    console.result(PackList(app: app.id, packs: packs), as: query.format, .readable) {
      var table = TextTable()
      for pack in packs {
        table.add(
          pack.pack.text, pack.usedBytes.map { Quantity.bytes($0) } ?? "",
          pack.isArchived ? "archived" : pack.channels ?? "no version")
      }
      for line in table.lines { console.result(line) }
      if packs.isEmpty { console.summary("The app has no packs.") }
    }
    return .done
  }
}

extension PackRecord {
  /// The version that the users of each channel have: `internal 3, store 2`; nil if there is none.
  var channels: String? {
    let channels = [
      ("internal", internalVersion), ("external", externalVersion), ("store", storeVersion),
    ].compactMap { name, version in
      version.map { "\(name) \($0.number.map { "\($0)" } ?? "?")" }
    }
    return channels.isEmpty ? nil : channels.joined(separator: ", ")
  }
}

/// `app-store status`: the processing states of versions.
struct AppStoreStatusCommand: Subcommand {
  private static let pack = Argument(
    "id", .text, isRequired: false, "The ID of a pack (default: all packs of the app).",
    details: "With an ID, all versions of the pack are shown, else the newest of each pack.")
  private static let version = Option(
    "version", .number(in: 1...Int.max), called: "number", "Show this version only.")

  static let definition = Command(
    "status", overview: "Show the states and the errors of versions.",
    discussion: [
      """
      'live:' is followed by the version that the users of each channel have: internal testers, \
      external testers and, in the App Store, all users of the app.
      """,
      """
      'app-store submit --external' starts TestFlight review, if App Store Connect has a request \
      for it.
      """,
      DocumentName.appStoreStatus.described(),
    ],
    [pack, version] + AppStoreOptions.all + [ReportFormat.option],
    examples: [
      Term("ba-package app-store status --app 1234567890", "Show the newest versions."),
      Term(
        "ba-package app-store status level-cave --version 7 --app 1234567890",
        "Show one version of a pack."),
    ])

  private let pack: PackID?
  private let number: Int?
  private let options: AppStoreOptions
  private let format: ReportFormat

  init(_ arguments: ParsedArguments) throws(UsageError) {
    pack = arguments[Self.pack].map { PackID($0) }
    number = arguments[Self.version]
    options = try AppStoreOptions(arguments)
    format = arguments[ReportFormat.option]
    if pack == nil, number != nil {
      throw UsageError("'--version' has no effect without the ID of a pack")
    }
  }

  func run(_ console: Console) throws(PackError) -> ExitStatus {
    let (service, app) = try options.open(console)
    let found = try AppStoreVersions(service, app, console).find(
      pack.map { [$0] } ?? [], number: number, newestOnly: pack == nil)
    console.result(VersionList(app: app.id, versions: found), as: format, .readable) {
      var table = TextTable()
      for (index, item) in found.enumerated() {
        // The channels belong to the pack: they are shown at its first version.
        let isFirst = index == 0 || found[index - 1].pack.id != item.pack.id
        table.add(contentsOf: item, isFirst ? item.pack.channels : nil)
      }
      for line in table.lines { console.result(line) }
      for item in found {
        for finding in item.version.findingsText {
          console.result(
            "\(item.pack.pack) \(item.version.key.phrase): "
              + "\(finding.isError ? "error" : "warning"): \(finding.text)")
        }
      }
      if found.isEmpty { console.summary("There are no versions.") }
    }
    return .done
  }
}

/// A version with its pack.
struct FoundVersion: Described {
  let pack: PackRecord
  var version: PackVersion

  static let table = Table<Self>(written: "a version") {
    Key("pack", written: \.pack.pack, .packID, "The ID of the pack.")
    Key(inlined: \.version, of: PackVersion.table)
  }
}

/// The result of `app-store status`.
struct VersionList: Described {
  let app: ResourceID
  let versions: [FoundVersion]

  /// The packs of the versions, each once.
  private var packs: [PackRecord] {
    versions.map(\.pack).reduce(into: []) { if $0.last?.id != $1.id { $0.append($1) } }
  }

  static let table = Table<Self>(written: "versions of packs") {
    Key("app", written: \.app, .resourceID, "The Apple ID of the app.")
    Key(
      "packs", written: \.packs, .list(of: .object(PackRecord.table)),
      "The packs, with the versions that are live.")
    Key("versions", written: \.versions, .list(of: .object), "The versions.")
  }
}

extension TextTable {
  fileprivate mutating func add(contentsOf item: FoundVersion, _ channels: String?) {
    let version = item.version
    let further = [
      version.externalState.map { "external: \($0.phrase)" },
      version.storeState.map { "store: \($0.phrase)" },
    ].compactMap { $0 }
    add(
      item.pack.pack.text, version.key.phrase,
      ([version.stateText] + further).joined(separator: ", "),
      channels.map { "live: \($0)" } ?? "")
  }
}

/// Finds versions by packs and numbers.
struct AppStoreVersions {
  private let service: AppStoreService
  private let app: AppRecord
  private let console: Console

  init(_ service: AppStoreService, _ app: AppRecord, _ console: Console) {
    self.service = service
    self.app = app
    self.console = console
  }

  /// Returns the versions of these packs; without packs, those of all packs that are not archived.
  func find(
    _ ids: [PackID], number: Int? = nil, newestOnly isNewestOnly: Bool,
    where isMeant: (PackVersion) -> Bool = { _ in true }
  ) throws(PackError) -> [FoundVersion] {
    let packs = try console.packs(of: app, service)
    for id in ids where !packs.contains(where: { $0.pack == id }) {
      throw PackError(
        .missing, "the app has no pack '\(id)'",
        remedy: "'ba-package app-store list' lists the packs of the app")
    }
    let chosen = packs.filter { ids.isEmpty ? !$0.isArchived : ids.contains($0.pack) }
      .sorted { $0.pack < $1.pack }
    var found: [FoundVersion] = []
    for pack in chosen {
      let versions = try AppStoreService.perform("list the versions of '\(pack.pack)'") {
        () throws(ServiceError) in try service.versions(of: pack.id, number: number)
      }
      if let number, versions.isEmpty {
        throw PackError(.missing, "the pack '\(pack.pack)' has no version \(number)")
      }
      found += versions.filter(isMeant).prefix(isNewestOnly ? 1 : versions.count)
        .map { FoundVersion(pack: pack, version: $0) }
    }
    return found
  }
}

/// The result of `app-store limits`.
struct LimitsResult: Described {
  let app: ResourceID
  let use: HostedUse
  let limits: DeliveryLimits

  static let table = Table<Self>(written: "the limits of an app") {
    Key("app", written: \.app, .resourceID, "The Apple ID of the app.")
    Key("usedBytes", written: \.use.bytes, .bytes, "The space that the app uses in bytes.")
    Key("mostBytes", written: \.limits.hostedBytes, .count, "The largest space in bytes.")
    Key("packs", written: \.use.packs, .count, "The number of packs.")
    Key("mostPacks", written: \.limits.packs, .count, "The largest number of packs.")
    Key("limitsFrom", written: \.limits.date, .text, "The date of Apple's limits.")
  }
}

/// `app-store limits`: the use of the limits of an app.
struct AppStoreLimitsCommand: Subcommand {
  static let definition = Command(
    "limits", overview: "Show the used and the available space of an app.",
    discussion: [
      """
      For each pack, the largest version that testers or app users can download counts. Versions \
      that wait for their upload, are in processing, failed or are replaced everywhere do not \
      count. Archived packs do not count. Apple sends an email at 80 % of the space.
      """,
      DocumentName.appStoreLimits.described(),
    ],
    PacksQuery.parameters,
    examples: [Term("ba-package app-store limits --app 1234567890", "Show the available space.")])

  private let query: PacksQuery

  init(_ arguments: ParsedArguments) throws(UsageError) { query = try PacksQuery(arguments) }

  func run(_ console: Console) throws(PackError) -> ExitStatus {
    let (app, packs) = try query.fetch(console)
    let use = HostedUse(packs)
    let limits = DeliveryLimits.current
    let result = LimitsResult(app: app.id, use: use, limits: limits)
    console.result(result, as: query.format, .readable) {
      var table = TextTable()
      for pack in packs.filter({ !$0.isArchived }).sorted(by: {
        ($1.usedBytes ?? 0, $0.pack) < ($0.usedBytes ?? 0, $1.pack)
      }) {
        table.add(pack.pack.text, pack.usedBytes.map { Quantity.bytes($0) } ?? "unknown")
      }
      for line in table.lines { console.result(line) }
      console.result("\(use.phrase) (limits as of \(limits.date))")
    }
    if limits.space.level(use.bytes) > .within {
      console.warning("more than \(limits.hostedWarningPercent) % of the space is used")
    }
    return .done
  }
}
