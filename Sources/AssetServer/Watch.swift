package import SystemIO

/// Looks again and again whether the files on a shelf have changed, on a thread of its own.
package final class Watch: Sendable {
  private let end: Alarm
  private let ended: Alarm

  /// Begins to look every so often; `tell` hears what became of files that changed.
  package init(
    _ shelf: Shelf, every interval: Duration = .milliseconds(300),
    _ tell: @escaping @Sendable (Shelf.Event) -> Void
  ) throws(Failure) {
    let (end, ended) = (try Alarm(), try Alarm())
    (self.end, self.ended) = (end, ended)
    try WorkerThreads.startAlone {
      while (try? waitUntil(
        .readable, -1, "", until: .now + interval, unless: end, hearingSignals: false)) == .timedOut
      {
        for event in (try? shelf.lookAgain()) ?? [] { tell(event) }
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
