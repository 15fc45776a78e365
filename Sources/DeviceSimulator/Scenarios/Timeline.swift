import BAPackKit
package import SourceDiagnostics
import SystemIO
import TerminalText

extension Event {
  /// The event as JSON: `event`, `time` in milliseconds, what belongs to it, and the IDs of its rules.
  package var json: JSONValue {
    var members: [JSONValue.Member] = []
    func add(_ key: String, _ value: JSONValue) { members.append(.init(key, value)) }
    func add(_ key: String, _ number: some BinaryInteger) { add(key, .number("\(number)")) }
    func add(_ key: String, _ ids: [PackID]) { add(key, .array(ids.map { .string($0.text) })) }
    add("event", .string(name))
    add("time", time)
    switch kind {
    case .manifest(let release, let packs):
      add("release", .string(release))
      add("packs", packs)
    case .manifestFailed(let reason), .appFailed(let reason), .ignored(let reason),
      .noted(let reason):
      add("reason", .string(reason))
    case .language(let resolution):
      add("language", resolution.language.map { .string("\($0)") } ?? .null)
      add("wanted", resolution.wanted.map { .string("\($0)") } ?? .null)
    case .downloaded(let download):
      add("pack", .string(download.id.text))
      add("version", download.version)
      if let previous = download.previous { add("previousVersion", previous) }
      add("bytes", download.size)
      add("cause", .string(download.cause.rawValue))
      add("policy", .string(download.time.name))
      add("start", download.start)
      add("end", download.end)
    case .failed(let id, let reason):
      add("pack", .string(id.text))
      add("reason", .string(reason.words))
    case .present(let id, let version):
      add("pack", .string(id.text))
      add("version", version)
    case .olderOnServer(let id, let version, let own):
      add("pack", .string(id.text))
      add("version", own)
      add("offeredVersion", version)
    case .removed(let id, let version, let why):
      add("pack", .string(id.text))
      add("version", version)
      add("reason", .string(why.rawValue))
    case .obsolete(let id): add("pack", .string(id.text))
    case .waiting(let ids, let size):
      add("packs", ids)
      add("bytes", size)
    case .found(let path, let answer):
      add("path", .string(path))
      switch answer {
      case .readable(let ids, _):
        add("answer", .string("readable"))
        add("packs", ids)
      case .ambiguous(let ids):
        add("answer", .string("ambiguous"))
        add("packs", ids)
      case .folder(let ids):
        add("answer", .string("folder"))
        add("packs", ids)
      case .missing: add("answer", .string("missing"))
      case .noPack(let id):
        add("answer", .string("no-pack"))
        add("packs", [id])
      case .notKnown(let ids):
        add("answer", .string("not-known"))
        add("packs", ids)
      }
    case .status(let id, let status, let version):
      add("pack", .string(id.text))
      add("status", .array(status.map { .string($0.rawValue) }))
      if let version { add("version", version) }
    case .localLanguages(let tags): add("languages", .array(tags.map { .string("\($0)") }))
    case .disk(let used, let free):
      add("used", used)
      if let free { add("free", free) }
    case .appReady, .launched, .polled, .pollingEnded: break
    }
    add("rules", .array(rules.map { .string($0.id) }))
    return .object(members)
  }

  /// The name of its kind, as programs read it.
  package var name: String {
    switch kind {
    case .manifest: "manifest"
    case .manifestFailed: "manifest-failed"
    case .language: "language"
    case .downloaded(let download): download.previous == nil ? "downloaded" : "updated"
    case .failed: "failed"
    case .present: "present"
    case .olderOnServer: "older-on-server"
    case .removed: "removed"
    case .obsolete: "obsolete"
    case .waiting: "waiting"
    case .appReady: "app-ready"
    case .appFailed: "app-failed"
    case .launched: "launched"
    case .found: "read"
    case .status: "status"
    case .polled: "polled"
    case .pollingEnded: "polling-ended"
    case .localLanguages: "local-languages"
    case .disk: "disk"
    case .ignored: "ignored"
    case .noted: "note"
    }
  }
}

extension ScenarioRun {
  /// The whole timeline: each line with what happened, what was found, and the device at the end.
  package var members: [JSONValue.Member] {
    let lines = moments.map { moment -> JSONValue in
      let place = scenario.source.position(of: moment.line.span.start)
      var members: [JSONValue.Member] = [
        .init("line", .number("\(place.line)")),
        .init("text", .string(scenario.source.text(of: moment.line.span))),
      ]
      if let isMet = moment.isMet { members.append(.init("met", .bool(isMet))) }
      if let instead = moment.instead { members.append(.init("instead", .string(instead))) }
      if let failure = moment.failure { members.append(.init("error", .string(failure))) }
      if moment.isMet == nil {
        members.append(.init("events", .array(moment.events.map(\.json))))
      }
      return .object(members)
    }
    return [
      .init("scenario", .string(scenario.source.name)),
      .init("steps", .array(lines)),
      .init("expectations", .number("\(moments.count { $0.isMet != nil })")),
      .init("failed", .number("\(moments.count { $0.isMet == false })")),
      .init("errors", .number("\(findings.count(.error))")),
      .init("device", state.json),
    ]
  }

  /// The rules that nobody documents and that something in this run rests on.
  package var undocumented: [SemanticRule] {
    moments.flatMap(\.events).undocumented
  }

  /// The rules that something in this run rests on.
  package var rules: [SemanticRule] { moments.flatMap(\.events).rules }

  /// Runs as a JUnit report: a suite for each of them.
  package static func junit(of runs: [ScenarioRun]) -> String {
    let lines =
      [#"<?xml version="1.0" encoding="UTF-8"?>"#, "<testsuites>"] + runs.flatMap(\.suite)
      + ["</testsuites>", ""]
    return lines.joined(separator: "\n")
  }

  /// The lines of a suite: a case for each expectation.
  private var suite: [String] {
    let cases = moments.filter { $0.isMet != nil }
    let mistakes = findings.filter {
      $0.severity == .error && !ScenarioRules.isExpectation($0)
    }
    let failed = cases.count { $0.isMet == false }
    var lines = [
      "  <testsuite name=\"\(xml(scenario.source.name))\" tests=\"\(cases.count + mistakes.count)\" "
        + "failures=\"\(failed)\" errors=\"\(mistakes.count)\">"
    ]
    for moment in cases {
      let number = scenario.source.position(of: moment.line.span.start).line
      let text = xml(scenario.source.text(of: moment.line.span))
      let head =
        "    <testcase classname=\"\(xml(scenario.source.name))\" name=\"line \(number): \(text)\""
      if let instead = moment.instead {
        lines.append(head + ">")
        lines.append("      <failure message=\"\(xml(instead))\"/>")
        lines.append("    </testcase>")
      } else {
        lines.append(head + "/>")
      }
    }
    for finding in mistakes {
      let number = finding.span.map { scenario.source.position(of: $0.start).line } ?? 1
      lines.append(
        "    <testcase classname=\"\(xml(scenario.source.name))\" name=\"line \(number)\">")
      lines.append("      <error message=\"\(xml(finding.message))\"/>")
      lines.append("    </testcase>")
    }
    return lines + ["  </testsuite>"]
  }
}

extension [Event] {
  /// The rules behind these, each once, in the order of the list.
  package var rules: [SemanticRule] {
    let used = Set(flatMap(\.rules))
    return SemanticRule.all.filter(used.contains)
  }

  /// The rules that nobody documents and that these rest on, each once, in the order of the list.
  package var undocumented: [SemanticRule] {
    let used = Set(flatMap(\.undocumented))
    return SemanticRule.undocumented.filter(used.contains)
  }
}

/// A text for XML; what XML cannot have at all becomes a sign that says so.
private func xml(_ text: String) -> String {
  let allowed = text.unicodeScalars.map { scalar in
    scalar.value >= 0x20 && scalar.value != 0xFFFE && scalar.value != 0xFFFF ? scalar : "\u{FFFD}"
  }
  return inMarkup(String(String.UnicodeScalarView(allowed)))
}
