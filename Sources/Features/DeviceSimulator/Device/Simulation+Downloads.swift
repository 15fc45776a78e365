import BAPackKit
import Faults
import SystemIO

// Downloads, with their faults and the settings of the user.
extension Simulation {
  /// A size that is larger than any manifest, so that every fault with a byte count applies.
  static let manifestSize: UInt64 = 1 << 40

  /// Returns whether a fault makes a download fail; a pause only delays it.
  static func fails(_ effect: DownloadEffect) -> Bool {
    if case .stall = effect { false } else { true }
  }

  static func text(of effect: DownloadEffect) -> String {
    switch effect {
    case .cut: "the connection ended during the download"
    case .reset: "the connection was reset"
    case .status(let code, _): "the server responded with \(code)"
    case .stall: "the download stalled"
    case .truncate: "the archive is shorter than the manifest specifies"
    case .corrupt: "the archive is damaged"
    case .stale: "the manifest is outdated"
    case .notJSON: "the response is not a manifest"
    case .tlsClose: "the connection ended during the TLS handshake"
    }
  }

  /// Downloads a pack; a failed download changes no pack.
  mutating func download(
    _ pack: ReleasedPack, _ cause: Event.Cause, isRequested: Bool, _ rules: [SemanticRule]
  ) -> Bool {
    let id = pack.id
    let isBySystem = cause == .installation || cause == .appUpdate
    if isBySystem, state.installed[id] == nil, state.refused.contains(id) {
      emit(.failed(id, .refused), [.shouldDownload])
      return false
    }
    guard !isBySystem || checkSettings(for: pack) else { return false }
    // The app receives the updates of the downloads that begin while it runs.
    let isSeen = state.lastLaunch != nil && !isBySystem && !isPolling
    if isSeen { state.updates[id, default: []].append(.began) }
    var came = received(pack, cause, isRequested: isRequested, rules, isSeen: isSeen)
    if !came, !state.profile.follows(.retries), events.last?.isTransient ?? false {
      let failure = events.count - 1
      came = received(pack, cause, isRequested: isRequested, rules, isSeen: isSeen)
      if came { events.remove(at: failure) }
    }
    if isSeen { state.updates[id, default: []].append(came ? .finished : .failed) }
    return came
  }

  /// Reports a failure if the settings of the user do not allow a download by the system now;
  /// returns false then.
  mutating func checkSettings(for pack: ReleasedPack) -> Bool {
    let isEssential = pack.offered.policy.earliestTime == .beforeLaunch
    for condition in AutomaticDownloads.allCases where state.disallowed.contains(condition) {
      if isEssential, condition != .inAppContent { continue }
      emit(
        .failed(pack.id, .disallowed(condition)),
        condition == .inAppContent ? .inAppContent : .backgroundDownloads)
      return false
    }
    return true
  }

  /// Cancels the download of a pack if the app requested it; returns whether it is cancelled.
  mutating func cancelIfRequested(_ id: PackID) -> Bool {
    guard state.cancelling.remove(id) != nil else { return false }
    guard state.cancelled.insert(id).inserted || !state.profile.failsSecondCancellation else {
      emit(.noted("the cancellation of '\(id)' fails with code 113"), .secondCancellation)
      return false
    }
    emit(.failed(id, .cancelled), .cancellation)
    return true
  }

  /// Receives a pack and installs it; a failed download changes no pack.
  mutating func received(
    _ pack: ReleasedPack, _ cause: Event.Cause, isRequested: Bool, _ rules: [SemanticRule],
    isSeen: Bool
  ) -> Bool {
    let id = pack.id
    guard state.isOnline else {
      emit(.failed(id, .offline), .retries)
      return false
    }
    guard state.isOffered else {
      emit(.failed(id, .trouble("no release is published")), .retries)
      return false
    }
    // The manifest contains the size of the archive, but not the sizes of its files.
    // In the other behavior, the archive is unpacked while it is received.
    let archive = state.profile.follows(.lowStorage) ? pack.offered.size.download : 0
    guard checkRoom(for: archive, of: id, includesFiles: false) else { return false }
    if isSeen { state.updates[id, default: []].append(.downloading) }
    if cancelIfRequested(id) { return false }
    let start = state.clock
    state.pass(duration(of: pack.offered.size.download))
    guard !applyFault(to: pack, isSeen: isSeen) else { return false }
    state.partial[PartialDownload(pack)] = nil
    switch source.download(pack) {
    case .failure(let trouble):
      emit(.failed(id, .trouble(trouble.reason)))
      return false
    case .success(let delivered):
      guard delivered.offered.isOffered(on: platform) else {
        emit(
          .failed(id, .trouble(delivered.platformMistake(on: platform))),
          [.platform, .platformOfArchive])
        return false
      }
      let needed = archive.addingSaturated(delivered.offered.size.unpacked)
      guard checkRoom(for: needed, of: id, includesFiles: true) else { return false }
      let own = state.installed[id]
      state.put(
        InstalledPack(delivered, isRequested: isRequested || own?.isRequested ?? false))
      emit(
        .downloaded(
          .init(
            id: id, version: pack.version, previous: own?.pack.version,
            size: pack.offered.size.download, cause: cause, start: start, end: state.clock,
            time: pack.offered.policy.earliestTime)),
        rules + (own == nil ? [] : [.versionRises, .replaced, .wholeDownload]) + delivered.rules)
      return true
    }
  }

  /// Reports a failure if the device has less than `needed` free bytes; returns false then.
  mutating func checkRoom(
    for needed: UInt64, of id: PackID, includesFiles: Bool
  ) -> Bool {
    guard let free = state.profile.free else { return true }
    let left = free - min(free, state.used)
    guard needed > left else { return true }
    emit(
      .failed(id, .noRoom(needed: needed, left: left, includesFiles: includesFiles)), .lowStorage)
    return false
  }

  /// Applies the next fault of a pack; returns whether the download fails.
  mutating func applyFault(to pack: ReleasedPack, isSeen: Bool) -> Bool {
    let size = pack.offered.size.download
    let part = PartialDownload(pack)
    let rest = size - min(size, state.partial[part] ?? 0)
    guard let effect = state.faults.strike(.pack(pack.id.text), bodyOf: rest)?.effect else {
      return false
    }
    notePart(effect, of: part, size: size, rest: rest)
    if case .stall(let time) = effect {
      if isSeen { state.updates[pack.id, default: []] += [.paused, .downloading] }
      state.pass(UInt64(clamping: time.wholeMilliseconds))
    }
    guard Self.fails(effect) else { return false }
    let isDamage =
      switch effect {
      case .truncate, .corrupt: true
      case .cut, .reset, .status, .stall, .stale, .notJSON, .tlsClose: false
      }
    emit(
      .failed(pack.id, .trouble(Self.text(of: effect))),
      isDamage ? [.damaged, .noDigest] : [.retries])
    return true
  }

  /// Records how much of an archive the device has after a fault.
  mutating func notePart(
    _ effect: DownloadEffect, of part: PartialDownload, size: UInt64, rest: UInt64
  ) {
    switch effect {
    // The number of bytes that a reset discards is unknown; the simulation assumes all.
    case .status, .stall, .stale, .notJSON, .tlsClose, .reset: break
    case .cut(let amount): state.partial[part] = size - rest + amount.bytes(of: rest)
    // A whole archive with another size is rejected before its transfer; a resumed one ends early.
    case .truncate: state.partial[part] = rest == size ? nil : size - (rest + 1) / 2
    case .corrupt: state.partial[part] = nil
    }
  }

  func duration(of size: UInt64) -> UInt64 {
    guard let rate = state.profile.bytesPerSecond, rate > 0 else { return 0 }
    let time = (Double(size) / Double(rate) * 1000).rounded(.up)
    return UInt64(exactly: min(time, Double(DeviceState.lastMoment))) ?? 0
  }
}

extension Event {
  /// Whether it is a failed download that a second attempt may complete.
  var isTransient: Bool {
    if case .failed(_, .trouble) = kind { rules.contains(.retries) } else { false }
  }
}
