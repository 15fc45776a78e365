import SourceDiagnostics

/// Only what is in a manifest can leave it.
enum DownloadUnknownPack {
  static let rule = Rule(
    "download.unknown-pack",
    what: "A pack that is to be removed is not in the download manifest.",
    why: "An ID that is misspelt would leave a pack on devices that was meant to go.",
    example: .init(wrong: "--remove tutorail", right: "--remove tutorial"))

  static func finding(_ id: PackID, known ids: [PackID]) -> Diagnostic {
    let known = ids.map(\.text)
    let near = Spelling.nearest(to: id.text, among: known)
    return rule.finding(
      .error, "there is no pack '\(id)' to remove", at: nil,
      notes: near == nil ? ["there are \(Diagnostic.list(known, atMost: 8))"] : [],
      fixes: near.map { [Fix("write '\($0)'", .shownOnly)] }
        ?? [Fix("name a pack of the manifest", .shownOnly)])
  }

  /// A pack that is to be published and to be removed at once.
  static func given(_ id: PackID) -> Diagnostic {
    rule.finding(
      .error, "the pack '\(id)' is given, and it is to be removed", at: nil,
      fixes: [Fix("leave out its archive or '--remove \(id)'", .shownOnly)])
  }
}
