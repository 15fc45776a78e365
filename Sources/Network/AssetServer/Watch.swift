package import SystemIO

/// A thread that checks the files of packs again.
///
/// It checks all files periodically, or only the files of packs that cannot be delivered. The
/// latter are checked after a client requested such a pack or a manifest without it, and until
/// their state is the same in two checks.
package final class Watch: Sendable {
  private let end: Alarm
  private let ended: Alarm

  /// Starts the thread; calls `report` for each changed file.
  ///
  /// Two checks are at least `interval` apart: a file with the same state in both is complete.
  package init(
    _ packFolder: PackFolder, _ scope: PackFolder.Scope,
    every interval: Duration = .milliseconds(300),
    _ report: @escaping @Sendable (PackFolder.FileEvent) -> Void
  ) throws(Failure) {
    let (end, ended, bell) = (try Alarm(), try Alarm(), try Bell())
    (self.end, self.ended) = (end, ended)
    packFolder.catalogue.observeOutages { bell.ring() }
    try WorkerThreads.startAlone {
      let work = Work(until: end)
      var isSettling = false
      while true {
        if scope == .withdrawn, !isSettling {
          guard (try? bell.wait(until: nil, "packs", work)) == true else { break }
        }
        let seen = try? packFolder.refresh(scope, work)
        for event in seen?.events ?? [] { report(event) }
        isSettling = seen?.isSettling ?? false
        guard (try? work.pause(until: .now + interval)) != nil else { break }
      }
      ended.ring()
    }
  }

  /// Stops the checks, and waits at most 5 seconds until the thread has ended.
  package func stop() {
    end.ring()
    _ = try? waitUntil(.readable, ended.number, "", until: .now + .seconds(5), .unstoppable)
  }
}
