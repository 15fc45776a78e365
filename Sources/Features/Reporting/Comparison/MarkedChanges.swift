import BAPackKit
import SystemIO

/// Changes of packs in which breaks are marked at their causes.
struct MarkedChanges {
  private(set) var changes: [PackChange]
  private let sides: OfferedSides
  private let sorts: DeviceSorts
  private let numbers: [PackID: Int]
  /// The changes of files, keyed by a pack and the old path.
  private var files: [Key: [(change: Int, file: Int)]] = [:]

  private struct Key: Hashable {
    var pack: PackID
    var path: UInt64
  }

  private static let forms = PathForms(on: .macOS)

  init(
    _ changes: [PackChange], _ sides: OfferedSides, _ sorts: DeviceSorts,
    of paths: Set<AssetPath>
  ) {
    self.changes = changes
    self.sides = sides
    self.sorts = sorts
    numbers = Dictionary(changes.enumerated().map { ($1.id, $0) }) { first, _ in first }
    let wanted = Set(paths.map { Self.forms.fingerprint(of: $0) })
    for (number, change) in changes.enumerated() {
      for (place, file) in change.files.enumerated() {
        func add(_ pack: PackID, _ path: AssetPath) {
          let key = Key(pack: pack, path: Self.forms.fingerprint(of: path))
          if wanted.contains(key.path) { files[key, default: []].append((number, place)) }
        }
        add(change.id, file.path)
        switch file.kind {
        case .renamed(let from): add(change.id, from)
        case .moved(let pack): add(pack, file.path)
        case .added, .removed, .changed, .unknown: break
        }
      }
    }
  }

  private func places(_ pack: Int, _ path: AssetPath) -> [(change: Int, file: Int)] {
    files[Key(pack: sides.ids[pack], path: Self.forms.fingerprint(of: path))] ?? []
  }

  private mutating func add(_ found: Break, to change: Int) {
    guard changes.indices.contains(change), !changes[change].breaks.contains(found) else { return }
    changes[change].breaks.append(found)
  }

  // MARK: Removed files

  /// Marks a file that a pack no longer provides to some devices.
  mutating func mark(
    _ path: AssetPath, _ state: PathOnDevices, gone pack: Int, _ gone: PathOnDevices.Losses.Gone
  ) {
    guard let now = sides.new[pack], state.new.contains(where: { $0.pack == pack }) else {
      return mark(path, in: pack, gone)
    }
    // The pack contains the file, and these devices no longer have the pack.
    let sort = sorts[gone.sort]
    let id = sides.ids[pack]
    switch now.obstacle(on: sort.device) {
    // These breaks were recorded when the packs were compared.
    case .platform, .system, nil: break
    case .language:
      let own = sides.old[pack]?.language
      let isOther = !now.language.isEquivalent(to: own)
      let what =
        isOther
        ? own.map(\.description) ?? now.language.map { "all but \($0)" }
        : sort.preference?.description
      add(
        Break(breakage: .languageDropped, pack: id, what: what),
        to: isOther ? numbers[id] ?? cause : cause)
    case .policy:
      let before = sides.old[pack]?.policy ?? now.policy
      add(
        Break(breakage: .policyWeakened, pack: id, what: before.weakening(to: now.policy)),
        to: numbers[id] ?? cause)
    }
  }

  /// Marks a file that its pack no longer contains.
  private mutating func mark(
    _ path: AssetPath, in pack: Int, _ gone: PathOnDevices.Losses.Gone
  ) {
    var isMarked = sides.new[pack] == nil
    for (change, place) in places(pack, path) {
      let file = changes[change].files[place]
      let isGone =
        switch file.kind {
        case .removed: changes[change].new != nil && file.path == path
        case .renamed(let from): from == path
        case .moved(let from): from == sides.ids[pack] && file.path == path
        case .added, .changed, .unknown: false
        }
      guard isGone else { continue }
      isMarked = true
      changes[change].files[place].breakage =
        gone.isOnRequest
        ? .policyWeakened : isRecased(file, in: change) ? .pathCase : .pathRemoved
    }
    if isMarked { return }
    let id = sides.ids[pack]
    add(Break(breakage: .pathRemoved, pack: id, path: path), to: numbers[id] ?? cause)
  }

  /// Whether the path exists with different case.
  private func isRecased(_ file: FileChange, in change: Int) -> Bool {
    func lowered(_ path: AssetPath) -> [UInt8] { Array(path.text.lowercased().utf8) }
    let path = lowered(file.brokenPath)
    guard let pack = sides.ids.firstIndex(of: changes[change].id) else { return false }
    return places(pack, file.brokenPath).contains { number, place in
      let other = changes[number].files[place]
      return other.path != file.brokenPath && other.kind != .removed && lowered(other.path) == path
    }
  }

  // MARK: Ambiguous paths

  /// Marks a path that several packs contain, and only one did before.
  mutating func mark(_ path: AssetPath, rivals: [Int]) {
    var isMarked = false
    for pack in rivals {
      for (change, place) in places(pack, path)
      where changes[change].id == sides.ids[pack] && changes[change].files[place].kind != .removed {
        isMarked = true
        if changes[change].files[place].breakage == nil {
          changes[change].files[place].breakage = .pathAmbiguous
        }
      }
    }
    if isMarked { return }
    // No file changed, so a manifest did.
    let changed = rivals.first { pack in
      numbers[sides.ids[pack]].map { !changes[$0].attributes.isEmpty } ?? false
    }
    let pack = changed ?? rivals[0]
    let others = rivals.filter { $0 != pack }.map { sides.ids[$0].text }
    add(
      Break(
        breakage: .pathAmbiguous, pack: sides.ids[pack], path: path,
        what: others.isEmpty ? nil : "also in \(others.joined(separator: ", "))"),
      to: numbers[sides.ids[pack]] ?? cause)
  }

  /// The change that causes the break: packs of other languages are offered.
  private var cause: Int {
    changes.firstIndex { change in
      !(change.old?.language.isEquivalent(to: change.new?.language) ?? false)
        || !change.attributes.isEmpty
    } ?? 0
  }
}

extension DownloadPolicy {
  /// Returns a short description of a weaker policy.
  fileprivate func weakening(to now: DownloadPolicy) -> String {
    let lost = InstallationEvent.allCases.filter {
      time(on: $0) != .onRequest && now.time(on: $0) == .onRequest
    }
    return now == .onDemand || lost.isEmpty
      ? "\(name) -> \(now.name)"
      : "no longer on \(lost.map(\.rawValue).joined(separator: ", "))"
  }
}
