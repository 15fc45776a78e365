import BAPackKit

/// Where one path stands before and after a release, and what devices lose by that.
struct PathOnDevices: Hashable {
  /// A pack that has the path.
  struct Owner: Hashable {
    var pack: Int
    /// Equal numbers mean equal bytes, as far as they are known.
    var bytes: Int
  }

  /// A pack that does not have the path, but another one that may be the same file on a device.
  struct Lookalike: Hashable {
    var pack: Int
    /// Whether it is the same only where the case of letters is ignored.
    var byCase: Bool
  }

  var old: [Owner] = []
  var new: [Owner] = []
  var oldAlike: [Lookalike] = []
  var newAlike: [Lookalike] = []

  /// What devices lose.
  struct Losses {
    /// What became of a file that a pack gave.
    struct Gone {
      /// Whether each device that misses it could request a pack that has it.
      var isOnRequest = true
      /// A device that misses it.
      var sort: Int
    }

    /// The packs whose file is no longer there, in order.
    var gone: [Int: Gone] = [:]
    /// The packs of which more than one answers on a device where one did before.
    var rivals: [Int] = []

    var isEmpty: Bool { gone.isEmpty && rivals.isEmpty }
  }

  /// Compares what each sort of devices reads before and after the release.
  func losses(on sorts: [DeviceSort]) -> Losses {
    var losses = Losses()
    for (number, sort) in sorts.enumerated() {
      let there = old.filter { sort.before[$0.pack] }
      let alike = active(oldAlike, on: sort) { sort.before[$0] }
      // A path that is ambiguous without any request is so after each request.
      guard alike.isEmpty, Self.areEqual(there) else { continue }
      noteGone(there, sort, number, &losses)
      if losses.rivals.isEmpty { losses.rivals = rivals(there, sort) }
    }
    return losses
  }

  private func active(
    _ packs: [Lookalike], on sort: DeviceSort, _ isThere: (Int) -> Bool
  ) -> [Int] {
    packs.filter { (!$0.byCase || sort.ignoresCase) && isThere($0.pack) }.map(\.pack)
  }

  private static func areEqual(_ owners: [Owner]) -> Bool {
    owners.allSatisfy { $0.bytes == owners[0].bytes }
  }

  /// Notes paths that are gone; the app requests as few packs as it can.
  private func noteGone(
    _ there: [Owner], _ sort: DeviceSort, _ number: Int, _ losses: inout Losses
  ) {
    func note(_ pack: Int, isOnRequest: Bool) {
      losses.gone[pack, default: .init(sort: number)].isOnRequest =
        losses.gone[pack]?.isOnRequest ?? true && isOnRequest
    }
    if new.contains(where: { sort.after[$0.pack] }) { return }
    if !there.isEmpty {
      let isOnRequest = new.contains { sort.granted[$0.pack] }
      for owner in there { note(owner.pack, isOnRequest: isOnRequest) }
      return
    }
    for owner in old where sort.requestable[owner.pack] {
      let isGiven = sort.granted[owner.pack] && new.contains { $0.pack == owner.pack }
      if !isGiven { note(owner.pack, isOnRequest: false) }
    }
  }

  /// The packs that answer together after the release; the app requests as much as it can without
  /// making the path ambiguous before the release.
  private func rivals(_ there: [Owner], _ sort: DeviceSort) -> [Int] {
    let requested = old.filter { sort.requestable[$0.pack] }
    let alike = Set(active(oldAlike, on: sort) { sort.requestable[$0] })
    let contents = there.first.map { [$0.bytes] } ?? Set(requested.map(\.bytes)).sorted()
    for bytes in contents {
      let others = Set(requested.filter { $0.bytes != bytes }.map(\.pack)).union(alike)
      func isThere(_ pack: Int) -> Bool {
        sort.after[pack]
          || sort.requestable[pack] && sort.granted[pack] && !others.contains(pack)
      }
      let having = new.filter { isThere($0.pack) }
      let similar = active(newAlike, on: sort, isThere)
      if !having.isEmpty, !similar.isEmpty || !Self.areEqual(having) {
        return having.map(\.pack) + similar
      }
    }
    return []
  }
}
