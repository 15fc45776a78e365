import AppStoreConnect
import BAPackKit
import SourceDiagnostics
import TerminalText

// The output of commands about App Store Connect, as JSON for programs.

extension JSONForm<StateName> {
  /// A state as a text: the name that Apple gives it.
  static var state: JSONForm { .mapped(.text, write: \.name, read: { StateName($0) }) }
}

extension StateDetail {
  static let table = Table<Self>(written: "a detail") {
    Key("code", written: \.code, .text, "The code.")
    Key("text", written: \.text, .text, "The text.")
  }
}

extension PackVersion {
  static let table = Table<Self>(written: "a version") {
    Key("id", written: \.id, .resourceID, "The ID of the version.")
    Key("version", written: \.number, .nullable(.integer), "The number; null if it has none.")
    Key("state", written: \.state, .nullable(.state), "Apple's name of the state.")
    Key(
      "internalBeta", written: \.internalState, .nullable(.state),
      "The state for internal testers.")
    Key(
      "externalBeta", written: \.externalState, .nullable(.state),
      "The state for external testers.")
    Key("appStore", written: \.storeState, .nullable(.state), "The state in the App Store.")
    Key("created", written: \.created, .nullable(.moment), "The time of the creation.")
    Key("platforms", written: \.platforms, .list(of: .text), "Apple's names of the platforms.")
    Key("language", written: \.locale, .nullable(.text), "The language.")
    Key("errors", written: \.errors, .list(of: .object(StateDetail.table)), "The errors.")
    Key("warnings", written: \.warnings, .list(of: .object(StateDetail.table)), "The warnings.")
    Key("infos", written: \.infos, .list(of: .object(StateDetail.table)), "Other information.")
  }
}

extension PackRecord {
  static let table = Table<Self>(written: "a pack") {
    Key("id", written: \.pack, .packID, "The ID of the pack.")
    Key("recordID", written: \.id, .resourceID, "Its ID in App Store Connect.")
    Key("archived", written: \.isArchived, .flag, "Whether it is archived.")
    Key(
      "usedBytes", written: \.usedBytes, .nullable(.bytes),
      "The space that it uses in bytes; null if it is unknown.")
    Key("created", written: \.created, .nullable(.moment), "The time of the creation.")
    Key(
      "internalVersion", written: \.internalVersion?.number, .nullable(.integer),
      "The version that internal testers get, or null.")
    Key(
      "externalVersion", written: \.externalVersion?.number, .nullable(.integer),
      "The version that external testers get, or null.")
    Key(
      "appStoreVersion", written: \.storeVersion?.number, .nullable(.integer),
      "The version that all users of the app get, or null.")
  }
}

extension HostedUse {
  /// The use as text: `11.2 GB of 200 GB used, 8 of 200 packs`.
  var phrase: String {
    let limits = DeliveryLimits.current
    return "\(Quantity.bytes(bytes)) of \(Quantity.bytes(UInt64(limits.hostedBytes))) used, "
      + "\(packs) of \(limits.packs) packs"
  }
}
