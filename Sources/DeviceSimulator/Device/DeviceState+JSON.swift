import BAPackKit
package import SourceDiagnostics
import SystemIO

extension DeviceState {
  /// What is on the device, as programs read it.
  package var json: JSONValue {
    let resolved = profile.knowsLocalizedPacks ? language.language : nil
    return .object([
      .init("platform", .string(profile.platform.rawValue)),
      .init("os", .number("\(profile.system)")),
      .init("languages", .array(profile.languages.map { .string("\($0)") })),
      .init("language", resolved.map { .string("\($0)") } ?? .null),
      .init("app", .bool(hasApp)), .init("time", .number("\(clock)")),
      .init("used", .number("\(used)")),
      .init(
        "packs",
        .array(
          installedIDs.compactMap { id in
            installed[id].map { pack in
              .object([
                .init("id", .string(id.text)), .init("version", .number("\(pack.pack.version)")),
                .init("bytes", .number("\(pack.pack.offered.size.download)")),
                .init("status", .array(status(of: id).map { .string($0.rawValue) })),
              ])
            }
          })),
    ])
  }
}
