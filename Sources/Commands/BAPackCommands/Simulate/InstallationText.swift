import BAPackKit
import DeviceSimulator
import SourceDiagnostics
import TerminalText

/// The text for an installation, in sections with titles.
///
/// The first section has the packs of all devices. The packs of the language, the on-demand packs,
/// the space and the shared paths follow.
struct InstallationText {
  private let result: InstallationResult
  private let console: Console
  private let lines: EventLines
  /// The essential pack that the device downloads last.
  private let lastEssential: PackID?
  /// The duration in milliseconds until the user can open the app.
  private let readyTime: UInt64?
  private var marks = RuleMarks()
  /// The title for the next line; empty if the section has a line.
  private var title: String

  init(_ result: InstallationResult, _ console: Console) {
    self.result = result
    self.console = console
    lines = EventLines(result.events)
    title = "install"
    lastEssential = result.events.compactMap(\.kind.download).last { $0.time == .beforeLaunch }?.id
    readyTime = result.events.first { $0.kind == .appReady }?.time
  }

  mutating func write() {
    writeChanges()
    writeWaitingPacks()
    writeSharedPaths()
    console.result(summary)
    for reason in result.reasons { write(reason) }
  }

  private mutating func write(_ line: String) {
    console.result(pad(title, 13) + line)
    title = ""
  }

  private mutating func write(_ line: String, _ event: Event) { write(line + marks.mark(event)) }

  // MARK: Changes

  /// Writes the changes on the device, with the packs of the language last.
  private mutating func writeChanges() {
    let language = result.events.first { $0.kind.resolution != nil }
    let isLocalized = { [device = result.device] (event: Event) -> Bool in
      guard language != nil, let id = event.kind.download?.id else { return false }
      return device.installed[id]?.pack.offered.language != nil
    }
    for event in result.events where !isLocalized(event) {
      if let line = line(event) { write(line, event) }
    }
    guard let language, let resolution = language.kind.resolution else { return }
    title = "language"
    write(resolution.phrase, language)
    for event in result.events where isLocalized(event) {
      if let line = line(event) { write(line, event) }
    }
  }

  private func line(_ event: Event) -> String? {
    switch event.kind {
    case .downloaded(let download):
      lines.row(download, isLastEssential: download.id == lastEssential, readyTime)
    case .failed(let id, let reason): "\(shown(id.text)): \(reason.phrase)"
    case .removed(let id, _, let why): "\(shown(id.text)) is removed: \(why.phrase)"
    case .olderOnServer: lines.line(event)
    case .appFailed(let reason): "the app is not installed: \(reason)"
    case .ignored(let reason): reason
    case .manifestFailed(let reason): "no manifest: \(reason)"
    case .noted(let phrase): phrase
    case .manifest, .language, .present, .obsolete, .waiting, .appReady, .launched, .found,
      .status, .polled, .pollingEnded, .localLanguages, .disk:
      nil
    }
  }

  // MARK: On-demand packs, space and shared paths

  private static let mostNamed = 10

  private mutating func writeWaitingPacks() {
    for event in result.events {
      if case .waiting(let ids, _) = event.kind {
        title = "on demand"
        let names = ids.prefix(Self.mostNamed).map { id in
          let size = result.device.manifest?[id]?.offered.size.download ?? 0
          return "\(shown(id.text)) \(Quantity.bytes(size))"
        }
        let more = ids.count > names.count ? ", and \(ids.count - names.count) more" : ""
        write(names.joined(separator: ", ") + more, event)
      } else if case .disk(let used, let free) = event.kind {
        title = "disk"
        write(Quantity.bytes(used) + (free.map { " of \(Quantity.bytes($0))" } ?? ""), event)
      }
    }
  }

  private mutating func writeSharedPaths() {
    let paths = result.shared.paths.filter { $0.hasSameBytes != true }
    title = "ambiguous"
    for path in paths.prefix(Self.mostNamed) {
      let packs = Finding.list(path.packs.prefix(5).map(\.text)).text
      let names = ([path.path] + path.alike).map { shown($0) }
      write(
        "\(Finding.list(names).text) \(names.count > 1 ? "are" : "is") in \(packs)"
          + (names.count > 1 ? ", and may be one file" : "") + "  ?")
    }
    if paths.count > Self.mostNamed { write("and \(paths.count - Self.mostNamed) more paths") }
    let same = result.shared.paths.count - paths.count
    title = "shared"
    if same > 0 { write("\(Quantity.count(same, "path")) with the same bytes in several packs") }
  }

  // MARK: Summary

  private var summary: String {
    let early = result.events.compactMap(\.kind.download).filter { $0.end <= 60_000 }
    let size = early.reduce(UInt64(0)) { $0.addingSaturated($1.size) }
    let when = result.device.profile.bytesPerSecond == nil ? "" : " in the first minute"
    let note = RuleMarks.note(on: result.events).map { "   " + $0 } ?? ""
    return "\(Quantity.count(early.count, "pack")), \(Quantity.bytes(size))\(when).\(note)"
  }

  private func write(_ reason: PackReason) {
    let verb = reason.isOnDevice ? "is on the device" : "is not on the device"
    console.result("'\(shown(reason.id.text))' \(verb): \(shown(reason.phrase))")
    for rule in reason.rules {
      console.result("    \(rule.isDocumented ? "" : "? ")\(rule.statement)")
    }
  }
}
