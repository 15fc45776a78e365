import AppStoreConnect
import Arguments
import BAPackKit

/// `app-store archive`: archives a pack permanently.
struct AppStoreArchiveCommand: Subcommand {
  private static let pack = Argument("id", .text, "The ID of the pack.")
  private static let confirmed = Option(
    "confirm", .text, called: "id", "Repeat the ID, instead of the prompt.")

  static let definition = Command(
    "archive", overview: "Remove a pack from App Store Connect permanently.",
    discussion: [
      """
      All versions are removed, the live version included, and no device can download the pack. \
      Its ID cannot be used again. This cannot be undone.
      """
    ],
    [pack, confirmed] + AppStoreOptions.all,
    examples: [
      Term(
        "ba-package app-store archive old-level --app 1234567890 --confirm old-level",
        "Remove a pack that no installed app requests.")
    ])

  private let pack: PackID
  private let confirmed: String?
  private let options: AppStoreOptions

  init(_ arguments: ParsedArguments) throws(UsageError) {
    pack = PackID(try arguments.required(Self.pack))
    confirmed = arguments[Self.confirmed]
    options = try AppStoreOptions(arguments)
    if let confirmed, PackID(confirmed) != pack {
      throw UsageError("'--confirm' names a different pack: '\(confirmed)'")
    }
  }

  func run(_ console: Console) throws(PackError) -> ExitStatus {
    let (service, app) = try options.open(console)
    guard let record = try console.packs(of: app, service).first(where: { $0.pack == pack }) else {
      throw PackError(
        .missing, "the app has no pack '\(pack)'",
        remedy: "'ba-package app-store list' lists the packs of the app")
    }
    guard !record.isArchived else {
      console.summary("The pack '\(pack)' is already archived.")
      return .done
    }
    guard try isConfirmed(record, console) else {
      console.error(
        "the pack was not archived: the ID was not confirmed",
        remedy: "type the ID, or use --confirm")
      return .failed
    }
    _ = try AppStoreService.perform("archive the pack '\(pack)'") { () throws(ServiceError) in
      try service.settling { () throws(ServiceError) in
        try service.archive(record)
      } unless: { () throws(ServiceError) in
        try service.packs(of: app.id).first { $0.id == record.id && $0.isArchived }
      }
    }
    console.summary("Archived '\(pack)'.")
    return .done
  }

  private func isConfirmed(_ record: PackRecord, _ console: Console) throws(PackError) -> Bool {
    if confirmed != nil { return true }
    let live = record.storeVersion.map { "; its \($0.key.phrase) is live" } ?? ""
    console.finding(
      text: "Archiving '\(pack)' cannot be undone\(live). Afterwards no device can download it, "
        + "and its ID cannot be used again.\nType the ID to continue: ")
    return try console.typedLine().map { PackID($0) } == pack
  }
}
