import SystemIO

/// The use of a budget, with the packs or files that contribute to it.
package struct BudgetUse: Sendable {
  /// A pack or a file that contributes to the sum.
  package struct Contributor: Sendable, Equatable {
    package let pack: PackID
    /// The path of a file in the pack; nil if the whole pack is counted.
    package let path: AssetPath?
    /// The size in bytes.
    package let size: UInt64

    /// Whether it is listed before another one: by size in descending order, then by name.
    fileprivate func precedes(_ other: Contributor) -> Bool {
      if size != other.size { return size > other.size }
      if pack != other.pack { return pack < other.pack }
      return (path?.bytes ?? []).lexicographicallyPrecedes(other.path?.bytes ?? [])
    }
  }

  /// The data that are missing to compute the use of a budget.
  package enum Unknown: Sendable {
    /// The sizes of archives.
    case archives
    /// The files in the packs.
    case files
    /// The old packs.
    case baseline
    /// The other packs of the app.
    case others

    /// The reason as a text.
    package var phrase: String {
      switch self {
      case .archives: "the size of an archive is unknown before it is written"
      case .files: "the files were not examined"
      case .baseline: "the update download is unknown without old packs"
      case .others: "the app has other packs, whose sizes are unknown"
      }
    }
  }

  /// The result for a budget.
  package enum Standing: Sendable, Equatable {
    /// The level of the use; for a part of the packs of an app only if it applies to all of them.
    case known(Budget.Level)
    /// Its pattern matches nothing.
    case unmatched
    /// The use is unknown, for a reason.
    case unknown(Unknown)
  }

  /// The maximum number of contributors that are listed.
  package static let mostContributors = 10

  package let budget: Budget
  /// The result.
  package let standing: Standing
  /// The sum of the known sizes.
  package let used: UInt64
  /// Whether the sum is a lower bound, because the sizes of some packs are unknown.
  package let isLeast: Bool
  /// The largest contributors, in descending order of size.
  package let contributors: [Contributor]
  /// The number and the total size of the other contributors.
  package let others: (count: Int, size: UInt64)
  /// The device that the bytes were counted for; nil if all devices have the same sum.
  package let device: CountedDevice?

  /// Whether the budget may be exceeded once all sizes are known.
  package var isOpen: Bool { if case .unknown = standing { true } else { false } }

  /// The level, if it is known.
  package var level: Budget.Level? { if case .known(let level) = standing { level } else { nil } }
}

// MARK: - Counting

extension BudgetUse {
  /// Compares packs with a budget.
  package init(of budget: Budget, by holdings: BudgetHoldings) {
    var count = Count(budget)
    switch budget.subject {
    case .essential: count.add(archivesOf: holdings, on: \.beforeLaunch)
    case .total: count.add(archivesOf: holdings, on: \.offered)
    case .hosted: count.add(archivesOf: holdings) { _ in true }
    case .packs(let pattern):
      count.add(archivesOf: holdings) {
        pattern.matches(Array($0.text.utf8)[...], dotIsOrdinary: true)
      }
    case .update: count.add(updateOf: holdings)
    case .files(let pattern): count.add(filesOf: holdings, matching: pattern)
    case .count: count.used = UInt64(holdings.packs.count)
    }
    self.init(count, isWhole: holdings.isWhole)
  }

  /// Compares a number of packs with a limit of the host.
  init(of budget: Budget, byPacks count: Int) {
    var use = Count(budget)
    use.used = UInt64(count)
    self.init(use, isWhole: true)
  }

  private init(_ count: Count, isWhole: Bool) {
    budget = count.budget
    used = count.used
    isLeast = !isWhole || count.lack != nil
    contributors = count.largest
    others = count.others
    device = count.device
    let level = budget.level(used)
    // The sum of some packs is a lower bound: it can show that a budget is exceeded, but not the
    // opposite.
    if let lack = count.lack ?? (isWhole ? nil : .others), level != .over {
      standing = .unknown(lack)
    } else {
      standing = count.hasMatched ? .known(level) : .unmatched
    }
  }

  /// The state of counting for one budget.
  private struct Count {
    let budget: Budget
    var used: UInt64 = 0
    /// The data that are missing for a complete sum.
    var lack: Unknown?
    var hasMatched = true
    var largest: [Contributor] = []
    var others: (count: Int, size: UInt64) = (0, 0)
    var device: CountedDevice?

    init(_ budget: Budget) { self.budget = budget }

    /// Adds the archives of the device with the largest sum.
    mutating func add(
      archivesOf holdings: BudgetHoldings, on group: (DownloadPlan) -> DownloadPlan.Group
    ) {
      let known = holdings.packs.compactMap { pack in
        pack.archiveSize.map { pack.offered(downloading: $0) }
      }
      if known.count < holdings.packs.count { lack = .archives }
      add(known, on: group)
    }

    mutating func add(updateOf holdings: BudgetHoldings) {
      guard let update = holdings.update else {
        lack = .baseline
        return
      }
      for (id, size) in update.packs {
        add(size) { Contributor(pack: id, path: nil, size: $0) }
      }
      device = update.device
    }

    private mutating func add(
      _ packs: [OfferedPack], on group: (DownloadPlan) -> DownloadPlan.Group
    ) {
      guard let largest = DownloadPlan.largest(of: packs, in: group) else { return }
      for pack in largest.group.packs {
        add(pack.size.download) { Contributor(pack: pack.id, path: nil, size: $0) }
      }
      device = CountedDevice(largest.device, among: packs, of: budget.subject)
    }

    mutating func add(archivesOf holdings: BudgetHoldings, where isIncluded: (PackID) -> Bool) {
      hasMatched = budget.subject == .hosted
      for pack in holdings.packs where isIncluded(pack.id) {
        hasMatched = true
        guard let size = pack.archiveSize else {
          lack = .archives
          continue
        }
        add(size) { Contributor(pack: pack.id, path: nil, size: $0) }
      }
    }

    mutating func add(filesOf holdings: BudgetHoldings, matching pattern: PathPattern) {
      hasMatched = false
      for pack in holdings.packs {
        guard let files = pack.files else {
          lack = .files
          continue
        }
        files { path, size in
          guard pattern.matches(path.bytes) else { return }
          hasMatched = true
          add(size) { Contributor(pack: pack.id, path: path, size: $0) }
        }
      }
    }

    private mutating func add(_ size: UInt64, _ contributor: (UInt64) -> Contributor) {
      used.addSaturated(size)
      guard size > 0 else { return }
      if largest.count == mostContributors, let last = largest.last, last.size > size {
        leaveOut(size)
        return
      }
      let new = contributor(size)
      let place = largest.firstIndex { new.precedes($0) } ?? largest.endIndex
      largest.insert(new, at: place)
      if largest.count > mostContributors { leaveOut(largest.removeLast().size) }
    }

    private mutating func leaveOut(_ size: UInt64) {
      others.count += 1
      others.size.addSaturated(size)
    }
  }
}

/// The properties of a device that a sum depends on.
package struct CountedDevice: Sendable, Equatable {
  /// The platform; nil if all packs are offered on all platforms.
  package let platform: Platform?
  /// The language; nil if no pack has a language.
  package let language: LanguageTag?
  /// The language that applies where no pack has `language`.
  package let fallback: LanguageTag?
  /// The event; nil if the sum is the same for both events.
  package let event: InstallationEvent?

  init?(_ device: Device, among packs: [OfferedPack], of subject: Budget.Subject) {
    let events = packs.contains { pack in
      Set(InstallationEvent.allCases.map { pack.policy.time(on: $0) }).count > 1
    }
    let event = subject == .essential && events ? device.event : nil
    self.init(device.platform, device.language, among: packs, on: event)
  }

  /// Describes the device of a platform and a language; nil if it represents all devices.
  package init?(
    _ platform: Platform, _ language: LanguageTag?, _ fallback: LanguageTag? = nil,
    among packs: [OfferedPack], on event: InstallationEvent? = nil
  ) {
    self.platform = packs.contains { !$0.platforms.isEmpty } ? platform : nil
    self.language = packs.contains { $0.language != nil } ? language : nil
    self.fallback = fallback
    self.event = event
    if self.platform == nil, self.language == nil, event == nil { return nil }
  }

  /// `iOS, fr, a first installation`.
  var phrase: String {
    [
      platform?.rawValue, language?.description, fallback.map { "then \($0)" },
      event.map {
        switch $0 {
        case .firstInstallation: "a first installation"
        case .subsequentUpdate: "an update"
        }
      },
    ].compactMap(\.self).joined(separator: ", ")
  }
}
