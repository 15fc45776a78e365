import BAPackKit
package import SourceDiagnostics

extension DeviceState: Described {
  /// The table of a device in results.
  package static let table = Table<Self>(written: "a device") {
    Key("platform", written: \.profile.platform, .word, "The platform.")
    Key("os", written: \.profile.system.major, .count, "The version of the system.")
    Key(
      "languages", written: \.profile.languages, .list(of: .language),
      "The preferred languages, the most preferred first.")
    Key(
      "language", written: { $0.profile.knowsLocalizedPacks ? $0.language.language : nil },
      .nullable(.language), "The language of the packs; null if no pack has one.")
    Key("app", written: \.hasApp, .flag, "Whether the app is installed.")
    Key("time", written: \.clock, .count, "The time on the device in milliseconds.")
    Key("used", written: \.used, .bytes, "The space that the packs take in bytes.")
    Key(
      "packs",
      written: { state in
        state.installedIDs.compactMap { id in
          state.installed[id].map { ($0.pack, state.status(of: id)) }
        }
      }, .list(of: .object(pack)), "The packs on the device.")
  }

  private static let pack = Table<(ReleasedPack, status: [PackStatus])>(written: "a pack") {
    Key("id", written: \.0.id, .packID, "The ID of the pack.")
    Key("version", written: \.0.version, .integer, "The version of the pack.")
    Key("bytes", written: \.0.offered.size.download, .bytes, "The size of the archive in bytes.")
    Key("status", written: \.status, .list(of: .word), "The status of the pack.")
  }
}
