package import SystemIO

/// Looks again at files on a shelf, on a thread of its own: again and again at all of them, or only at those
/// of packs that cannot be delivered, when one is requested.
package final class Watch: Sendable {
  private let end: Alarm
  private let ended: Alarm

  /// Starts the thread; `tell` is called for each file that changed.
  ///
  /// There are at least `interval` between two looks: a file that is the same in both is complete.
  package init(
    _ shelf: Shelf, _ scope: Shelf.Scope, every interval: Duration = .milliseconds(300),
    _ tell: @escaping @Sendable (Shelf.Event) -> Void
  ) throws(Failure) {
    let (end, ended, bell) = (try Alarm(), try Alarm(), try Bell())
    (self.end, self.ended) = (end, ended)
    shelf.catalogue.tellOfOutages { bell.ring() }
    try WorkerThreads.startAlone {
      var isSettling = false
      while true {
        if scope == .withdrawn, !isSettling {
          guard (try? bell.wait(until: nil, unless: end, "packs")) == true else { break }
        }
        let seen = try? shelf.lookAgain(scope)
        for event in seen?.events ?? [] { tell(event) }
        isSettling = seen?.isSettling ?? false
        guard
          (try? waitUntil(
            .readable, -1, "", until: .now + interval, unless: end, hearingSignals: false))
            == .timedOut
        else { break }
      }
      ended.ring()
    }
  }

  /// Stops looking, and waits until nothing is looked at any more.
  package func stop() {
    end.ring()
    _ = try? waitUntil(
      .readable, ended.number, "", until: .now + .seconds(5), hearingSignals: false)
  }
}
