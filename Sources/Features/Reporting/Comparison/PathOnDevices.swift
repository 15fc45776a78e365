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
  ///
  /// A device is compared only with the packs for all languages and those of its languages, and
  /// the requests of all devices of a platform are evaluated once, so that the time is linear in
  /// the number of packs with the path.
  func losses(on sorts: DeviceSorts) -> Losses {
    let packs = old.map(\.pack) + new.map(\.pack) + (oldSimilar + newSimilar).map(\.pack)
    let (old, new) = (
      PacksByLanguage(old, sorts, \.pack), PacksByLanguage(new, sorts, \.pack)
    )
    let oldSimilar = PacksByLanguage(oldSimilar, sorts, \.pack)
    let newSimilar = PacksByLanguage(newSimilar, sorts, \.pack)
    var requests: [DeviceSort.Requests: RequestsOfPath] = [:]
    var losses = Losses()
    for number in sorts.of(packs) {
      let sort = sorts[number]
      let there = old.of(sort).filter { sort.has(before: $0.pack) }
      let similar = oldSimilar.of(sort).filter {
        $0.isActive(on: sort) && sort.has(before: $0.pack)
      }
      // A path that is ambiguous without a request remains ambiguous after every request.
      guard similar.isEmpty, there.areEqual else { continue }
      var known = requests[sort.requests] ?? RequestsOfPath(self, on: sort)
      let after = new.of(sort).filter { sort.has(after: $0.pack) }
      if after.isEmpty { noteGone(there, number, &known, &losses) }
      if losses.rivals.isEmpty {
        losses.rivals = known.rivals(
          there, after,
          newSimilar.of(sort).filter { $0.isActive(on: sort) && sort.has(after: $0.pack) }
            .map(\.pack))
      }
      requests[sort.requests] = known
    }
    return losses
  }

  /// Records missing paths; the app requests as few packs as possible.
  private func noteGone(
    _ there: [Owner], _ number: Int, _ requests: inout RequestsOfPath, _ losses: inout Losses
  ) {
    func note(_ pack: Int, isOnRequest: Bool) {
      losses.gone[pack, default: .init(sort: number)].isOnRequest =
        losses.gone[pack]?.isOnRequest ?? true && isOnRequest
    }
    if !there.isEmpty {
      for owner in there { note(owner.pack, isOnRequest: requests.givesPath) }
      return
    }
    for pack in requests.lost { note(pack, isOnRequest: false) }
    requests.lost = []
  }
}

extension [PathOnDevices.Owner] {
  /// Whether all files have the same bytes.
  fileprivate var areEqual: Bool { allSatisfy { $0.bytes == self[0].bytes } }
}

extension PathOnDevices.SimilarPath {
  /// Whether the path may be the same file on a device.
  fileprivate func isActive(on sort: DeviceSort) -> Bool { !byCase || sort.ignoresCase }
}

/// Packs with a path, by their languages on both sides.
private struct PacksByLanguage<Element> {
  private var common: [Element] = []
  private var localized: [LanguageMeaning: [Element]] = [:]

  init(_ elements: [Element], _ sorts: DeviceSorts, _ pack: (Element) -> Int) {
    for element in elements {
      if sorts.isCommon(pack(element)) {
        common.append(element)
      } else {
        for language in sorts.languages(of: pack(element)) {
          localized[language, default: []].append(element)
        }
      }
    }
  }

  /// Returns the packs that a device may have without a request.
  func of(_ sort: DeviceSort) -> [Element] {
    let own = [sort.oldLanguage, sort.newLanguage].compactMap(\.self)
    return common + Set(own).flatMap { localized[$0] ?? [] }
  }
}

/// The requests for packs with a path on the devices of a platform.
///
/// All of these devices can request the same packs, in all languages.
private struct RequestsOfPath {
  /// The packs that are on a device after the release if the app requests many packs.
  private struct Requested {
    var having: [PathOnDevices.Owner] = []
    var similar: [Int] = []
    /// Whether they make the path ambiguous without others.
    var areRivals = false

    mutating func settle() { areRivals = !having.isEmpty && (!similar.isEmpty || !having.areEqual) }
  }

  /// Whether a device receives a pack with the path on request.
  let givesPath: Bool
  /// The packs that contained the path, and that a request no longer provides with it.
  var lost: [Int]
  /// The requested packs without the path before the release.
  private var others = Requested()
  /// The requested packs that had the path, by the bytes of their files.
  private var byBytes: [Int: Requested] = [:]
  /// The bytes of the files that the app could read on request.
  private let contents: [Int]

  init(_ path: PathOnDevices, on sort: DeviceSort) {
    let requested = path.old.filter { sort.couldRequest($0.pack) }
    let now = Set(path.new.map(\.pack))
    givesPath = path.new.contains { sort.gets($0.pack) }
    lost = requested.map(\.pack).filter { !sort.gets($0) || !now.contains($0) }
    let former = Dictionary(path.old.map { ($0.pack, $0.bytes) }) { first, _ in first }
    // The app does not request packs that make the path ambiguous before the release.
    let hindering = Set(path.oldSimilar.filter { $0.isActive(on: sort) }.map(\.pack))
    func isRequested(_ pack: Int) -> Bool {
      sort.couldRequest(pack) && sort.gets(pack) && !hindering.contains(pack)
    }
    for owner in path.new where isRequested(owner.pack) {
      if let bytes = former[owner.pack] {
        byBytes[bytes, default: Requested()].having.append(owner)
      } else {
        others.having.append(owner)
      }
    }
    for similar in path.newSimilar where similar.isActive(on: sort) && isRequested(similar.pack) {
      if let bytes = former[similar.pack] {
        byBytes[bytes, default: Requested()].similar.append(similar.pack)
      } else {
        others.similar.append(similar.pack)
      }
    }
    others.settle()
    for bytes in byBytes.keys { byBytes[bytes]?.settle() }
    // Of the contents without requested packs, one represents all.
    let all = Set(requested.map(\.bytes)).sorted()
    let some = Set(byBytes.keys)
    contents =
      all.filter(some.contains) + all.lazy.filter { !some.contains($0) }.prefix(1)
  }

  /// Returns the packs that make the path ambiguous after the release; the app requests as many
  /// packs as possible without an ambiguity before the release.
  func rivals(
    _ there: [PathOnDevices.Owner], _ after: [PathOnDevices.Owner], _ similar: [Int]
  ) -> [Int] {
    for bytes in there.first.map({ [$0.bytes] }) ?? contents {
      let own = byBytes[bytes] ?? Requested()
      // One pack of each list represents the others, unless they are rivals themselves.
      let some = [after.first, own.having.first, others.having.first].compactMap(\.self)
      let hasSimilar = !similar.isEmpty || !own.similar.isEmpty || !others.similar.isEmpty
      guard
        own.areRivals || others.areRivals || !after.areEqual || !some.areEqual
          || !some.isEmpty && hasSimilar
      else { continue }
      var seen: Set<Int> = []
      return
        ((after + own.having + others.having).map(\.pack)
        + similar + own.similar + others.similar).filter { seen.insert($0).inserted }
    }
    return []
  }
}
