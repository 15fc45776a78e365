import BAPackKit
import DeviceSimulator
import SourceDiagnostics

struct InstallationResult: Described {
  let events: [Event]
  let device: DeviceState
  let shared: SharedPaths
  /// The packs to explain.
  let reasons: [PackReason]
  let rules: [SemanticRule]?

  static let table = Table<Self>(written: "an installation") {
    Key("events", written: \.events, .list(of: .object), "The events, in order.")
    Key("device", written: \.device, .object, "The device after the last event.")
    Key(
      "shared", written: { $0.device.knowsContents ? $0.shared.paths : nil },
      .nullable(.list(of: .object)),
      "The paths that are in several packs of the device; null if the files of a pack are unknown.")
    Key(
      "why", written: { $0.reasons.isEmpty ? nil : $0.reasons }, .list(of: .object),
      "The packs to explain, with '--why'.")
    explained(\.rules)
  }
}

/// The reason why a pack is on a device, or is not.
struct PackReason: Described {
  let id: PackID
  let isOnDevice: Bool
  let phrase: String
  let rules: [SemanticRule]

  init(_ id: PackID, on device: DeviceState, after events: [Event]) {
    self.id = id
    isOnDevice = device.installed[id] != nil
    (phrase, rules) = Self.reason(id, device, events)
  }

  private static func reason(
    _ id: PackID, _ device: DeviceState, _ events: [Event]
  ) -> (String, [SemanticRule]) {
    for event in events {
      if let failure = event.kind.failure, failure.id == id {
        return (failure.reason.phrase, event.rules)
      }
      if let download = event.kind.download, download.id == id {
        return (Self.phrase(for: download), event.rules)
      }
    }
    return device.absence(of: id).map { ($0.phrase, $0.rules) } ?? ("it was already installed", [])
  }

  private static func phrase(for download: Event.Download) -> String {
    switch download.cause {
    case .installation, .appUpdate: "its policy is \(download.time.name)"
    case .update: "its version increased"
    case .request: "the app requested it"
    case .language: "the device's language needs it"
    }
  }

  static let table = Table<Self>(written: "a reason") {
    Key("pack", written: \.id, .packID, "The ID of the pack.")
    Key("isOnDevice", written: \.isOnDevice, .flag, "Whether the pack is on the device.")
    Key("reason", written: \.phrase, .text, "The reason.")
    Key("rules", written: { $0.rules.map(\.id) }, .list(of: .text), "The IDs of its rules.")
  }
}

/// The result for devices side by side.
struct MatrixResult: Described {
  let matrix: DeviceMatrix
  let rules: [SemanticRule]?

  static let table = Table<Self>(written: "a matrix") {
    Key(
      "devices", written: \.matrix.rows, .list(of: .object),
      "The devices; the others are compared with the first.")
    explained(\.rules)
  }
}

struct ScenarioResult: Described {
  let run: ScenarioRun
  let rules: [SemanticRule]?

  static let table = Table<Self>(written: "a scenario") {
    Key(inlined: \.run, of: ScenarioRun.table)
    explained(\.rules)
  }
}

/// All rules, without packs.
struct RulesResult: Described {
  let rules: [SemanticRule]

  static let table = Table<Self>(written: "rules") { explained(\.rules) }
}

private func explained<Result>(
  _ rules: @escaping @Sendable (Result) -> [SemanticRule]?
) -> Key<Result> {
  Key("rules", written: rules, .list(of: .object), "The rules, with '--explain'.")
}
