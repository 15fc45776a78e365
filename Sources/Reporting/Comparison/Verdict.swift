package import BAPackKit
package import SourceDiagnostics
import SystemIO
import TerminalText

/// A comparison with what is said about it: what is accepted, which budgets are exceeded, what
/// would have cost less.
package struct Verdict: Sendable {
  /// What changed.
  package let comparison: Comparison
  /// What breaks, and nobody accepted.
  package let breaks: [Break]
  /// What breaks and is accepted, with the reasons.
  package let accepted: [(found: Break, reason: String, until: String)]
  /// Findings about budgets.
  package let budgets: Ledger
  /// What would have made an update smaller.
  package let hints: [Hint]
  /// Where each accepted break is.
  private let places: [BrokenPath: [Int]]

  /// A way in which an update would have cost less.
  package struct Hint: Sendable, Equatable {
    /// The pack that is downloaded again.
    package var pack: PackID
    /// The files that changed in it; the largest is named.
    package var files: Int
    package var largest: AssetPath
    /// What the update is, and what it would have been with these files in a pack of their own.
    package var update: UInt64
    package var instead: UInt64
  }

  /// Judges a comparison.
  package init(
    _ comparison: Comparison, breaks: [Break],
    accepted: [(found: Break, reason: String, until: String)] = [], budgets: Ledger = Ledger()
  ) {
    self.comparison = comparison
    self.breaks = breaks
    self.accepted = accepted
    self.budgets = budgets
    hints = Self.hints(for: comparison)
    places = Dictionary(grouping: accepted.indices) { BrokenPath(accepted[$0].found) }
  }

  /// More hints than this tell nobody what to do first.
  private static let mostHints = 3

  /// A small part of a large pack that changed makes all of it come again.
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
      guard let largest = came.first, !came.isEmpty else { return nil }
      var own: UInt64 = 0
      for file in came {
        // What a file takes in an archive of its own is what it takes in this one, and a header.
        guard let stored = file.stored else { return nil }
        own = own.addingSaturated(stored).addingSaturated(200)
      }
      guard own < size / 2 else { return nil }
      // The largest update of all players then, of which those without this pack save nothing.
      let instead = costs.rows.reduce(UInt64(0)) { most, row in
        let saved = row.downloads.contains(change.id) ? size - own : 0
        return max(most, row.wholeUpdate - min(row.wholeUpdate, saved))
      }
      guard instead < update, update - instead >= 1_000_000 else { return nil }
      return Hint(
        pack: change.id, files: came.count, largest: largest.path, update: update,
        instead: instead)
    }
    return Array(hints.sorted { $0.instead < $1.instead }.prefix(mostHints))
  }

  /// What is shown of a break in the line of its pack or file.
  package func phrase(for found: Break) -> String {
    let same = places[BrokenPath(found)]?.lazy.map { accepted[$0] }.first { $0.found == found }
    if let known = same {
      return "accepted until \(known.until): \(known.reason)"
    }
    return "BREAKS: \(found.breakage.reason)"
  }
}

extension Verdict.Hint {
  /// What would have helped; `naming` writes the name of a file in the form of the text.
  package func phrase(naming name: (String) -> String) -> String {
    let name = name(largest.name.shown)
    let what =
      files == 1
      ? "\(name) in a pack of its own"
      : "\(name) and \(Quantity.count(files - 1, "other changed file")) in a pack of their own"
    return "\(what) would have made this update \(Quantity.bytes(instead))"
  }
}

/// A way to break apps and the path that it is about, by which breaks are looked up.
struct BrokenPath: Hashable {
  let breakage: Breakage
  let path: AssetPath?

  init(breakage: Breakage, path: AssetPath?) {
    self.breakage = breakage
    self.path = path
  }

  init(_ found: Break) { self.init(breakage: found.breakage, path: found.path) }
}
