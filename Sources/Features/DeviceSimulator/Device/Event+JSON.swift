package import BAPackKit
package import SourceDiagnostics

extension Event: Described {
  package static let table = Table<Self>(written: "an event") {
    Key(cases: "event", written: { $0 }, "The kind of event.") {
      kind("manifest", \.manifest) {
        Key("release", written: \.release, .text, "The path or the address of the release.")
        Key("packs", written: \.packs, .count, "The number of packs in the manifest.")
      }
      kind("manifest-failed", \.manifestTrouble) { reason }
      kind("language", \.resolution) {
        Key(
          "language", written: \.language, .nullable(.language),
          "The language of the packs; null if no pack has one.")
        Key(
          "wanted", written: \.wanted, .nullable(.language),
          "The preferred language; null if there is none.")
      }
      kind("downloaded", \.newPack) { download }
      kind("updated", \.update) { download }
      kind("failed", \.failure) {
        pack(\.id)
        Key("reason", written: \.reason.phrase, .text, "The reason.")
      }
      kind("present", \.present) {
        pack(\.0)
        version(\.version)
      }
      kind("older-on-server", \.olderOnServer) {
        pack(\.0)
        version(\.own)
        Key("offeredVersion", written: \.version, .integer, "The version on the server.")
      }
      kind("removed", \.removal) {
        pack(\.0)
        version(\.version)
        Key("reason", written: \.2, .word, "The reason.")
      }
      kind("obsolete", \.obsolete) { pack(\.self) }
      kind("waiting", \.waiting) {
        packs(\.0)
        Key("bytes", written: \.1, .bytes, "The size of these packs in bytes.")
      }
      kind("app-ready", .appReady)
      kind("app-failed", \.appTrouble) { reason }
      kind("launched", .launched)
      kind("read", \.search) {
        Key("path", written: \.path, .text, "The path.")
        Key("answer", written: \.1.answer.word, .word, "The result of the search.")
        packs(\.1.answer.packs)
      }
      kind("status", \.status) {
        pack(\.0)
        Key("status", written: \.1, .list(of: .word), "The status; empty for an unknown pack.")
        Key("version", written: \.version, .integer, "The version, if the pack is on the device.")
        Key(
          "updates", written: { $0.updates.isEmpty ? nil : $0.updates }, .list(of: .word),
          "The status updates of the pack that the app received.")
      }
      kind("polled", .polled)
      kind("polling-ended", .pollingEnded)
      kind("local-languages", \.localLanguages) {
        Key(
          "languages", written: \.self, .list(of: .language),
          "The languages of the packs on the device.")
      }
      kind("disk", \.disk) {
        Key("used", written: \.used, .bytes, "The space that the packs take in bytes.")
        Key("free", written: \.free, .bytes, "The space for packs in bytes, if it is limited.")
      }
      kind("ignored", \.obstacle) { reason }
      kind("note", \.note) { reason }
    }
    Key("rules", written: { $0.rules.map(\.id) }, .list(of: .text), "The IDs of its rules.")
  }

  /// Returns a kind of event: its name, and its members after the time.
  private static func kind<Payload>(
    _ word: String, _ payload: @escaping @Sendable (Kind) -> Payload?,
    @ListBuilder<Key<Payload>> _ keys: () -> [Key<Payload>]
  ) -> Case<Event> {
    let table = Table(written: "an event", keys)
    return Case(word, written: { event in payload(event.kind).map { (event.time, $0) } }) {
      Key("time", written: \.0, .count, "The time in milliseconds.")
      Key(inlined: { $0.1 }, of: table)
    }
  }

  /// Returns a kind of event without further members.
  private static func kind(_ word: String, _ kind: Kind) -> Case<Event> {
    Self.kind(word, { $0 == kind ? () : nil }) {}
  }

  private static let reason = Key<String>("reason", written: \.self, .text, "The reason.")

  private static let download: [Key<Download>] = [
    pack(\.id), version(\.version),
    Key("previousVersion", written: \.previous, .integer, "The previous version."),
    Key("bytes", written: \.size, .bytes, "The size of the archive in bytes."),
    Key("cause", written: \.cause, .word, "The cause of the download."),
    Key("policy", written: \.time, .policy, "The policy that applies to the installation."),
    Key("start", written: \.start, .count, "The start in milliseconds."),
    Key("end", written: \.end, .count, "The end in milliseconds."),
  ]

  private static func pack<Payload>(
    _ id: @escaping @Sendable (Payload) -> PackID
  ) -> Key<Payload> {
    Key("pack", written: id, .packID, "The ID of the pack.")
  }

  private static func packs<Payload>(
    _ ids: @escaping @Sendable (Payload) -> [PackID]?
  ) -> Key<Payload> {
    Key("packs", written: ids, .list(of: .packID), "The IDs of the packs.")
  }

  private static func version<Payload>(
    _ version: @escaping @Sendable (Payload) -> Int
  ) -> Key<Payload> {
    Key("version", written: version, .integer, "The version of the pack on the device.")
  }
}

extension JSONForm<DownloadTime> {
  fileprivate static var policy: JSONForm {
    JSONForm(
      .word(DownloadTime.allCases.map(\.name)), write: { .string($0.name) }, reading: nil)
  }
}

extension Event.Kind {
  fileprivate var manifest: (release: String, packs: Int)? {
    if case .manifest(let release, let packs) = self { (release, packs) } else { nil }
  }
  fileprivate var manifestTrouble: String? {
    if case .manifestFailed(let reason) = self { reason } else { nil }
  }
  /// The language that the device resolved.
  package var resolution: LanguageResolution? {
    if case .language(let resolution) = self { resolution } else { nil }
  }
  /// The successful download.
  package var download: Event.Download? {
    if case .downloaded(let download) = self { download } else { nil }
  }
  fileprivate var newPack: Event.Download? {
    download.flatMap { $0.previous == nil ? $0 : nil }
  }
  fileprivate var update: Event.Download? {
    download.flatMap { $0.previous == nil ? nil : $0 }
  }
  /// The pack whose download failed.
  package var failure: (id: PackID, reason: Event.Reason)? {
    if case .failed(let id, let reason) = self { (id, reason) } else { nil }
  }
  fileprivate var present: (PackID, version: Int)? {
    if case .present(let id, let version) = self { (id, version) } else { nil }
  }
  fileprivate var olderOnServer: (PackID, version: Int, own: Int)? {
    if case .olderOnServer(let id, let version, let own) = self { (id, version, own) } else { nil }
  }
  fileprivate var removal: (PackID, version: Int, Event.Removal)? {
    if case .removed(let id, let version, let why) = self { (id, version, why) } else { nil }
  }
  fileprivate var obsolete: PackID? { if case .obsolete(let id) = self { id } else { nil } }
  fileprivate var waiting: ([PackID], UInt64)? {
    if case .waiting(let ids, let size) = self { (ids, size) } else { nil }
  }
  fileprivate var appTrouble: String? {
    if case .appFailed(let reason) = self { reason } else { nil }
  }
  fileprivate var search: (path: String, Event.ReadResult)? {
    if case .found(let path, let result) = self { (path, result) } else { nil }
  }
  fileprivate var status: (PackID, [PackStatus], version: Int?, updates: [StatusUpdate])? {
    if case .status(let id, let status, let version, let updates) = self {
      (id, status, version, updates)
    } else {
      nil
    }
  }
  fileprivate var localLanguages: [LanguageTag]? {
    if case .localLanguages(let tags) = self { tags } else { nil }
  }
  fileprivate var disk: (used: UInt64, free: UInt64?)? {
    if case .disk(let used, let free) = self { (used, free) } else { nil }
  }
  fileprivate var obstacle: String? { if case .ignored(let reason) = self { reason } else { nil } }
  fileprivate var note: String? { if case .noted(let text) = self { text } else { nil } }
}

extension Event.ReadResult {
  fileprivate enum Word: String, Sendable, CaseIterable {
    case readable, ambiguous, missing, folder
    case noPack = "no-pack"
    case notKnown = "not-known"
  }

  /// The result as a word, and its packs.
  fileprivate var answer: (word: Word, packs: [PackID]?) {
    switch self {
    case .readable(let ids, _): (.readable, ids)
    case .ambiguous(let ids): (.ambiguous, ids)
    case .missing: (.missing, nil)
    case .folder(let ids): (.folder, ids)
    case .noPack(let id): (.noPack, [id])
    case .notKnown(let ids): (.notKnown, ids)
    }
  }
}
