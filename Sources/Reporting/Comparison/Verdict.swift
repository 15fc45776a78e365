package import BAPackKit
package import SourceDiagnostics
import SystemIO

/// A comparison with what is said about it: what is accepted, which budgets are exceeded, what would have
/// cost less.
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

  /// A way in which an update would have cost less.
  package struct Hint: Sendable, Equatable {
    /// The pack that is downloaded again.
    package var pack: PackID
    /// The files that changed in it; the largest is named.
    package var files: Int
    package var largest: [UInt8]
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
  }

  /// More hints than this tell nobody what to do first.
  private static let mostHints = 3

  /// A small part of a large pack that changed makes all of it come again.
  private static func hints(for comparison: Comparison) -> [Hint] {
    guard let update = comparison.costs.largestUpdate?.wholeUpdate else { return [] }
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
      let saved = size - min(size, own)
      guard saved >= 1_000_000, own < size / 2 else { return nil }
      return Hint(
        pack: change.id, files: came.count, largest: largest.path, update: update,
        instead: update - min(update, saved))
    }
    return Array(hints.sorted { $0.instead < $1.instead }.prefix(mostHints))
  }

  /// What is shown of a break in the line of its pack or file.
  package func words(for found: Break) -> String {
    if let known = accepted.first(where: { $0.found == found }) {
      return "accepted until \(known.until): \(known.reason)"
    }
    return "BREAKS: \(found.breakage.reason)"
  }
}
