import SystemIO

/// What becomes of things by themselves, when their time has come.
extension Store {
  /// The files that are to be looked at by now.
  func dueFiles(at now: Moment) -> [UploadFile] {
    files.all.filter { file in file.due.map { $0 <= now } ?? false }
  }

  /// Whether anything passes by now.
  func hasDue(at now: Moment) -> Bool {
    func isDue(_ due: Moment?) -> Bool { due.map { $0 <= now } ?? false }
    return files.all.contains { isDue($0.due) } || releases.all.contains { isDue($0.due) }
      || submissions.all.contains { isDue($0.due) }
  }

  /// What a look at the bytes of a file said.
  struct Judgement: Sendable {
    var details = Details()
    /// Whether the bytes are no file of their kind at all.
    var isBroken = false
    var platforms: [String] = []
    var locale: String?
  }

  /// Takes up what a look at a file said.
  mutating func settle(_ id: String, _ judgement: Judgement, _ switches: Switches, at now: Moment) {
    // Two requests may have found the same file due.
    guard var file = files[id], file.due != nil, var version = versions[file.versionID] else {
      return
    }
    file.due = nil
    let hasFailed = !judgement.details.errors.isEmpty
    switch file.kind {
    case .manifest:
      let isFilesFault = switches.manifestErrors == "file"
      file.state = hasFailed && isFilesFault ? .failed : .complete
      if hasFailed, isFilesFault { file.errors = judgement.details.errors }
      files[id] = file
      if hasFailed, !isFilesFault, version.state == .awaitingUpload {
        fail(&version, judgement.details, at: now)
      }
    case .asset:
      file.state = judgement.isBroken ? .failed : .complete
      if judgement.isBroken { file.errors = judgement.details.errors }
      files[id] = file
      guard version.state == .processing else { return }
      if hasFailed {
        fail(&version, judgement.details, at: now)
      } else {
        complete(&version, judgement, switches, at: now)
      }
    }
  }

  private mutating func fail(_ version: inout Version, _ details: Details, at now: Moment) {
    let old = version.state
    version.due = nil
    version.state = .failed
    version.details = details
    versions[version.id] = version
    tell(
      "BACKGROUND_ASSET_VERSION_STATE_UPDATED", "backgroundAssetVersions", version.id,
      from: old.rawValue, to: version.state.rawValue, at: now)
  }

  private mutating func complete(
    _ version: inout Version, _ judgement: Judgement, _ switches: Switches, at now: Moment
  ) {
    version.due = nil
    version.state = .complete
    version.details = judgement.details
    version.platforms = judgement.platforms
    version.locale = judgement.locale
    versions[version.id] = version
    if switches.releases == "complete" {
      addRelease(.externalBeta, .readyForBetaSubmission, of: version.id)
      addRelease(.appStore, .prepareForSubmission, of: version.id)
    }
    guard var pack = packs[version.packID], !pack.isArchived else { return }
    // A version that was slower than a later one replaces nothing.
    let newest = versions[pack.internalBetaVersion]
    guard newest.map({ $0.number < version.number }) ?? true else {
      addRelease(.internalBeta, .superseded, of: version.id)
      return
    }
    let made = addRelease(.internalBeta, .readyForTesting, of: version.id)
    supersede(.internalBeta, ofPack: pack.id, but: version.id, at: now)
    pack.internalBetaVersion = version.id
    packs[pack.id] = pack
    tell(
      "BACKGROUND_ASSET_VERSION_INTERNAL_BETA_RELEASE_CREATED", Release.Kind.internalBeta.rawValue,
      made.id, from: nil, to: nil, at: now)
  }

  @discardableResult
  mutating func addRelease(
    _ kind: Release.Kind, _ state: ReleaseState, of version: String
  ) -> Release {
    let release = Release(id: makeID(), versionID: version, kind: kind, state: state)
    releases.add(release)
    return release
  }

  /// Takes what was offered before off the offer.
  private mutating func supersede(
    _ kind: Release.Kind, ofPack pack: String, but version: String, at now: Moment
  ) {
    let offered: Set<ReleaseState> = [.readyForTesting, .readyForDistribution]
    let siblings = Set(versions(of: pack).map(\.id)).subtracting([version])
    for var release in releases.all
    where release.kind == kind && siblings.contains(release.versionID)
      && offered.contains(release.state)
    {
      change(&release, to: .superseded, at: now)
    }
  }

  /// Lets releases and submissions pass that only wait for their time.
  mutating func settleReviews(at now: Moment) {
    for var release in releases.all where release.due.map({ $0 <= now }) ?? false {
      release.due = nil
      switch release.state {
      case .processingForTesting: offer(&release, as: .readyForTesting, at: now)
      case .processingForDistribution: offer(&release, as: .readyForDistribution, at: now)
      default: releases[release.id] = release
      }
    }
    for var submission in submissions.all where submission.due.map({ $0 <= now }) ?? false {
      submission.due = nil
      submission.state = .complete
      submissions[submission.id] = submission
    }
  }

  private mutating func offer(_ release: inout Release, as state: ReleaseState, at now: Moment) {
    change(&release, to: state, at: now)
    guard let version = versions[release.versionID], var pack = packs[version.packID],
      !pack.isArchived
    else { return }
    supersede(release.kind, ofPack: pack.id, but: version.id, at: now)
    if release.kind == .appStore {
      pack.appStoreVersion = version.id
    } else {
      pack.externalBetaVersion = version.id
    }
    packs[pack.id] = pack
  }

  /// Gives a release another state; webhooks hear of those that matter to them.
  mutating func change(_ release: inout Release, to state: ReleaseState, at now: Moment) {
    let old = release.state
    release.state = state
    releases[release.id] = release
    guard [.rejected, .readyForTesting, .readyForDistribution].contains(state) else { return }
    switch release.kind {
    case .internalBeta: return
    case .externalBeta:
      tell(
        "BACKGROUND_ASSET_VERSION_EXTERNAL_BETA_RELEASE_STATE_UPDATED", release.kind.rawValue,
        release.id, from: old.rawValue, to: state.rawValue, at: now)
    case .appStore:
      tell(
        "BACKGROUND_ASSET_VERSION_APP_STORE_RELEASE_STATE_UPDATED", release.kind.rawValue,
        release.id, from: old.rawValue, to: state.rawValue, at: now)
    }
  }

  private mutating func tell(
    _ type: String, _ instanceType: String, _ instance: String, from old: String?, to new: String?,
    at now: Moment
  ) {
    events.append(
      WebhookEvent(
        id: makeID(), type: type, instanceType: instanceType, instanceID: instance, time: now,
        newState: new, oldState: old))
  }
}
