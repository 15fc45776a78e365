import AppStoreConnect
import BAPackKit
import SourceDiagnostics
import SystemIO
import TerminalText

// What commands show of App Store Connect: as text in columns, and as JSON with stable keys.

extension PackVersion {
  /// The version as JSON.
  var report: JSONValue {
    func text(_ value: String?) -> JSONValue { value.map { .string($0) } ?? .null }
    func list(_ details: [StateDetail]) -> JSONValue {
      .array(
        details.map {
          .object([.init("code", .string($0.code)), .init("text", .string($0.text))])
        })
    }
    return .object([
      .init("id", .string(id.text)), .init("version", number.map { .integer($0) } ?? .null),
      .init("state", text(state?.name)), .init("internalBeta", text(internalState?.name)),
      .init("externalBeta", text(externalState?.name)), .init("appStore", text(storeState?.name)),
      .init("created", text(created?.description)),
      .init("platforms", .array(platforms.map { .string($0) })), .init("language", text(locale)),
      .init("errors", list(errors)), .init("warnings", list(warnings)),
      .init("infos", list(infos)),
    ])
  }
}

extension PackRecord {
  /// The pack as JSON.
  var members: [JSONValue.Member] {
    func version(_ record: PackVersion?) -> JSONValue {
      record.flatMap { $0.number }.map { .integer($0) } ?? .null
    }
    return [
      .init("id", .string(pack.text)), .init("recordID", .string(id.text)),
      .init("archived", .bool(isArchived)),
      .init("usedBytes", usedBytes.map { .integer($0) } ?? .null),
      .init("created", created.map { .string($0.description) } ?? .null),
      .init("internalVersion", version(internalVersion)),
      .init("externalVersion", version(externalVersion)),
      .init("appStoreVersion", version(storeVersion)),
    ]
  }
}

extension HostedUse {
  /// The use as people say it: `11.2 GB of 200 GB used, 8 of 200 packs`.
  var words: String {
    let limits = DeliveryLimits.current
    return "\(Quantity.bytes(bytes)) of \(Quantity.bytes(UInt64(limits.hostedBytes))) used, "
      + "\(packs) of \(limits.packs) packs"
  }

  var members: [JSONValue.Member] {
    let limits = DeliveryLimits.current
    return [
      .init("usedBytes", .integer(bytes)), .init("mostBytes", .integer(limits.hostedBytes)),
      .init("packs", .integer(packs)), .init("mostPacks", .integer(limits.packs)),
    ]
  }
}
