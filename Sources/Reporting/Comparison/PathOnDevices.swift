import BAPackKit

/// The places of one path before and after a release, and the losses of devices.
struct PathOnDevices: Hashable {
  /// A pack that contains the path.
  struct Owner: Hashable {
    var pack: Int
    /// An identifier of the file's bytes; equal numbers mean equal bytes, if known.
    var bytes: Int
  }

  /// A pack without the path, but with one that may be the same file on a device.
  struct SimilarPath: Hashable {
    var pack: Int
    /// Whether the paths are equal only if case is ignored.
    var byCase: Bool
  }

  var old: [Owner] = []
  var new: [Owner] = []
  var oldSimilar: [SimilarPath] = []
  var newSimilar: [SimilarPath] = []

  /// The losses of devices.
  struct Losses {
    /// A file that a pack no longer provides.
    struct Gone {
      /// Whether each device that misses it could request a pack that contains it.
      var isOnRequest = true
      /// A device that misses it.
      var sort: Int
    }

    /// The packs whose file is missing, in order.
    var gone: [Int: Gone] = [:]
    /// The packs that make a path ambiguous on a device where it was not.
    var rivals: [Int] = []

    var isEmpty: Bool { gone.isEmpty && rivals.isEmpty }
  }

  /// Compares the files that each kind of device reads before and after the release.
  func losses(on sorts: [DeviceSort]) -> Losses {
    var losses = Losses()
    for (number, sort) in sorts.enumerated() {
      let there = old.filter { sort.before[$0.pack] }
      let similar = active(oldSimilar, on: sort) { sort.before[$0] }
      // A path that is ambiguous without a request remains ambiguous after every request.
      guard similar.isEmpty, Self.areEqual(there) else { continue }
      noteGone(there, sort, number, &losses)
      if losses.rivals.isEmpty { losses.rivals = rivals(there, sort) }
    }
    return losses
  }

  private func active(
    _ packs: [SimilarPath], on sort: DeviceSort, _ isThere: (Int) -> Bool
  ) -> [Int] {
    packs.filter { (!$0.byCase || sort.ignoresCase) && isThere($0.pack) }.map(\.pack)
  }

  private static func areEqual(_ owners: [Owner]) -> Bool {
    owners.allSatisfy { $0.bytes == owners[0].bytes }
  }

  /// Records missing paths; the app requests as few packs as possible.
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

  /// Returns the packs that make the path ambiguous after the release; the app requests as many
  /// packs as possible without an ambiguity before the release.
  private func rivals(_ there: [Owner], _ sort: DeviceSort) -> [Int] {
    let requested = old.filter { sort.requestable[$0.pack] }
    let similar = Set(active(oldSimilar, on: sort) { sort.requestable[$0] })
    let contents = there.first.map { [$0.bytes] } ?? Set(requested.map(\.bytes)).sorted()
    for bytes in contents {
      let others = Set(requested.filter { $0.bytes != bytes }.map(\.pack)).union(similar)
      func isThere(_ pack: Int) -> Bool {
        sort.after[pack]
          || sort.requestable[pack] && sort.granted[pack] && !others.contains(pack)
      }
      let having = new.filter { isThere($0.pack) }
      let similar = active(newSimilar, on: sort, isThere)
      if !having.isEmpty, !similar.isEmpty || !Self.areEqual(having) {
        return having.map(\.pack) + similar
      }
    }
    return []
  }
}
