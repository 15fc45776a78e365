import SourceDiagnostics

/// An app downloads only from hosts that it names.
enum DownloadDomain {
  static let rule = Rule(
    "download.domain",
    what: "The host of a pack is not covered by 'BADownloadDomainAllowList'.",
    why: """
      Before an app is opened for the first time, its packs come only from the hosts in that list. \
      '*.example.com' covers every host below example.com, but not example.com itself.
      """,
    example: .init(
      wrong: "BADownloadDomainAllowList = [example.com] and https://cdn.example.com/tutorial",
      right: "BADownloadDomainAllowList = [*.example.com] and https://cdn.example.com/tutorial"))

  static func finding(
    _ id: PackID, and others: [PackID], host: String, list: DomainAllowList, at span: SourceSpan?
  ) -> Diagnostic {
    let patterns: Diagnostic.Message =
      list.patterns.isEmpty
      ? "the list is empty" : "the list has \(Diagnostic.list(list.patterns, atMost: 8))"
    let malformed: [Diagnostic.Message] = list.malformed.prefix(8).map {
      "'\($0)' is no name of a host, so it covers nothing"
    }
    let packs: [Diagnostic.Message] =
      others.isEmpty ? [] : ["\(Diagnostic.list(others.map(\.text), atMost: 8)) have the same host"]
    return rule.finding(
      .error, "BADownloadDomainAllowList does not cover '\(host)', where '\(id)' is", at: span,
      notes: packs + [patterns] + malformed,
      fixes: [Fix("add '\(host)' to the list in Info.plist", .shownOnly)])
  }
}
