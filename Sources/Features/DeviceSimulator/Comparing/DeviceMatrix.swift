package import BAPackKit
package import SourceDiagnostics
import SystemIO

/// The downloads of devices that differ in one property.
package struct DeviceMatrix: Sendable {
  /// The property that differs.
  package enum Axis: String, Sendable, CaseIterable {
    case languages, platforms
  }

  /// One device.
  package struct Row: Sendable, Equatable {
    /// The language or platform.
    package var name: String
    /// The language that was resolved for the device.
    package var language: LanguageTag?
    /// The packs that an installation downloads, and the size of all offered packs.
    package var downloaded: [PackID]
    package var essential: UInt64
    package var prefetch: UInt64
    package var onDemand: UInt64
    /// The files that the reference device can have and this one cannot; nil if they are unknown.
    package var missing: [String]?
    /// The semantic rules that apply.
    package var rules: [SemanticRule]
  }

  /// The property that differs.
  package let axis: Axis
  /// The name of the reference device's row.
  package let comparison: String?
  /// One row for each device; the reference device is first.
  package private(set) var rows: [Row] = []
  /// The reason why there is one row for all languages; nil if there is one for each.
  package private(set) var reason: String?

  /// Compares devices that differ from a profile in one property; each platform has its own
  /// release.
  package init<Failure>(
    _ axis: Axis, for profile: DeviceProfile,
    release: (Platform) throws(Failure) -> Release
  ) throws(Failure) {
    self.axis = axis
    var profiles: [(name: String, profile: DeviceProfile, release: Release)] = []
    let own = try release(profile.platform)
    switch axis {
    case .languages where !profile.knowsLocalizedPacks:
      // Such a device gets the same packs in every language.
      var reference = profile
      reference.system = DeviceSystem(Device.firstSystemWithLocalizedPacks)
      reference.languages = profile.primaryLanguage.map { [$0] } ?? profile.languages
      comparison = reference.languages.first.map {
        "\($0), \(profile.platform.rawValue) \(reference.system)"
      }
      if let comparison { profiles.append((comparison, reference, own)) }
      profiles.append(("any, \(profile.systemName)", profile, own))
      reason = "\(profile.noLocalizedPacks)."
    case .languages:
      let wanted = ([profile.primaryLanguage] + profile.languages).compactMap { $0 }
      let offered = own.offered(to: profile)
      let parts = PartsByLanguage(offered)
      for tag in (wanted + offered.languages).firstOfEachMeaning {
        var other = profile
        other.languages = [tag]
        profiles.append((tag.description, other, parts[tag] ?? offered))
      }
      comparison = profile.primaryLanguage?.description
    case .platforms:
      profiles.append((profile.platform.rawValue, profile, own))
      for platform in Platform.allCases where platform != profile.platform {
        var other = profile
        other.platform = platform
        profiles.append((platform.rawValue, other, try release(platform)))
      }
      comparison = profile.platform.rawValue
    }
    var reference: [ReleasedPack]?
    for (name, profile, release) in profiles {
      let device = Self.device(release, profile)
      if name == comparison { reference = device.available }
      var row = device.row
      row.name = name
      row.missing = reference.flatMap { Self.missing(in: device.available, of: $0) }
      rows.append(row)
    }
  }

  private static func device(
    _ release: Release, _ profile: DeviceProfile
  ) -> (row: Row, available: [ReleasedPack]) {
    var profile = profile
    // The comparison ignores the free space of one device.
    profile.free = nil
    profile.bytesPerSecond = nil
    var state = DeviceState()
    state.profile = profile
    state.publish(0)
    let (after, events) = state.after(.install, in: ReleaseSource([release]))
    var row = Row(
      name: "", language: profile.knowsLocalizedPacks ? after.language.language : nil,
      downloaded: [], essential: 0, prefetch: 0, onDemand: 0, missing: nil, rules: events.rules)
    for event in events {
      if let download = event.kind.download {
        row.downloaded.append(download.id)
        if download.time == .beforeLaunch {
          row.essential = row.essential.addingSaturated(download.size)
        } else {
          row.prefetch = row.prefetch.addingSaturated(download.size)
        }
      } else if case .waiting(_, let size) = event.kind {
        row.onDemand = size
      }
    }
    let available = release.offered(to: profile).packs.filter {
      $0.offered.language.serves(row.language)
    }
    return (row, available)
  }

  /// Returns the paths that some packs contain and others do not, regardless of the languages in
  /// the paths.
  private static func missing(
    in packs: [ReleasedPack], of others: [ReleasedPack]
  ) -> [String]? {
    guard packs.allSatisfy({ $0.contents != nil }), others.allSatisfy({ $0.contents != nil }) else {
      return nil
    }
    // Files of packs that both devices have are not compared.
    let own = Set(packs.map(\.id))
    let common = Set(others.map(\.id)).intersection(own)
    var seen: Set<AssetPath> = []
    for pack in packs where !common.contains(pack.id) {
      guard let contents = pack.contents else { continue }
      let word = pack.offered.language.map { LanguageWord($0) }
      for index in 0..<contents.count {
        seen.insert(contents[index])
        if let word { seen.insert(word.starred(contents[index])) }
      }
    }
    let shared = packs.filter { common.contains($0.id) }.compactMap(\.contents)
    var missing: Set<AssetPath> = []
    for pack in others where !common.contains(pack.id) {
      guard let contents = pack.contents else { continue }
      let word = pack.offered.language.map { LanguageWord($0) }
      for index in 0..<contents.count {
        let path = contents[index]
        let isPresent =
          seen.contains(path) || (word.map { seen.contains($0.starred(path)) } ?? false)
        if !isPresent, !shared.contains(where: { $0.index(of: path) != nil }) {
          missing.insert(path)
        }
      }
    }
    return missing.sorted().map(\.exact)
  }
}

/// The packs of a release for each of its languages.
///
/// A device whose language has packs resolves to this language. The packs of the others have no
/// effect on it, and are too many to examine for each language.
private struct PartsByLanguage {
  private let release: Release
  private let unlocalized: [Int]
  private let localized: [LanguageMeaning: [Int]]

  init(_ release: Release) {
    self.release = release
    var unlocalized: [Int] = []
    var localized: [LanguageMeaning: [Int]] = [:]
    for (index, pack) in release.packs.enumerated() {
      if let language = pack.offered.language {
        localized[language.meaning, default: []].append(index)
      } else {
        unlocalized.append(index)
      }
    }
    (self.unlocalized, self.localized) = (unlocalized, localized)
  }

  /// The packs for a language and those without one, in the order of the release; nil if the
  /// language has no packs.
  subscript(language: LanguageTag) -> Release? {
    localized[language.meaning].map { own in
      Release(
        release.name, (unlocalized + own).sorted().map { release.packs[$0] }, rules: release.rules)
    }
  }
}

extension DeviceMatrix.Row: Described {
  package static let table = Table<Self>(written: "a device") {
    Key("name", written: \.name, .text, "The language or the platform.")
    Key(
      "language", written: \.language, .nullable(.language),
      "The language of the packs; null if no pack has one.")
    Key(
      "packs", written: \.downloaded, .list(of: .packID),
      "The packs that an installation downloads.")
    Key(
      DownloadTime.beforeLaunch.name, written: \.essential, .bytes,
      "The size of its essential packs in bytes.")
    Key(
      DownloadTime.inBackground.name, written: \.prefetch, .bytes,
      "The size of its prefetched packs in bytes.")
    Key(
      DownloadTime.onRequest.name, written: \.onDemand, .bytes,
      "The size of its on-demand packs in bytes.")
    Key(
      "missing", written: \.missing, .nullable(.list(of: .text)),
      "The files that only the compared device can have; null if they are unknown.")
    Key("rules", written: { $0.rules.map(\.id) }, .list(of: .text), "The IDs of its rules.")
  }
}
