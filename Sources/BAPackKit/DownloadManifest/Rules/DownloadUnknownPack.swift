import SourceDiagnostics

/// Only what is in a manifest can leave it.
enum DownloadUnknownPack {
  static let rule = Rule(
    "download.unknown-pack",
    what: "A pack that is to be removed is not in the download manifest.",
    why: "An ID that is misspelt would leave a pack on devices that was meant to go.",
    example: .init(wrong: "--remove tutorail", right: "--remove tutorial"))

  static func finding(_ id: String, known: [String]) -> Diagnostic {
    let near = Spelling.nearest(to: id, among: known)
    return rule.finding(
      .error, "there is no pack '\(id)' to remove", at: nil,
      notes: near == nil && !known.isEmpty ? ["there are \(Diagnostic.list(known))"] : [],
      fixes: near.map { [Fix("write '\($0)'", .shownOnly)] } ?? [])
  }
}
