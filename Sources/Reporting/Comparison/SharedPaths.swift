import BAPackKit
import SystemIO

/// The paths that came, went or changed, and all packs that have them: what an app finds at a path depends
/// on all packs that a device has.
struct SharedPaths {
  /// Where a path stands on one side.
  private struct Place {
    var pack: PackID
    var file: Int
  }

  private var placesOld: [[UInt8]: [Place]] = [:]
  private var placesNew: [[UInt8]: [Place]] = [:]
  /// The paths that several packs have now which one device may have together.
  private var contested: Set<[UInt8]> = []
  /// The files whose digests decide.
  private(set) var wantedOld: [PackID: Set<Int>] = [:]
  private(set) var wantedNew: [PackID: Set<Int>] = [:]

  init(of walks: [PathWalk], _ old: Inventory, _ new: Inventory) {
    let removed = Set(walks.flatMap(\.removedPaths))
    let touched = Set(walks.flatMap(\.touchedPaths)).union(removed)
    if touched.isEmpty { return }
    placesNew = Self.places(of: touched, in: new)
    let several = placesNew.filter { $0.value.count > 1 }
    for (path, places) in several where Self.meet(places, in: new) { contested.insert(path) }
    placesNew = placesNew.filter { $0.value.count > 1 || removed.contains($0.key) }
    if contested.isEmpty { return }
    placesOld = Self.places(of: contested, in: old)
    for path in contested {
      for place in placesNew[path] ?? [] { wantedNew[place.pack, default: []].insert(place.file) }
      let before = placesOld[path] ?? []
      if before.count > 1 {
        for place in before { wantedOld[place.pack, default: []].insert(place.file) }
      }
    }
  }

  private static func places(
    of paths: Set<[UInt8]>, in side: Inventory
  ) -> [[UInt8]: [Place]] {
    var places: [[UInt8]: [Place]] = [:]
    for pack in side.packs {
      guard let contents = pack.contents else { continue }
      for file in 0..<contents.count {
        let path = Array(contents[file])
        if paths.contains(path) {
          places[path, default: []].append(Place(pack: pack.id, file: file))
        }
      }
    }
    return places
  }

  private static func meet(_ places: [Place], in side: Inventory) -> Bool {
    let packs = places.compactMap { side[$0.pack] }
    return packs.indices.contains { first in
      packs[(first + 1)...].contains { packs[first].mayMeet($0) }
    }
  }

  // MARK: What apps find

  /// Says which files moved, which paths are gone for apps that are out already, and which became
  /// ambiguous.
  func settle(_ changes: inout [PackChange], _ old: Inventory, _ new: Inventory) {
    markMoves(&changes, old, new)
    for index in changes.indices {
      markGone(&changes[index], new)
      markAmbiguous(&changes[index], old, new)
    }
  }

  /// A file that went from one pack and came to another, with its path and bytes, moved.
  private func markMoves(_ changes: inout [PackChange], _ old: Inventory, _ new: Inventory) {
    struct Key: Hashable {
      var path: [UInt8]
      var digest: [UInt8]
    }
    var gone: [Key: (change: Int, file: Int)] = [:]
    for (number, change) in changes.enumerated() {
      for (place, file) in change.files.enumerated() where file.kind == .removed {
        if let digest = file.digest {
          gone[Key(path: file.path, digest: digest)] = (number, place)
        }
      }
    }
    if gone.isEmpty { return }
    var moved: [Int: Set<Int>] = [:]
    for (number, change) in changes.enumerated() {
      for (place, file) in change.files.enumerated() where file.kind == .added {
        guard let digest = file.digest,
          let from = gone.removeValue(forKey: Key(path: file.path, digest: digest)),
          from.change != number, let before = changes[from.change].old, let now = change.new
        else { continue }
        moved[from.change, default: []].insert(from.file)
        changes[number].files[place].kind = .moved(from: before.id)
        changes[number].files[place].oldSize = changes[from.change].files[from.file].oldSize
        // Whoever has it at once today still has to.
        if !now.reachesAll(of: before) {
          changes[number].files[place].breakage = .pathRemoved
        } else if let weak = now.policy, let strong = before.policy,
          InstallationEvent.allCases.contains(where: {
            strong.time(on: $0) != .onRequest && weak.time(on: $0) == .onRequest
          })
        {
          changes[number].files[place].breakage = .policyWeakened
        }
      }
    }
    for (number, places) in moved {
      changes[number].files = changes[number].files.enumerated()
        .filter { !places.contains($0.offset) }.map(\.element)
    }
  }

  /// A path is gone if no pack that all of its devices have still has it; of a pack that is gone that is
  /// said once.
  private func markGone(_ change: inout PackChange, _ new: Inventory) {
    guard let before = change.old, change.new != nil else { return }
    var spelled: Set<[UInt8]> = []
    for file in change.files where file.kind == .added { spelled.insert(Self.lowered(file.path)) }
    for (place, file) in change.files.enumerated() {
      var path = file.path
      switch file.kind {
      case .removed: break
      case .renamed(let from): path = from
      default: continue
      }
      let isElsewhere = (placesNew[path] ?? []).contains { place in
        new[place.pack].map { $0.reachesAll(of: before) } ?? false
      }
      if isElsewhere { continue }
      let isRecased =
        file.kind == .removed
        ? spelled.contains(Self.lowered(path))
        : Self.lowered(path) == Self.lowered(file.path)
      change.files[place].breakage = isRecased ? .pathCase : .pathRemoved
    }
  }

  private static func lowered(_ path: [UInt8]) -> [UInt8] {
    Array(FilePath(path).text.lowercased().utf8)
  }

  /// A path becomes ambiguous if packs that may meet have it with different bytes, and had not before.
  private func markAmbiguous(_ change: inout PackChange, _ old: Inventory, _ new: Inventory) {
    guard let own = change.new else { return }
    for (place, file) in change.files.enumerated()
    where file.breakage == nil && file.kind != .removed && contested.contains(file.path) {
      let isNow = Self.differ(placesNew[file.path] ?? [], from: own, in: new)
      guard isNow else { continue }
      let wasBefore =
        change.old.map { Self.differ(placesOld[file.path] ?? [], from: $0, in: old) } ?? false
      if !wasBefore { change.files[place].breakage = .pathAmbiguous }
    }
  }

  /// Whether a pack that may meet this one has the path with other bytes.
  private static func differ(
    _ places: [Place], from pack: InventoryPack, in side: Inventory
  ) -> Bool {
    guard let file = places.first(where: { $0.pack == pack.id })?.file else { return false }
    return places.contains { place in
      guard place.pack != pack.id, let other = side[place.pack], other.mayMeet(pack) else {
        return false
      }
      if let one = pack.contents?.digest(at: file),
        let another = other.contents?.digest(at: place.file)
      {
        return !one.elementsEqual(another)
      }
      return pack.contents?.size(at: file) != other.contents?.size(at: place.file)
    }
  }
}
