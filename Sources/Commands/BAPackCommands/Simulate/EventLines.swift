import BAPackKit
import DeviceSimulator
import TerminalText

/// Marks the first event of each undocumented rule.
struct RuleMarks {
  private var seen: Set<SemanticRule> = []

  mutating func mark(_ event: Event) -> String {
    let new = event.undocumented.filter { seen.insert($0).inserted }
    return new.isEmpty ? "" : "  ?"
  }

  /// Returns the explanation of the marks of events; nil without marks.
  static func note(on events: [Event]) -> String? {
    let count = events.undocumented.count
    if count == 0 { return nil }
    return "\(Quantity.count(count, "rule")) \(count == 1 ? "is" : "are") undocumented: "
      + "marked '?', see --explain"
  }
}

/// Lines for events, with columns for packs.
struct EventLines {
  /// The width of the column with IDs.
  private let id: Int

  init(_ events: [Event]) {
    let widths = events.compactMap(\.kind.download).map {
      ColumnCount(shown($0.id.text)).columns
    }
    id = min(40, widths.max() ?? 0)
  }

  func row(_ download: Event.Download, isLastEssential: Bool, _ ready: UInt64?) -> String {
    var policy = download.time.name
    if isLastEssential {
      policy += ": the app can be opened"
      if let ready, download.end > 0 {
        policy += " after \(Quantity.wholeSeconds(Double(ready) / 1000))"
      } else {
        policy += " after this download"
      }
    }
    return pad(shown(download.id.text), id + 2) + pad(Quantity.bytes(download.size), 10) + policy
  }

  /// Returns the event on one line; nil for events that only JSON contains.
  func line(_ event: Event) -> String? {
    switch event.kind {
    case .manifest: nil
    case .manifestFailed(let reason): "no manifest: \(shown(reason))"
    case .language(let resolution): "language    \(resolution.phrase)"
    case .downloaded(let download):
      (download.previous == nil ? "downloaded  " : "updated     ")
        + "\(pad(shown(download.id.text), id + 2))\(pad(Quantity.bytes(download.size), 10))"
        + (download.previous.map { "version \($0) -> \(download.version)" }
          ?? (download.cause == .installation || download.cause == .appUpdate
            ? download.time.name : download.cause.rawValue))
    case .failed(let id, let reason): "failed      \(shown(id.text)): \(shown(reason.phrase))"
    case .present: nil
    case .olderOnServer(let id, let version, let own):
      "kept        \(shown(id.text)): version \(own), the server has the older \(version)"
    case .removed(let id, _, let why): "removed     \(shown(id.text)): \(why.phrase)"
    case .obsolete(let id): "obsolete    \(shown(id.text))"
    case .waiting(let ids, let size):
      "on demand   \(Quantity.count(ids.count, "pack")), \(Quantity.bytes(size))"
    case .appReady: "app         can be opened"
    case .appFailed(let reason): "app         \(shown(reason))"
    case .ignored(let reason): "ignored     \(shown(reason))"
    case .localLanguages(let tags):
      "languages   \(tags.map { "\($0)" }.joined(separator: ", "))"
    case .launched: nil
    case .found(let path, let answer): "read        \(answer.phrase(path))"
    case .status(let id, let status, let version, let updates):
      "\(pad(shown(id.text), max(12, ColumnCount(shown(id.text)).columns + 2)))"
        + (version.map { "version \($0): " } ?? "")
        + (status.isEmpty ? "unknown" : status.map(\.rawValue).joined(separator: ", "))
        + (updates.isEmpty
          ? "" : "; statusUpdates: " + updates.map(\.rawValue).joined(separator: ", "))
    case .polled: "polled      the system checked for updates"
    case .pollingEnded: "polled      the system stopped checking for updates"
    case .disk(let used, let free):
      "disk        \(Quantity.bytes(used))" + (free.map { " of \(Quantity.bytes($0))" } ?? "")
    case .noted(let phrase): "note        \(shown(phrase))"
    }
  }
}

/// Adds at least one space to a text.
func pad(_ text: String, _ width: Int) -> String { text.padded(to: width - 1) + " " }

extension LanguageResolution {
  /// `es-MX -> es-US (same language and script; another region)`.
  var phrase: String {
    guard wanted != nil || language != nil else { return "none (no language requested)" }
    let wanted = wanted.map { "\($0)" } ?? "none"
    let found = language.map { "\($0)" } ?? "none"
    if chosenByApp != nil { return "\(wanted) -> \(found) (selected by the app)" }
    let why =
      switch choice.match {
      case .equivalent: "equal"
      case .otherRegion: "same language and script; another region"
      case .parent: "a related language"
      case .primary: "the app's primary language"
      case .none: "no pack for it"
      }
    return "\(wanted) -> \(found) (\(why))"
  }
}

extension Event.Removal {
  var phrase: String {
    switch self {
    case .obsolete: "it is obsolete"
    case .language: "the device's language does not need it"
    case .byApp: "the app removed it"
    }
  }
}
