package import BAPackKit
import SystemIO
import Transfers

/// Waits until the service has processed uploaded versions, or until users have them.
package struct Processing {
  /// The users that must have the version.
  package enum Goal: String, Sendable, CaseIterable {
    /// Internal testers: they get a version after its processing.
    case `internal`
    /// External testers, after the review for TestFlight.
    case external
    /// All users of the app, after App Review.
    case distribution
  }

  /// A version whose processing is awaited.
  package struct Awaited: Sendable, Hashable {
    package let pack: PackID
    package let version: VersionKey

    package init(_ pack: PackID, _ version: VersionKey) {
      self.pack = pack
      self.version = version
    }
  }

  /// The state of an awaited version.
  package enum Outcome: Sendable, Equatable {
    /// The version is available to the users of the goal, or was until a newer one replaced it.
    case available
    /// Processing failed, or the version was rejected.
    case failed
    /// The version is in processing or in review, or has an unknown state.
    case unfinished

    package init(_ version: PackVersion, for goal: Goal = .internal) {
      let release = version.release(for: goal)
      let isAvailable =
        goal == .internal
        ? version.isTestable : release == goal.availableState || release == "SUPERSEDED"
      self =
        version.hasFailed || (goal != .internal && release == "REJECTED")
        ? .failed : isAvailable ? .available : .unfinished
    }
  }

  /// The error for an archive that failed in processing after an earlier upload.
  package static func failure(of pack: PackID, as version: PackVersion) -> PackError {
    PackError(
      .server(status: 200),
      "'\(pack)': the processing of \(version.key.phrase) failed: \(version.errors.phrase)",
      remedies: afterFailure)
  }

  /// The hints for an archive that failed in processing.
  static let afterFailure: [Remedy] = [
    "fix the reported errors, pack again, and upload the new archive", .uploadFailedAgain,
  ]

  /// The result of a wait.
  package struct Ending: Sendable {
    /// The last known state of each version.
    package fileprivate(set) var seen: [Awaited: PackVersion] = [:]
    /// The error that ended the wait early.
    package fileprivate(set) var failure: PackError?
  }

  /// An event of a wait.
  package enum Notice: Sendable {
    case changed(Awaited, PackVersion)
    /// These versions are still being processed; the next check follows after the pause.
    case waiting(versions: Int, Duration)
    /// The check failed, and is repeated after the pause.
    case lost(PackError, Duration)
  }

  private let service: AppStoreService
  private let app: ResourceID
  private let goal: Goal

  package init(_ service: AppStoreService, of app: ResourceID, until goal: Goal = .internal) {
    self.service = service
    self.app = app
    self.goal = goal
  }

  /// The pauses between checks; they are short again after a version changed.
  private var pauses: Backoff {
    Backoff(first: .seconds(5), factor: 1.5, longest: goal.longestPause, spread: 0.2)
  }

  /// Checks versions until all of them are processed, or until the time limit.
  ///
  /// A transient failure of a check does not end the wait. The result always contains the last
  /// known states. For `n` versions and `r` rounds there are at most `2n + 2r` requests. The time
  /// limit remains that of all later requests of the service.
  package func wait(
    for versions: [Awaited], atMost time: Duration?, notify: (Notice) -> Void = { _ in }
  ) -> Ending {
    var ending = Ending()
    var open = versions
    var pauses = pauses
    var paused: Duration = .zero
    let start = service.clock.now()
    let deadline = time.map { start.adding(seconds: Self.seconds(in: $0)) }
    defer { service.deadline = deadline }
    while !open.isEmpty {
      var loss: PackError?
      do throws(ServiceError) {
        service.deadline = deadline
        defer { service.deadline = nil }
        if try check(&open, &ending.seen, notify) { pauses.succeed() }
      } catch {
        let failure = error.error("read the versions")
        guard error.isTransient else {
          ending.failure = failure
          return ending
        }
        loss = failure
      }
      // Setting the clock back does not extend the wait.
      let passed = Duration.milliseconds(service.clock.now().milliseconds(since: start))
      let waited = max(paused, passed)
      guard !open.isEmpty, time.map({ waited < $0 }) ?? true, let next = pauses.next() else {
        return ending
      }
      let pause = max(.milliseconds(1), time.map { min(next, $0 - waited) } ?? next)
      notify(loss.map { .lost($0, pause) } ?? .waiting(versions: open.count, pause))
      do throws(ServiceError) {
        try service.wait(for: pause)
        paused += pause
      } catch {
        ending.failure = error.error("wait")
        return ending
      }
    }
    return ending
  }

  /// The seconds of a duration, rounded up.
  private static func seconds(in duration: Duration) -> Int64 {
    let (seconds, rest) = duration.components
    return rest > 0 && seconds < Int64.max ? seconds + 1 : seconds
  }

  /// Checks versions once, removes processed ones, and returns whether a version changed.
  ///
  /// One listing contains the versions that users have. Failed versions are in no listing, so
  /// each round requests one of the remaining versions, and another one if that version is
  /// processed.
  private func check(
    _ open: inout [Awaited], _ seen: inout [Awaited: PackVersion], _ notify: (Notice) -> Void
  ) throws(ServiceError) -> Bool {
    if open.count > 1, open.allSatisfy({ seen[$0] != nil }) {
      let delivered = Set(try service.packs(of: app).compactMap { $0.version(for: goal)?.id })
      open =
        open.filter { delivered.contains($0.version.id) }
        + open.filter { !delivered.contains($0.version.id) }
    }
    var hasChanged = false
    for item in open {
      let version = try service.version(item.version.id)
      let before = seen.updateValue(version, forKey: item)
      if before != version {
        hasChanged = true
        notify(.changed(item, version))
      }
      open.removeFirst()
      guard Outcome(version, for: goal) == .unfinished else { continue }
      open.append(item)
      if before != nil { break }
    }
    return hasChanged
  }
}

extension Processing.Goal {
  /// The state of a release that its users have.
  fileprivate var availableState: StateName {
    self == .distribution ? "READY_FOR_DISTRIBUTION" : "READY_FOR_TESTING"
  }

  /// The longest pause between checks: a review takes hours.
  fileprivate var longestPause: Duration { self == .internal ? .seconds(30) : .seconds(300) }
}

extension PackVersion {
  /// The state of the release for the users of a goal; nil if there is none.
  package func release(for goal: Processing.Goal) -> StateName? {
    switch goal {
    case .internal: internalState
    case .external: externalState
    case .distribution: storeState
    }
  }
}

extension PackRecord {
  /// The version that the users of a goal have.
  package func version(for goal: Processing.Goal) -> PackVersion? {
    switch goal {
    case .internal: internalVersion
    case .external: externalVersion
    case .distribution: storeVersion
    }
  }
}

/// The storage that the packs of an app use.
package struct HostedUse: Sendable, Equatable {
  package let bytes: UInt64
  package let packs: Int
  /// The number of packs with an unknown size.
  package let silent: Int

  package init(_ packs: [PackRecord]) {
    let live = packs.filter { !$0.isArchived }
    bytes = live.compactMap(\.usedBytes).reduce(0) { $0.addingSaturated($1) }
    self.packs = live.count
    silent = live.count { $0.usedBytes == nil }
  }
}
