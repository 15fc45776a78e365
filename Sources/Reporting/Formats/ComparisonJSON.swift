import BAPackKit
package import SourceDiagnostics
import FoundationEssentials
import SystemIO

extension Verdict {
  /// The whole comparison as programs read it.
  package var json: JSONValue {
    .object([
      .init("old", .string(comparison.old.name)), .init("new", .string(comparison.new.name)),
      .init("packs", .array(comparison.changes.map(Self.json))),
      .init("unchanged", .array(comparison.unchanged.map { .string($0.text) })),
      .init("breaks", .array(breaks.map { .object(Self.members($0)) })),
      .init(
        "accepted",
        .array(
          accepted.map {
            .object(
              Self.members($0.found)
                + [.init("reason", .string($0.reason)), .init("until", .string($0.until))])
          })),
      .init("costs", Self.json(comparison.costs)),
      .init(
        "hints",
        .array(
          hints.map {
            .object([
              .init("pack", .string($0.pack.text)), .init("files", .count($0.files)),
              .path("largest", $0.largest), .init("update", .size($0.update)),
              .init("instead", .size($0.instead)),
            ])
          })),
      .init(
        "budgets",
        .array(
          budgets.pages.flatMap(\.findings).map {
            .object([
              .init("rule", .string($0.id.name)), .init("severity", .string($0.severity.rawValue)),
              .init("message", .string("\($0.message)")),
              .init("notes", .array($0.notes.map { .string("\($0)") })),
            ])
          })),
    ])
  }

  private static func members(_ found: Break) -> [JSONValue.Member] {
    [.init("breaks", .string(found.breakage.rawValue)), .init("pack", .string(found.pack.text))]
      + (found.path.map { [.path("path", $0)] } ?? [])
      + (found.what.map { [.init("what", .string($0))] } ?? [])
      + [.init("why", .string(found.breakage.reason))]
  }

  private static func json(_ change: PackChange) -> JSONValue {
    .object([
      .init(Manifest.key(of: \.assetPackID), .string(change.id.text)),
      .init("change", .string(change.kind.rawValue)),
      .init("oldSize", .size(change.old?.downloadSize)),
      .init("newSize", .size(change.new?.downloadSize)),
      .init("downloadedAgain", .bool(change.isDownloadedAgain)),
      .init(
        "attributes",
        .array(
          change.attributes.map {
            .object([
              .init("key", .string($0.key)), .init("old", $0.old), .init("new", $0.new),
            ])
          })),
      .init("settings", .array(change.settings.map { .string($0) })),
      .init("files", .array(change.files.map(json))),
    ])
  }

  private static func json(_ file: FileChange) -> JSONValue {
    let (word, from): (String, JSONValue.Member?) =
      switch file.kind {
      case .added: ("added", nil)
      case .removed: ("removed", nil)
      case .changed: ("changed", nil)
      case .unknown: ("unknown", nil)
      case .renamed(let path): ("renamed", .path("from", path))
      case .moved(let pack): ("moved", .init("fromPack", .string(pack.text)))
      }
    return .object(
      [.path("path", file.path), .init("change", .string(word))] + (from.map { [$0] } ?? []) + [
        .init("oldSize", .size(file.oldSize)), .init("newSize", .size(file.newSize)),
        .init("breaks", file.breakage.map { .string($0.rawValue) } ?? .null),
      ])
  }

  private static func json(_ costs: UpdateCosts) -> JSONValue {
    .object([
      .init("isKnown", .bool(costs.isKnown && costs.isOldKnown)),
      .init("oldHosted", .size(costs.oldHosted)), .init("hosted", .size(costs.hosted)),
      .init("unpacked", .size(costs.unpacked)),
      .init(
        "players",
        .array(
          costs.rows.map { row in
            .object([
              .init("platform", .string(row.platform.rawValue)),
              .init("language", row.language.map { .string($0.description) } ?? .null),
              .init("update", .size(row.update)),
              .init("updateOnDemand", .size(row.updateOnDemand)),
              .init("oldFirstLaunch", .size(row.oldFirstLaunch)),
              .init("firstLaunch", .size(row.firstLaunch)),
              .init("oldInstall", .size(row.oldInstall)), .init("install", .size(row.install)),
            ])
          })),
    ])
  }
}

extension JSONValue {
  /// A number of bytes; null where it is not known.
  fileprivate static func size(_ size: UInt64?) -> JSONValue {
    size.map { .number("\($0)") } ?? .null
  }

  fileprivate static func count(_ count: Int) -> JSONValue { .number("\(count)") }
}

extension JSONValue.Member {
  /// A path; where it is no UTF-8, its bytes stand beside what is shown of it.
  fileprivate static func path(_ key: String, _ path: [UInt8]) -> JSONValue.Member {
    if let text = String(validating: path, as: UTF8.self) { return .init(key, .string(text)) }
    return .init(key + "Base64", .string(Data(path).base64EncodedString()))
  }
}
