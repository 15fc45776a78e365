import BAPackKit
import SourceDiagnostics
import SystemIO

/// Compares the old and new paths of a pack.
struct PathWalk {
  let id: PackID
  private var pair: PackPair
  /// The paths on both sides with equal or unknown sizes.
  private var sameSize: [(old: Int, new: Int)] = []
  /// The paths on both sides with different sizes.
  private var resized: [(old: Int, new: Int)] = []
  private var removed: [Int] = []
  private var added: [Int] = []
  /// The files whose digests must be compared.
  private(set) var comparedOld: Set<Int> = []
  private(set) var comparedNew: Set<Int> = []

  init(_ pair: PackPair) {
    id = pair.id
    self.pair = pair
    let (old, new) = (pair.old?.contents ?? PackContents(), pair.new?.contents ?? PackContents())
    // Equal archives have equal files.
    if pair.hasSameBytes == true { return }
    // If the files of one side are unknown, those of the other side cannot be compared.
    if pair.old != nil, pair.old?.contents == nil { return }
    if pair.new != nil, pair.new?.contents == nil { return }
    let areSizesKnown = pair.old?.hasSizes ?? true && pair.new?.hasSizes ?? true
    var (i, j) = (0, 0)
    while i < old.count || j < new.count {
      if j == new.count || i < old.count && old[i] < new[j] {
        removed.append(i)
        i += 1
      } else if i == old.count || new[j] < old[i] {
        added.append(j)
        j += 1
      } else {
        if !areSizesKnown || old.size(at: i) == new.size(at: j) {
          sameSize.append((i, j))
          if !areSizesKnown || old.size(at: i) > 0 {
            comparedOld.insert(i)
            comparedNew.insert(j)
          }
        } else {
          resized.append((i, j))
        }
        i += 1
        j += 1
      }
    }
  }

  /// Whether the files of all existing sides are known.
  private var areFilesKnown: Bool {
    (pair.old.map { $0.contents != nil } ?? true) && (pair.new.map { $0.contents != nil } ?? true)
  }

  /// The added paths, and those whose bytes may differ.
  var touchedPaths: [AssetPath] {
    guard let contents = pair.new?.contents else { return [] }
    return (added + resized.map(\.new) + sameSize.map(\.new)).map { contents[$0] }
  }

  var removedPaths: [AssetPath] {
    guard let contents = pair.old?.contents else { return [] }
    return removed.map { contents[$0] }
  }

  var removedSizes: Set<UInt64> {
    guard let contents = pair.old?.contents else { return [] }
    return Set(removed.map { contents.size(at: $0) })
  }

  var addedSizes: Set<UInt64> {
    guard let contents = pair.new?.contents else { return [] }
    return Set(added.map { contents.size(at: $0) })
  }

  /// Adds the digests of added and removed files with one of these sizes.
  mutating func addComparedFiles(ofSizes sizes: Set<UInt64>) {
    if let contents = pair.old?.contents {
      comparedOld.formUnion(removed.filter { sizes.contains(contents.size(at: $0)) })
    }
    if let contents = pair.new?.contents {
      comparedNew.formUnion(added.filter { sizes.contains(contents.size(at: $0)) })
    }
  }

  /// Sets both sides, with the requested digests.
  mutating func update(_ old: InventoryPack?, _ new: InventoryPack?) {
    pair.old = old
    pair.new = new
  }

  // MARK: Changes

  /// Returns the change of the pack; nil if none is known.
  func change() -> PackChange? {
    var change = PackChange(id: id, kind: .changed, old: pair.old, new: pair.new)
    change.isWhole = areFilesKnown
    change.files = files()
    guard let old = pair.old else {
      change.kind = .added
      return change
    }
    guard let new = pair.new else {
      change.kind = .removed
      change.breaks = [Break(breakage: .packRemoved, pack: id)]
      return change
    }
    change.attributes = Self.attributes(old, new)
    change.breaks = Self.breaks(id, old, new)
    let isSame = change.files.isEmpty && change.attributes.isEmpty
    change.isDownloadedAgain = pair.hasSameBytes == false || pair.hasSameBytes == nil && !isSame
    guard isSame else { return change }
    switch pair.hasSameBytes {
    case true?: return nil
    case nil:
      // If an archive does not exist yet, equal contents mean no change.
      if areFilesKnown, !pair.arePacked { return nil }
      change.kind = .unknown
    case false?:
      change.kind = areFilesKnown ? .rewritten : .changed
      if let before = old.form, let now = new.form {
        change.settings = now.differences(from: before)
      }
    }
    return change
  }

  private func files() -> [FileChange] {
    guard areFilesKnown else { return [] }
    let (old, new) = (pair.old?.contents ?? PackContents(), pair.new?.contents ?? PackContents())
    func size(_ side: InventoryPack?, _ contents: PackContents, _ index: Int) -> UInt64? {
      side?.hasSizes ?? true ? contents.size(at: index) : nil
    }
    // Empty files are equal without a comparison of their digests.
    func identity(_ contents: PackContents, _ index: Int) -> [UInt8]? {
      pair.areSizesKnown && contents.size(at: index) == 0
        ? [] : contents.digest(at: index).map { Array($0) }
    }
    func change(_ kind: FileChange.Kind, _ before: Int?, _ now: Int?) -> FileChange {
      var change = FileChange(
        kind: kind,
        path: now.map { new[$0] } ?? before.map { old[$0] } ?? AssetPath(unchecked: []))
      change.oldSize = before.flatMap { size(pair.old, old, $0) }
      change.newSize = now.flatMap { size(pair.new, new, $0) }
      change.stored = now.flatMap { new.share(at: $0)?.stored }
      change.digest = now.flatMap { identity(new, $0) } ?? before.flatMap { identity(old, $0) }
      return change
    }
    var changes: [FileChange] = resized.map { change(.changed, $0.old, $0.new) }
    for (before, now) in sameSize where old.size(at: before) > 0 || !pair.areSizesKnown {
      if let one = old.digest(at: before), let other = new.digest(at: now) {
        if !one.elementsEqual(other) { changes.append(change(.changed, before, now)) }
      } else {
        changes.append(change(.unknown, before, now))
      }
    }
    // The same bytes at another path are a rename. Of several candidates, the first is used.
    var gone: [[UInt8]: [Int]] = [:]
    for index in removed.reversed() {
      if let bytes = identity(old, index) { gone[bytes, default: []].append(index) }
    }
    var renamed: Set<Int> = []
    for index in added {
      guard let same = identity(new, index).flatMap({ gone[$0]?.popLast() }) else {
        changes.append(change(.added, nil, index))
        continue
      }
      renamed.insert(same)
      changes.append(change(.renamed(from: old[same]), same, index))
    }
    changes += removed.filter { !renamed.contains($0) }.map { change(.removed, $0, nil) }
    return changes.sorted {
      $0.weight != $1.weight ? $0.weight > $1.weight : $0.path < $1.path
    }
  }

  // MARK: Manifest values

  private static func attributes(
    _ old: InventoryPack, _ new: InventoryPack
  ) -> [PackChange.AttributeChange] {
    var changes: [PackChange.AttributeChange] = []
    func add(_ key: String, _ before: JSONValue, _ now: JSONValue) {
      if before != now { changes.append(.init(key: key, old: before, new: now)) }
    }
    // A list of digests does not contain these values, and a download manifest contains few.
    guard let before = old.policy, let now = new.policy else { return [] }
    add(Manifest.key(of: \.downloadPolicy), before.jsonValue, now.jsonValue)
    if old.contents != nil, new.contents != nil {
      add(Manifest.key(of: \.platforms), old.platforms.json, new.platforms.json)
      add(Manifest.key(of: \.language), old.language.json, new.language.json)
    }
    add(Manifest.key(of: \.userInfo), old.userInfo ?? .null, new.userInfo ?? .null)
    return changes
  }

  private static func breaks(_ id: PackID, _ old: InventoryPack, _ new: InventoryPack) -> [Break] {
    guard old.policy != nil, new.policy != nil, old.contents != nil, new.contents != nil else {
      return []
    }
    // Requests of such packs fail. The comparison of paths finds the other losses.
    var breaks: [Break] = []
    for platform in Platform.allCases
    where old.isOffered(on: platform)
      && !new.isOffered(on: platform)
    {
      breaks.append(Break(breakage: .platformDropped, pack: id, what: platform.rawValue))
    }
    if old.language == nil, let language = new.language {
      breaks.append(Break(breakage: .languageDropped, pack: id, what: "all but \(language)"))
    }
    return breaks
  }
}

extension PackPair {
  /// Whether the sizes of files are known on both sides.
  var areSizesKnown: Bool { old?.hasSizes ?? true && new?.hasSizes ?? true }
}

extension InventoryPack {
  fileprivate func isOffered(on platform: Platform) -> Bool {
    PackAudience(platforms: platforms, language: language).isOffered(on: platform)
  }
}

extension [Platform] {
  fileprivate var json: JSONValue {
    .array(Platform.allCases.filter(contains).map { .string($0.rawValue) })
  }
}

extension LanguageTag? {
  fileprivate var json: JSONValue { map { .string($0.description) } ?? .null }
}
