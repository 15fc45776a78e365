import SystemIO

/// Transitions that depend only on time.
extension MockStore {
  /// Applies every transition that is due; returns whether there was one.
  mutating func settle(_ switches: MockSettings, at now: Moment) -> Bool {
    guard hasDue(at: now) else { return false }
    // Files that are due at the same time keep the order of their creation.
    let due = files.all.enumerated().filter { _, file in file.due.map { $0 <= now } ?? false }
      .sorted { ($0.element.due ?? now, $0.offset) < ($1.element.due ?? now, $1.offset) }
    for (_, file) in due { settle(file, switches, at: now) }
    settleReviews(at: now)
    return true
  }

  private func hasDue(at now: Moment) -> Bool {
    func isDue(_ due: Moment?) -> Bool { due.map { $0 <= now } ?? false }
    return files.all.contains { isDue($0.due) } || releases.all.contains { isDue($0.due) }
      || submissions.all.contains { isDue($0.due) }
  }

  private mutating func settle(_ file: MockFile, _ switches: MockSettings, at now: Moment) {
    var file = file
    file.due = nil
    var judgement = file.judgement ?? .lost
    let hasFailed = !judgement.details.errors.isEmpty
    switch file.kind {
    case .manifest:
      // The errors of a manifest belong to its file; the version still waits for an archive.
      file.state = hasFailed ? .failed : .complete
      file.errors = judgement.details.errors
      files[file.id] = file
    case .asset:
      file.state = judgement.isBroken ? .failed : .complete
      if judgement.isBroken { file.errors = judgement.details.errors }
      files[file.id] = file
      guard var version = versions[file.versionID], version.state == .processing else { return }
      if hasFailed {
        fail(&version, judgement.details)
      } else {
        judgement.warnOfPlatforms(since: lastComplete(before: version))
        complete(&version, judgement, switches)
      }
    }
  }

  private func lastComplete(before version: MockVersion) -> MockVersion? {
    versions(of: version.packID).last { $0.state == .complete && $0.number < version.number }
  }

  private mutating func fail(_ version: inout MockVersion, _ details: Details) {
    version.due = nil
    version.state = .failed
    version.details = details
    versions[version.id] = version
    record(
      .version, of: version.id, version.id,
      (MockVersion.State.processing.rawValue, MockVersion.State.failed.rawValue))
  }

  private mutating func complete(
    _ version: inout MockVersion, _ judgement: Judgement, _ switches: MockSettings
  ) {
    version.due = nil
    version.state = .complete
    version.details = judgement.details
    version.platforms = judgement.platforms
    version.locale = judgement.locale
    versions[version.id] = version
    if switches.releases == .complete {
      addRelease(.externalBeta, .readyForBetaSubmission, of: version.id)
      addRelease(.appStore, .prepareForSubmission, of: version.id)
    }
    guard var pack = packs[version.packID], !pack.isArchived else { return }
    // A version that was processed after a later version replaces no version.
    let newest = versions[pack.internalBetaVersion]
    guard newest.map({ $0.number < version.number }) ?? true else {
      addRelease(.internalBeta, .superseded, of: version.id)
      return
    }
    let release = addRelease(.internalBeta, .readyForTesting, of: version.id)
    record(.internalBeta, of: version.id, release.id)
    supersede(.internalBeta, ofPack: pack.id, but: version.id)
    pack.internalBetaVersion = version.id
    packs[pack.id] = pack
  }

  @discardableResult
  mutating func addRelease(
    _ kind: MockRelease.Kind, _ state: ReleaseState, of version: String
  ) -> MockRelease {
    let release = MockRelease(id: makeID(), versionID: version, kind: kind, state: state)
    releases.add(release)
    return release
  }

  /// Withdraws earlier versions.
  private mutating func supersede(
    _ kind: MockRelease.Kind, ofPack pack: String, but version: String
  ) {
    let offered: Set<ReleaseState> = [.readyForTesting, .readyForDistribution]
    let siblings = Set(versions(of: pack).map(\.id)).subtracting([version])
    for var release in releases.all
    where release.kind == kind && siblings.contains(release.versionID)
      && offered.contains(release.state)
    {
      change(&release, to: .superseded)
    }
  }

  /// Applies the due transitions of releases and submissions that depend only on time.
  private mutating func settleReviews(at now: Moment) {
    for var release in releases.all where release.due.map({ $0 <= now }) ?? false {
      release.due = nil
      switch release.state {
      case .processingForTesting: offer(&release, as: .readyForTesting)
      case .processingForDistribution: offer(&release, as: .readyForDistribution)
      case .readyForBetaSubmission, .waitingForReview, .inReview, .rejected, .readyForTesting,
        .superseded, .prepareForSubmission, .readyForReview, .accepted, .readyForDistribution:
        releases[release.id] = release
      }
    }
    for var submission in submissions.all where submission.due.map({ $0 <= now }) ?? false {
      submission.due = nil
      submission.state = .complete
      submissions[submission.id] = submission
    }
  }

  private mutating func offer(_ release: inout MockRelease, as state: ReleaseState) {
    change(&release, to: state)
    guard let version = versions[release.versionID], var pack = packs[version.packID],
      !pack.isArchived
    else { return }
    supersede(release.kind, ofPack: pack.id, but: version.id)
    if release.kind == .appStore {
      pack.appStoreVersion = version.id
    } else {
      pack.externalBetaVersion = version.id
    }
    packs[pack.id] = pack
  }

  mutating func change(_ release: inout MockRelease, to state: ReleaseState) {
    let before = release.state
    release.state = state
    releases[release.id] = release
    // The service informs webhooks only of these states.
    if [.rejected, .readyForTesting, .readyForDistribution].contains(state) {
      record(
        .init(release.kind), of: release.versionID, release.id, (before.rawValue, state.rawValue))
    }
  }
}

extension Judgement {
  /// The judgement of a file whose bytes were lost when an older mock was killed.
  ///
  /// Only older mocks read the bytes when the file is processed, and not at its commit.
  fileprivate static var lost: Judgement {
    var judgement = Judgement()
    judgement.isBroken = true
    judgement.error("MOCK-LOST", "The bytes of the file were lost.")
    return judgement
  }

  /// Adds a warning for each platform that only the earlier version had.
  fileprivate mutating func warnOfPlatforms(since earlier: MockVersion?) {
    for platform in earlier?.platforms ?? [] where !platforms.contains(platform) {
      warning(
        "91148",
        "The previous version supports \(platform), and this one does not; the pack is no longer "
          + "available there.")
    }
  }
}
