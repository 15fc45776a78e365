import SystemIO

/// The packs that contain a path, or one that may be the same file on a device.
///
/// Packs are added in order. `validate`, `simulate` and `diff` use the same path forms and
/// audiences.
package struct PathOwners: Sendable {
  /// The packs that contain a path, as a hashable value.
  package struct Owners: Hashable, Sendable {
    fileprivate var set: PackSets.Number = 0

    /// Creates an empty set of packs.
    package init() {}
  }

  private enum Key: Hashable {
    case path(AssetPath)
    /// Texts are compared by canonical equivalence.
    case text(String)
  }

  private let forms: PathForms?
  private var owners: [Key: PackSets.Number] = [:]
  private var sets = PackSets()

  /// Creates owners that compare paths as the file system of a device does; without forms, by their
  /// bytes.
  package init(_ forms: PathForms?, expecting count: Int = 0) {
    self.forms = forms
    owners.reserveCapacity(count)
  }

  private func key(_ path: AssetPath) -> Key {
    guard let forms, !forms.isKey(path) else { return .path(path) }
    let text = forms.key(path)
    return text.utf8.allSatisfy { $0 < 0x80 } ? .path(AssetPath(unchecked: text.utf8)) : .text(text)
  }

  /// Adds a path of a pack; the numbers of packs must be in ascending order.
  package mutating func add(_ path: AssetPath, of pack: Int) {
    let key = key(path)
    owners[key] = sets.adding(pack, to: owners[key] ?? 0)
  }

  /// Returns the packs that contain the path.
  package func owners(of path: AssetPath) -> Owners {
    var found = Owners()
    found.set = owners[key(path)] ?? 0
    return found
  }

  /// Returns the packs in their order; twice if a pack has two paths that may be the same file.
  package func packs(_ owners: Owners) -> [Int] { sets.members(of: owners.set) }
}

/// The devices that are offered a pack.
package struct PackAudience: Sendable, Equatable {
  /// The platforms; all if empty.
  package var platforms: [Platform]
  /// The language; nil for a pack for all languages.
  package var language: LanguageTag?

  package init(platforms: [Platform], language: LanguageTag?) {
    self.platforms = platforms
    self.language = language
  }

  package func isOffered(on platform: Platform) -> Bool {
    platforms.isEmpty || platforms.contains(platform)
  }

  /// Returns the groups of packs that one device of a platform can have at the same time.
  ///
  /// Packs of different languages share paths on purpose. A pack without a language can be on a
  /// device together with any other pack. Groups of one pack are omitted.
  package static func rivals(
    among packs: [Int], on platform: Platform, _ audience: (Int) -> PackAudience
  ) -> [[Int]] {
    let offered = packs.filter { audience($0).isOffered(on: platform) }
    var groups: [LanguageMeaning: [Int]] = [:]
    for pack in offered {
      guard let language = audience(pack).language else {
        return offered.count > 1 ? [offered] : []
      }
      groups[language.meaning, default: []].append(pack)
    }
    return groups.values.filter { $0.count > 1 }.sorted { $0[0] < $1[0] }
  }
}
