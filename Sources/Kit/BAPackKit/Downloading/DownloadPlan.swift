/// The time at which a device downloads a pack.
package enum DownloadTime: Sendable, CaseIterable {
  /// During installation or update of the app; the app opens after the download.
  case beforeLaunch
  /// In the background, starting with installation or update; the app may be open.
  case inBackground
  /// When the app requests the pack.
  case onRequest
}

extension DownloadPolicy {
  /// Returns the time of the download at an event.
  ///
  /// If the policy does not apply to the event, the pack is downloaded on request.
  package func time(on event: InstallationEvent) -> DownloadTime {
    switch self {
    case .essential(let events): events.contains(event) ? .beforeLaunch : .onRequest
    case .prefetch(let events): events.contains(event) ? .inBackground : .onRequest
    case .onDemand: .onRequest
    }
  }

  /// The earliest time of the download at any event.
  package var earliestTime: DownloadTime {
    switch self {
    case .essential: .beforeLaunch
    case .prefetch: .inBackground
    case .onDemand: .onRequest
    }
  }
}

/// The packs that a device downloads at each time, with their sizes.
package struct DownloadPlan: Sendable, Equatable {
  /// The packs that are downloaded at one time, in the original order.
  package struct Group: Sendable, Equatable {
    package fileprivate(set) var packs: [OfferedPack] = []
    /// The total size of the packs.
    package fileprivate(set) var size = PackSize()

    fileprivate mutating func add(_ pack: OfferedPack) {
      packs.append(pack)
      size = size + pack.size
    }
  }

  /// The packs that are downloaded before the app opens.
  package private(set) var beforeLaunch = Group()
  /// The packs whose download starts with installation or update and may end later.
  package private(set) var inBackground = Group()
  /// The packs that are downloaded when the app requests them.
  package private(set) var onRequest = Group()
  /// All packs that are offered to the device.
  package private(set) var offered = Group()

  package init(of packs: [OfferedPack], on device: Device) {
    for pack in packs where pack.isOffered(to: device) {
      add(pack, at: pack.policy.time(on: device.event))
    }
  }

  /// Creates the plan of the packs of all languages and events, on one platform or on all.
  ///
  /// Each pack is downloaded at its earliest time. This is the plan for the user's own server,
  /// because a download manifest contains no languages, so that all packs are offered to every
  /// device.
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

  /// The packs that are downloaded at `time`.
  package subscript(time: DownloadTime) -> Group {
    switch time {
    case .beforeLaunch: beforeLaunch
    case .inBackground: inBackground
    case .onRequest: onRequest
    }
  }

  /// Returns the largest sizes that any device downloads at `time`, over all platforms, languages
  /// and events.
  package static func largestSize(of packs: [OfferedPack], at time: DownloadTime) -> PackSize {
    var largest = PackSize()
    forEachDevice(of: packs, { $0[time] }) { largest = largest.maximum($1) }
    return largest
  }

  /// Returns the device whose group has the largest download, and the group; the first of several
  /// such devices, or nil if there are no packs.
  package static func largest(
    of packs: [OfferedPack], in group: (DownloadPlan) -> Group
  ) -> (device: Device, group: Group)? {
    var largest: (device: Device, size: UInt64)?
    forEachDevice(of: packs, group) { device, size in
      if size.download > largest?.size ?? 0 || largest == nil { largest = (device, size.download) }
    }
    return largest.map { ($0.device, group(DownloadPlan(of: packs, on: $0.device))) }
  }

  /// Calls a function with each device and the size of its group.
  ///
  /// The packs for all languages are added up once for all devices of a platform.
  private static func forEachDevice(
    of packs: [OfferedPack], _ group: (DownloadPlan) -> Group,
    _ body: (_ device: Device, _ size: PackSize) -> Void
  ) {
    if packs.isEmpty { return }
    let languages = packs.compactMap(\.language).inOrder
    for platform in Platform.allCases {
      let offered = Dictionary(grouping: packs.filter { $0.isOffered(on: platform) }) {
        $0.language?.meaning
      }
      for event in InstallationEvent.allCases {
        var device = Device(platform: platform, event: event)
        let common = group(DownloadPlan(of: offered[nil] ?? [], on: device)).size
        body(device, common)
        for language in languages {
          device.language = language
          let own = DownloadPlan(of: offered[language.meaning] ?? [], on: device)
          body(device, common + group(own).size)
        }
      }
    }
  }
}
