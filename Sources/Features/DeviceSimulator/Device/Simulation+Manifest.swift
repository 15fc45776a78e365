import BAPackKit
import Faults

// The manifest, and what the app and the user learn from it.
extension Simulation {
  /// The packs that the device is offered, which depend on its platform and system.
  var offered: Release? { state.manifest?.offered(to: state.profile) }

  /// Requests the manifest; returns false if that fails.
  mutating func fetchManifest() -> Bool {
    guard state.isOnline else {
      emit(.manifestFailed("the device is offline"), .manifestFails)
      return false
    }
    guard state.isOffered, var live = state.live[state.profile.channel] else {
      emit(.manifestFailed("no release is published"), .manifestFails)
      return false
    }
    // The stale manifest of the first release is the current one, because there is no earlier one.
    // The size of the manifest is unknown here.
    let fault = state.faults.strike(
      .manifest, bodyOf: Self.manifestSize, except: (live.release ?? 0) == 0 ? .stale : nil)
    switch fault?.effect {
    case nil: break
    case .stale?: live = LiveRelease(release: live.release.map { $0 - 1 })
    case .notJSON?:
      emit(.manifestFailed("the response is not a manifest"), .manifestFails, .retries)
      return false
    case let effect?:
      guard Self.fails(effect) else { break }
      emit(.manifestFailed(Self.text(of: effect)), .manifestFails, .retries)
      return false
    }
    switch source.manifest(of: live, platform) {
    case .failure(let trouble):
      emit(.manifestFailed(trouble.reason), .manifestFails)
      return false
    case .success(let release):
      let before = offered
      state.manifest = release
      let now = offered
      emit(
        .manifest(release: release.name, packs: now?.packs.count ?? 0),
        [.platform, .manifestAsked] + (hasChannels ? [.channelLive] : []) + release.rules)
      reportPacksOfOtherPlatforms(release)
      reportOldPacks(before, now)
      return true
    }
  }

  /// Reports packs that the manifest lists although their archives are for other platforms.
  mutating func reportPacksOfOtherPlatforms(_ release: Release) {
    for pack in release.packs
    where pack.rules.contains(.platformOfArchive) && !pack.offered.isOffered(on: platform) {
      emit(.noted(pack.platformMistake(on: platform)), .platform, .platformOfArchive)
    }
  }

  var platform: Platform { state.profile.platform }

  /// Whether the channels offer different packs.
  var hasChannels: Bool {
    Channel.allCases.contains { state.live[$0] != state.live[.store] }
  }

  /// Publishes versions of internal testing in another channel.
  mutating func submit(_ ids: [PackID], to channel: Channel) {
    guard let live = state.live[.internal], let number = live.release,
      case .success(let release) = source.manifest(number, platform)
    else { return emit(.ignored("no release is in internal testing")) }
    for id in ids.isEmpty ? release.packs.map(\.id) : ids {
      guard release[id] != nil else {
        emit(.ignored("'\(id)' is not in internal testing"))
        continue
      }
      state.live[channel, default: LiveRelease()].submitted[id] = number
    }
  }

  mutating func reportOldPacks(_ before: Release?, _ now: Release?) {
    for id in state.installedIDs {
      guard let own = state.installed[id]?.pack else { continue }
      guard let pack = now?[id] else {
        if before?[id] != nil || before == nil { emit(.obsolete(id), .obsolete) }
        continue
      }
      if pack.version < own.version {
        emit(.olderOnServer(id, version: pack.version, own: own.version), .versionFalls)
      }
    }
  }
}

extension ReleaseSource {
  /// Returns the manifest of a channel: its release, with the packs that were submitted later.
  func manifest(
    of live: LiveRelease, _ platform: Platform
  ) -> Result<Release, ReleaseFailure> {
    var packs: [ReleasedPack] = []
    var name = ""
    var rules: [SemanticRule] = []
    if let number = live.release {
      switch manifest(number, platform) {
      case .failure(let failure): return .failure(failure)
      case .success(let release):
        if live.submitted.isEmpty { return .success(release) }
        (name, packs, rules) = (release.name, release.packs, release.rules)
      }
    }
    for (id, number) in live.submitted.sorted(by: { $0.key < $1.key }) {
      switch manifest(number, platform) {
      case .failure(let failure): return .failure(failure)
      case .success(let release):
        guard let pack = release[id] else { continue }
        if let place = packs.firstIndex(where: { $0.id == id }) {
          packs[place] = pack
        } else {
          packs.append(pack)
        }
        if name.isEmpty { name = release.name }
      }
    }
    return .success(Release(name, packs, rules: rules))
  }
}
