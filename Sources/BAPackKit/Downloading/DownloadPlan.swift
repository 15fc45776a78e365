/// When a device downloads a pack.
package enum DownloadTime: Sendable, CaseIterable {
  /// While the app installs, and the app does not open before the pack is there.
  case beforeLaunch
  /// From the installation on; the app may be open already.
  case inBackground
  /// When the app asks.
  case onRequest
}

extension DownloadPolicy {
  /// When packs are downloaded that an app has as it is installed or updated.
  ///
  /// A policy that is not about the event downloads nothing then: the pack waits until it is asked
  /// for.
  package func time(on event: InstallationEvent) -> DownloadTime {
    switch self {
    case .essential(let events): events.contains(event) ? .beforeLaunch : .onRequest
    case .prefetch(let events): events.contains(event) ? .inBackground : .onRequest
    case .onDemand: .onRequest
    }
  }

  /// The earliest time at which packs are downloaded, whatever happens to the app.
  package var earliestTime: DownloadTime {
    switch self {
    case .essential: .beforeLaunch
    case .prefetch: .inBackground
    case .onDemand: .onRequest
    }
  }
}

/// What is downloaded when, and how large it is.
package struct DownloadPlan: Sendable, Equatable {
  /// Packs that are downloaded at one time, in the order in which they were given.
  package struct Group: Sendable, Equatable {
    /// The packs.
    package fileprivate(set) var packs: [OfferedPack] = []
    /// How large they are together.
    package fileprivate(set) var size = PackSize()

    fileprivate mutating func add(_ pack: OfferedPack) {
      packs.append(pack)
      size = size + pack.size
    }
  }

  /// What comes before the app opens.
  package private(set) var beforeLaunch = Group()
  /// What begins with the installation and may end later.
  package private(set) var inBackground = Group()
  /// What waits until the app asks.
  package private(set) var onRequest = Group()
  /// All that is offered, at whatever time.
  package private(set) var offered = Group()

  /// What one device downloads.
  package init(of packs: [OfferedPack], on device: Device) {
    for pack in packs where pack.isOffered(to: device) {
      add(pack, at: pack.policy.time(on: device.event))
    }
  }

  /// The most that a device of a platform, or of any, may download, whatever happens to the app and
  /// whatever language is spoken: each pack counts at the earliest time it may come.
  ///
  /// This is what the packs of a server of one's own need: a download manifest names no languages,
  /// so that every device is offered all of them.
  package init(ofAll packs: [OfferedPack], on platform: Platform? = nil) {
    for pack in packs where platform.map(pack.isOffered) ?? true {
      add(pack, at: pack.policy.earliestTime)
    }
  }

  private mutating func add(_ pack: OfferedPack, at time: DownloadTime) {
    offered.add(pack)
    switch time {
    case .beforeLaunch: beforeLaunch.add(pack)
    case .inBackground: inBackground.add(pack)
    case .onRequest: onRequest.add(pack)
    }
  }

  /// What is downloaded at a time.
  package subscript(time: DownloadTime) -> Group {
    switch time {
    case .beforeLaunch: beforeLaunch
    case .inBackground: inBackground
    case .onRequest: onRequest
    }
  }

  /// The largest sizes that any device downloads at a time, over all platforms, languages and
  /// events: of localized packs, those of one language count.
  package static func largestSize(of packs: [OfferedPack], at time: DownloadTime) -> PackSize {
    Device.all(for: packs).reduce(PackSize()) { largest, device in
      largest.maximum(DownloadPlan(of: packs, on: device)[time].size)
    }
  }

  /// The device, among one of each sort, whose group takes the most bytes to download, and the
  /// group; the first of several such devices, and nil if there is no pack.
  package static func largest(
    of packs: [OfferedPack], in group: (DownloadPlan) -> Group
  ) -> (device: Device, group: Group)? {
    var largest: (device: Device, group: Group)?
    for device in Device.all(for: packs) where !packs.isEmpty {
      let group = group(DownloadPlan(of: packs, on: device))
      if group.size.download > largest?.group.size.download ?? 0 || largest == nil {
        largest = (device, group)
      }
    }
    return largest
  }
}
