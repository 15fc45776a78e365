import SystemIO

/// How much of a budget is used, and by what.
package struct BudgetUse: Sendable {
  /// What takes the bytes.
  package struct Contributor: Sendable, Equatable {
    /// The pack.
    package let pack: PackID
    /// The path of a file in it, where files are counted.
    package let path: AssetPath?
    /// How many bytes it takes.
    package let size: UInt64

    /// The largest first, and those alike in the order of their names.
    fileprivate func precedes(_ other: Contributor) -> Bool {
      if size != other.size { return size > other.size }
      if pack != other.pack { return pack < other.pack }
      return (path?.bytes ?? []).lexicographicallyPrecedes(other.path?.bytes ?? [])
    }
  }

  /// Why nobody can tell whether a budget is exceeded.
  package enum Unknown: Sendable {
    /// How large archives are.
    case archives
    /// What is in them.
    case files
    /// What was before.
    case baseline
    /// The other packs of the app.
    case others

    /// The reason in words.
    package var phrase: String {
      switch self {
      case .archives: "how large archives are is known only when they are there"
      case .files: "nobody looked at the files"
      case .baseline: "what players download again is not known without former packs"
      case .others: "there are other packs, which are not known here"
      }
    }
  }

  /// What is known of a budget.
  package enum Standing: Sendable, Equatable {
    /// How much of it is used; of a part of the packs only what is certain of all of them.
    case known(Budget.Level)
    /// Its pattern matches nothing.
    case unmatched
    /// Nobody can tell, and why.
    case unknown(Unknown)
  }

  /// How many contributors are named.
  package static let mostContributors = 10

  /// The budget.
  package let budget: Budget
  /// What is known of it.
  package let standing: Standing
  /// How much of it the packs take that are known.
  package let used: UInt64
  /// Whether other packs may take more of it.
  package let isLeast: Bool
  /// What takes the most, the largest first.
  package let contributors: [Contributor]
  /// How many others there are that take anything, and how much.
  package let others: (count: Int, size: UInt64)
  /// The device that the bytes were counted for, as far as it matters which.
  package let device: CountedDevice?

  /// Whether it can still turn out to be exceeded.
  package var isOpen: Bool { if case .unknown = standing { true } else { false } }

  /// The level, if it is known.
  package var level: Budget.Level? { if case .known(let level) = standing { level } else { nil } }
}

// MARK: - Counting

extension BudgetUse {
  /// Holds packs against a budget.
  package init(of budget: Budget, by holdings: BudgetHoldings) {
    var count = Count(budget)
    switch budget.subject {
    case .essential: count.take(archivesOf: holdings, on: \.beforeLaunch)
    case .total: count.take(archivesOf: holdings, on: \.offered)
    case .hosted: count.take(archivesOf: holdings) { _ in true }
    case .packs(let pattern):
      count.take(archivesOf: holdings) {
        pattern.matches(Array($0.text.utf8)[...], dotIsOrdinary: true)
      }
    case .update: count.take(updateOf: holdings)
    case .files(let pattern): count.take(filesOf: holdings, matching: pattern)
    case .count: count.used = UInt64(holdings.packs.count)
    }
    self.init(count, isWhole: holdings.isWhole)
  }

  /// Holds a number of packs against what the host allows.
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
    // What some packs take, all of them take: it can be too much already, but not little enough.
    if let lack = count.lack ?? (isWhole ? nil : .others), level != .over {
      standing = .unknown(lack)
    } else {
      standing = count.hasMatched ? .known(level) : .unmatched
    }
  }

  /// The bytes of one budget, as they are counted.
  private struct Count {
    let budget: Budget
    var used: UInt64 = 0
    /// What would be needed to count all of them.
    var lack: Unknown?
    var hasMatched = true
    var largest: [Contributor] = []
    var others: (count: Int, size: UInt64) = (0, 0)
    var device: CountedDevice?

    init(_ budget: Budget) { self.budget = budget }

    /// Adds the archives that one device gets: of the device that gets the most.
    mutating func take(
      archivesOf holdings: BudgetHoldings, on group: (DownloadPlan) -> DownloadPlan.Group
    ) {
      let known = holdings.packs.compactMap { pack in
        pack.archiveSize.map { pack.offered(downloading: $0) }
      }
      if known.count < holdings.packs.count { lack = .archives }
      take(known, on: group)
    }

    mutating func take(updateOf holdings: BudgetHoldings) {
      guard let update = holdings.update else {
        lack = .baseline
        return
      }
      take(
        holdings.packs.compactMap { pack in
          update[pack.id].map { pack.offered(downloading: $0) }
        }, on: \.offered)
    }

    private mutating func take(
      _ packs: [OfferedPack], on group: (DownloadPlan) -> DownloadPlan.Group
    ) {
      guard let largest = DownloadPlan.largest(of: packs, in: group) else { return }
      for pack in largest.group.packs {
        add(pack.size.download) { Contributor(pack: pack.id, path: nil, size: $0) }
      }
      device = CountedDevice(largest.device, among: packs, of: budget.subject)
    }

    mutating func take(archivesOf holdings: BudgetHoldings, where isMeant: (PackID) -> Bool) {
      hasMatched = budget.subject == .hosted
      for pack in holdings.packs where isMeant(pack.id) {
        hasMatched = true
        guard let size = pack.archiveSize else {
          lack = .archives
          continue
        }
        add(size) { Contributor(pack: pack.id, path: nil, size: $0) }
      }
    }

    mutating func take(filesOf holdings: BudgetHoldings, matching pattern: PathPattern) {
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

/// What of a device matters to a sum: the other facts would give the same.
package struct CountedDevice: Sendable, Equatable {
  /// The platform, if packs are not for all of them.
  package let platform: Platform?
  /// The language, if a pack has one.
  package let language: LanguageTag?
  /// The event, if packs come with one and not with the other.
  package let event: InstallationEvent?

  init?(_ device: Device, among packs: [OfferedPack], of subject: Budget.Subject) {
    platform = packs.contains { !$0.platforms.isEmpty } ? device.platform : nil
    language = packs.contains { $0.language != nil } ? device.language : nil
    let events = packs.contains { pack in
      Set(InstallationEvent.allCases.map { pack.policy.time(on: $0) }).count > 1
    }
    event = subject == .essential && events ? device.event : nil
    if platform == nil, language == nil, event == nil { return nil }
  }

  /// `iOS, fr, a first installation`.
  var phrase: String {
    [
      platform?.rawValue, language?.description,
      event.map {
        switch $0 {
        case .firstInstallation: "a first installation"
        case .subsequentUpdate: "an update"
        }
      },
    ].compactMap(\.self).joined(separator: ", ")
  }
}
