import BAPackKit
package import SourceDiagnostics

extension Verdict: Described {
  /// The comparison as a JSON document.
  package var json: JSONValue { Self.table.value(of: self) }

  package static let table = Table<Verdict>(written: "a comparison") {
    Key(
      "channel", written: \.channel, .text,
      "The channel of the old packs, if they are those of channels.")
    Key("old", written: \.comparison.old.name, .text, "The name of the old release.")
    Key("new", written: \.comparison.new.name, .text, "The name of the new release.")
    Key(
      "packs", written: \.comparison.changes, .list(of: .object),
      "The packs that changed, the largest download first.")
    Key(
      "unchanged", written: \.comparison.unchanged, .list(of: .packID),
      "The IDs of the other packs.")
    Key(
      "breaks", written: \.breaks, .list(of: .object),
      "The changes that break apps that are already released.")
    Key(
      "accepted", written: \.accepted, .list(of: .object(accepted)), "The accepted breaks.")
    Key("costs", written: \.comparison.costs, .object, "The downloads of devices.")
    Key(
      "hints", written: \.hints, .list(of: .object),
      "Packs that can be divided for smaller updates.")
    Key(
      "budgets", written: { $0.budgets.pages.flatMap(\.findings) },
      .list(of: .object(Finding.budget)),
      "The findings about budgets.")
  }

  private static let accepted = Table<(found: Break, reason: String, until: String)>(
    written: "an accepted break"
  ) {
    Key(inlined: \.found, of: Break.table)
    Key("reason", written: \.reason, .text, "The reason for accepting it.")
    Key("until", written: \.until, .text, "The last day on which it is accepted.")
  }
}

extension Finding {
  /// A finding about a budget.
  fileprivate static let budget = Table<Self>(written: "a finding") {
    Key("rule", written: \.id.name, .text, "The ID of the rule.")
    Key("severity", written: \.severity, .word, "The severity.")
    Key("message", written: \.message, .text, "The problem.")
    Key("notes", written: \.notes, .list(of: .text), "Explanations.")
  }
}

extension Verdict.Hint: Described {
  package static let table = Table<Self>(written: "a hint") {
    Key("pack", written: \.pack, .packID, "The ID of the pack.")
    Key("files", written: \.files.count, .count, "The number of changed files.")
    Key.path("largest", written: \.files[0], "The path of the largest changed file.")
    Key(
      "paths", written: { $0.files.map(\.shown) }, .list(of: .text),
      "The paths of the changed files, the largest file first.")
    Key("update", written: \.update, .bytes, "The size of the update in bytes.")
    Key(
      "instead", written: \.instead, .bytes,
      "The size of the update if these files are in a separate pack.")
  }
}

extension Break: Described {
  package static let table = Table<Self>(written: "a break") {
    Key("breaks", written: \.breakage, .word, "The kind of the break.")
    Key("pack", written: \.pack, .packID, "The ID of the pack.")
    Key.path("path", written: \.path, "The path, if the break concerns one.")
    Key("what", written: \.what, .text, "The platform, language or policy that it concerns.")
    Key("why", written: \.breakage.reason, .text, "The effect on apps that are already released.")
  }
}

extension PackChange: Described {
  package static let table = Table<Self>(written: "a change of a pack") {
    Key(Manifest.key(of: \.assetPackID), written: \.id, .packID, "The ID of the pack.")
    Key("change", written: \.kind, .word, "The kind of the change.")
    Key(
      "oldSize", written: \.old?.downloadSize, .nullable(.bytes),
      "The size of the old archive in bytes; null if it is not known.")
    Key(
      "newSize", written: \.new?.downloadSize, .nullable(.bytes),
      "The size of the new archive in bytes; null if it is not known.")
    Key(
      "downloadedAgain", written: \.isDownloadedAgain, .flag,
      "Whether devices download the pack again.")
    Key(
      "attributes", written: \.attributes, .list(of: .object), "The changed keys of the manifest.")
    Key(
      "settings", written: \.settings, .list(of: .text),
      "The reasons why the bytes of the archive differ although the files are equal.")
    Key("files", written: \.files, .list(of: .object), "The changed files, the largest first.")
  }
}

extension PackChange.AttributeChange: Described {
  package static let table = Table<Self>(written: "a changed key") {
    Key("key", written: \.key, .text, "The key.")
    Key("old", written: \.old, .anything, "The old value.")
    Key("new", written: \.new, .anything, "The new value.")
  }
}

extension FileChange: Described {
  package static let table = Table<Self>(written: "a change of a file") {
    Key.path("path", written: \.path, "The path of the file in the pack.")
    Key(cases: "change", written: \.kind, "The kind of the change.") {
      Case("added", .added)
      Case("removed", .removed)
      Case("changed", .changed)
      Case("unknown", .unknown)
      Case("renamed", written: \.formerPath) { Key.path("from", written: \.self, "The old path.") }
      Case("moved", written: \.formerPack) {
        Key("fromPack", written: \.self, .packID, "The ID of the old pack.")
      }
    }
    Key(
      "oldSize", written: \.oldSize, .nullable(.bytes),
      "The old size in bytes; null if it is not known.")
    Key(
      "newSize", written: \.newSize, .nullable(.bytes),
      "The new size in bytes; null if it is not known.")
    Key("breaks", written: \.breakage, .nullable(.word), "The kind of break, if it is one.")
  }
}

extension FileChange.Kind {
  fileprivate var formerPath: AssetPath? { if case .renamed(let path) = self { path } else { nil } }
  fileprivate var formerPack: PackID? { if case .moved(let pack) = self { pack } else { nil } }
}

extension UpdateCosts: Described {
  package static let table = Table<Self>(written: "costs") {
    Key(
      "isKnown", written: { $0.isKnown && $0.isOldKnown }, .flag,
      "Whether the sizes and policies of all packs are known.")
    Key(
      "oldHosted", written: \.oldHosted, .nullable(.bytes),
      "The size of all old archives in bytes; null if it is not known.")
    Key(
      "hosted", written: \.hosted, .nullable(.bytes),
      "The size of all new archives in bytes; null if it is not known.")
    Key(
      "unpacked", written: \.unpacked, .nullable(.bytes),
      "The size of all files in bytes; null if it is not known.")
    Key("players", written: \.rows, .list(of: .object), "The downloads of each kind of device.")
  }
}

extension UpdateCosts.Row: Described {
  package static let table = Table<Self>(written: "the downloads of devices") {
    Key("platform", written: \.platform, .word, "The platform.")
    Key(
      "language", written: \.language, .nullable(.language),
      "The language; null for languages without separate packs.")
    Key(
      "fallback", written: \.fallback, .nullable(.language),
      "The app's primary language or next preference, if a release has no pack for 'language': "
        + "the one with the largest update.")
    Key("update", written: \.update, .bytes, "The automatic downloads of the update.")
    Key(
      "updateOnDemand", written: \.updateOnDemand, .bytes,
      "The changed packs that download on request.")
    Key(
      "oldFirstLaunch", written: \.oldFirstLaunch, .bytes,
      "The old downloads before the app opens for the first time.")
    Key(
      "firstLaunch", written: \.firstLaunch, .bytes,
      "The new downloads before the app opens for the first time.")
    Key("oldInstall", written: \.oldInstall, .bytes, "The old downloads of an installation.")
    Key("install", written: \.install, .bytes, "The new downloads of an installation.")
  }
}
