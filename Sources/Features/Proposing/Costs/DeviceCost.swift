package import BAPackKit

/// The downloads of one kind of device.
package struct DeviceCost: Sendable, Equatable {
  /// The platform; nil if the cost is the same on all platforms.
  package var platform: Platform?
  /// The language; nil if the cost is the same in all languages.
  package var language: LanguageTag?
  /// The download before the app opens at the first installation, in bytes.
  package var beforeLaunch: UInt64
  /// The download in the background, in bytes.
  package var inBackground: UInt64
  /// All packs that are offered to the device, in bytes.
  package var total: UInt64

  package init(
    platform: Platform? = nil, language: LanguageTag? = nil, beforeLaunch: UInt64,
    inBackground: UInt64, total: UInt64
  ) {
    self.platform = platform
    self.language = language
    self.beforeLaunch = beforeLaunch
    self.inBackground = inBackground
    self.total = total
  }

  private init(of packs: [OfferedPack], _ platform: Platform, _ language: LanguageTag?) {
    let plan = DownloadPlan(of: packs, on: Device(platform: platform, language: language))
    self.init(
      platform: platform, language: language, beforeLaunch: plan.beforeLaunch.size.download,
      inBackground: plan.inBackground.size.download, total: plan.offered.size.download)
  }

  private var sums: [UInt64] { [beforeLaunch, inBackground, total] }
}

extension Proposal {
  /// The downloads of each kind of device with different costs, the most expensive one first.
  package var deviceCosts: [DeviceCost] { DeviceCost.all(for: packs.map(\.offered)) }
}

extension DeviceCost {
  /// Returns the cost for each platform and language, without equal ones.
  fileprivate static func all(for packs: [OfferedPack]) -> [DeviceCost] {
    let languages = packs.compactMap(\.language).inOrder.map(Optional.some)
    var platforms = Platform.allCases.filter { platform in
      packs.contains { $0.isOffered(on: platform) }
    }.map { platform in
      (languages.isEmpty ? [nil] : languages).map { DeviceCost(of: packs, platform, $0) }
    }
    platforms = withoutEqual(platforms) { $0.map(\.sums) }
    let hasOnePlatform = platforms.count == 1
    let costs = platforms.flatMap { costs in
      let different = withoutEqual(costs, by: \.sums)
      return different.map { cost in
        var cost = cost
        if different.count == 1 { cost.language = nil }
        if hasOnePlatform { cost.platform = nil }
        return cost
      }
    }
    return costs.enumerated().sorted { left, right in
      left.element.sums == right.element.sums
        ? left.offset < right.offset
        : right.element.sums.lexicographicallyPrecedes(left.element.sums)
    }.map(\.element)
  }

  private static func withoutEqual<Value, Key: Hashable>(
    _ values: [Value], by key: (Value) -> Key
  ) -> [Value] {
    var seen: Set<Key> = []
    return values.filter { seen.insert(key($0)).inserted }
  }
}
