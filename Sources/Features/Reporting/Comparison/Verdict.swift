package import BAPackKit
package import SourceDiagnostics
import SystemIO
import TerminalText

/// A comparison with its assessment: accepted breaks, exceeded budgets and hints for smaller
/// updates.
package struct Verdict: Sendable {
  /// The changes.
  package let comparison: Comparison
  /// The channel of the old packs; nil if they are not those of a channel.
  package let channel: String?
  /// The breaks that are not accepted.
  package let breaks: [Break]
  package let accepted: [(found: Break, reason: String, until: String)]
  /// The findings about budgets.
  package let budgets: Ledger
  /// The hints for smaller updates.
  package let hints: [Hint]
  /// The indices of the accepted breaks.
  private let places: [BrokenPath: [Int]]

  /// A way to make an update smaller.
  package struct Hint: Sendable, Equatable {
    /// The pack that is downloaded again.
    package var pack: PackID
    /// Its changed files, the largest one first.
    package var files: [AssetPath]
    /// The size of the update, and its size if these files were in a separate pack.
    package var update: UInt64
    package var instead: UInt64
  }

  /// Assesses a comparison.
  package init(
    _ comparison: Comparison, channel: String? = nil, breaks: [Break],
    accepted: [(found: Break, reason: String, until: String)] = [], budgets: Ledger = Ledger()
  ) {
    self.comparison = comparison
    self.channel = channel
    self.breaks = breaks
    self.accepted = accepted
    self.budgets = budgets
    hints = Self.hints(for: comparison)
    places = Dictionary(grouping: accepted.indices) { BrokenPath(accepted[$0].found) }
  }

  /// The maximum number of hints.
  private static let mostHints = 3

  /// Returns hints for large packs of which only a small part changed.
  private static func hints(for comparison: Comparison) -> [Hint] {
    let costs = comparison.costs
    guard costs.isKnown, costs.isOldKnown, let update = costs.largestUpdate?.wholeUpdate else {
      return []
    }
    let hints = comparison.changes.compactMap { change -> Hint? in
      guard change.isDownloadedAgain, let size = change.downloadAgain, change.old != nil else {
        return nil
      }
      let came = change.files.filter { $0.kind != .removed }
      guard !came.isEmpty else { return nil }
      var own: UInt64 = 0
      for file in came {
        // A file in a separate archive takes as many bytes as in this one, plus a header.
        guard let stored = file.stored else { return nil }
        own = own.addingSaturated(stored).addingSaturated(200)
      }
      guard own < size / 2 else { return nil }
      let instead = comparison.costs(separating: own, from: change.id).largestUpdate?.wholeUpdate
      guard let instead, instead < update, update - instead >= 1_000_000 else { return nil }
      return Hint(pack: change.id, files: came.map(\.path), update: update, instead: instead)
    }
    return Array(hints.sorted { $0.instead < $1.instead }.prefix(mostHints))
  }

  /// Returns the text for a break in the line of its pack or file.
  package func phrase(for found: Break) -> String {
    let same = places[BrokenPath(found)]?.lazy.map { accepted[$0] }.first { $0.found == found }
    if let known = same {
      return "accepted until \(known.until): \(known.reason)"
    }
    return "BREAKS: \(found.breakage.reason)"
  }
}

extension Verdict.Hint {
  /// Returns the text of the hint; `naming` formats the name of a file.
  package func phrase(naming name: (String) -> String) -> String {
    let names = files.prefix(Self.mostNames).map { name($0.name.shown) }
    let others = files.count - names.count
    let last = others > 0 ? Quantity.count(others, "other changed file") : nil
    let words = names + (last.map { [$0] } ?? [])
    let what =
      words.count < 2
      ? words.joined()
      : words.dropLast().joined(separator: ", ") + " and " + (words.last ?? "")
    return "\(what) in a separate pack would reduce this update to \(Quantity.bytes(instead))"
  }

  /// The number of files that the text names.
  private static let mostNames = 3
}

/// A kind of break with its pack and path, as a key of dictionaries.
struct BrokenPath: Hashable {
  let breakage: Breakage
  let path: AssetPath?

  init(breakage: Breakage, path: AssetPath?) {
    self.breakage = breakage
    self.path = path
  }

  init(_ found: Break) { self.init(breakage: found.breakage, path: found.path) }
}
