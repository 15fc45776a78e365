import SourceDiagnostics
import SystemIO
import TerminalText

/// What an app with a downloader of its own may download: addresses, sizes and digests.
///
/// The form of the text is ours. What is essential comes first; otherwise assets stand in the order
/// of their identifiers, so that equal assets give equal bytes.
package struct UnmanagedManifest: Sendable, Equatable {
  /// The number of the form that is written, and of those that are read.
  package static let format = 1

  /// A file that is downloaded by itself.
  package struct Asset: Sendable, Equatable {
    /// Its path, by which extension and app know the download.
    package var identifier: PackID
    /// Where it is.
    package var url: String
    /// How many bytes it has.
    package var fileSize: UInt64
    /// Its SHA-256 in hexadecimal digits.
    package var sha256: String
    /// When it is downloaded.
    package var policy: DownloadPolicy
    /// How often its bytes have changed.
    package var version: Int

    /// The asset as devices are offered it: what is downloaded is what is kept.
    package var offered: OfferedPack {
      OfferedPack(
        id: identifier, policy: policy, size: PackSize(download: fileSize, unpacked: fileSize))
    }
  }

  /// The assets.
  package var assets: [Asset]
  /// The form of the addresses; nil if it was never given.
  package var urlTemplate: String?

  /// Makes a manifest; its assets are put in order.
  package init(assets: [Asset], urlTemplate: String?) {
    self.assets = assets.sorted { Self.precedes($0, $1) }
    self.urlTemplate = urlTemplate
  }

  static func precedes(_ left: Asset, _ right: Asset) -> Bool {
    left.policy.isEssential == right.policy.isEssential
      ? left.identifier < right.identifier : left.policy.isEssential
  }

  /// What is downloaded, and when.
  package var plan: DownloadPlan { DownloadPlan(ofAll: assets.map(\.offered)) }

  /// The hosts of the addresses, each once.
  package var hosts: [String] {
    var seen: Set<String> = []
    return assets.compactMap { WebAddress($0.url)?.host }.filter { seen.insert($0).inserted }
  }
}

extension DownloadPolicy {
  /// Whether the app waits for it.
  var isEssential: Bool { if case .essential = self { true } else { false } }

  /// The installations that it is about; none if it is on demand.
  package var events: Set<InstallationEvent> {
    switch self {
    case .essential(let events), .prefetch(let events): events
    case .onDemand: []
    }
  }
}

// MARK: - Writing

extension UnmanagedManifest {
  /// The manifest as strict JSON; equal manifests give equal bytes.
  package func json() -> [UInt8] {
    UnmanagedDraft.table.bytes(
      of: UnmanagedDraft(urlTemplate: urlTemplate, assets: assets), .readable)
  }

  /// The download manifest of the same files, which Apple's reader of manifests takes for unmanaged
  /// use, too.
  ///
  /// The ID of a pack has no `/`: there is a `-` in its place.
  package var managed: DownloadManifest {
    DownloadManifest(
      packs: assets.map {
        PublishedPack(
          id: PackID($0.identifier.text.replacingBytes(of: "/", with: "-")), url: $0.url,
          version: $0.version, downloadSize: $0.fileSize,
          downloadPolicy: $0.policy)
      })
  }
}

// MARK: - Changing

/// Which files are downloaded when, by patterns for their identifiers.
package struct UnmanagedPolicies: Sendable {
  /// What the app waits for.
  package var essential: [String] = []
  /// What comes when the app asks.
  package var onDemand: [String] = []
  /// The installations with which everything else comes, and what is essential; nil for all.
  package var events: Set<InstallationEvent>?

  package init() {}

  /// The policies, or the first pattern that cannot be read.
  package func checked() throws(PackError) -> Checked {
    func read(_ texts: [String]) throws(PackError) -> [Pattern] {
      try texts.map { text throws(PackError) in
        do throws(PatternFault) {
          return Pattern(text: text, pattern: try PathPattern(forExclusion: text))
        } catch {
          throw PackError(
            .invalidValue, "the pattern '\(text)' cannot be read",
            remedy: "close '[', and write '\\\\' before a sign that is meant as it is")
        }
      }
    }
    return Checked(essential: try read(essential), onDemand: try read(onDemand), events: events)
  }

  /// A pattern, as it was given and as it is used.
  struct Pattern: Sendable {
    let text: String
    let pattern: PathPattern

    /// Whether it matches a file, or a folder that the file is in.
    func matches(_ identifier: PackID) -> Bool {
      let names = FilePath(identifier.text.utf8).components
      return names.indices.contains { pattern.matches(FilePath(joining: names[...$0]).bytes) }
    }
  }

  package struct Checked: Sendable {
    let essential: [Pattern]
    let onDemand: [Pattern]
    let events: Set<InstallationEvent>?

    /// The policy of a file that is new.
    func policy(of identifier: PackID) -> DownloadPolicy {
      named(identifier, before: nil) ?? .prefetch(events ?? Self.allEvents)
    }

    /// The policy that a pattern gives to a file; nil if none matches it.
    func named(_ identifier: PackID, before: DownloadPolicy?) -> DownloadPolicy? {
      if essential.contains(where: { $0.matches(identifier) }) {
        // What comes with some installations goes on doing so, unless others are named.
        let before = before?.events ?? []
        return .essential(events ?? (before.isEmpty ? Self.allEvents : before))
      }
      return onDemand.contains { $0.matches(identifier) } ? .onDemand : nil
    }

    /// The patterns that match none of the files.
    package func unmatched(in files: [UnmanagedFile]) -> [String] {
      (essential + onDemand).filter { pattern in
        !files.contains { pattern.matches($0.identifier) }
      }.map(\.text)
    }

    private static let allEvents = Set(InstallationEvent.allCases)
  }
}

extension UnmanagedManifest {
  /// Makes a manifest of files.
  package init(
    of files: [UnmanagedFile], at urls: PackURLs, _ policies: UnmanagedPolicies.Checked
  ) {
    self.init(
      assets: files.map { file in
        Asset(
          identifier: file.identifier, url: file.url(at: urls, version: 0), fileSize: file.size,
          sha256: file.sha256, policy: policies.policy(of: file.identifier), version: 0)
      }, urlTemplate: urls.template)
  }

  /// What an update did.
  package struct Changes: Sendable, Equatable {
    package var added: [PackID] = []
    package var changed: [PackID] = []
    package var removed: [PackID] = []
    /// What was not among the files and stayed.
    package var absent: [PackID] = []
    /// What changed and could not get another address.
    package var atSameAddress: [PackID] = []
    /// What is downloaded at another time than before.
    package var rescheduled: [PackID] = []
  }

  /// Takes in files: those whose bytes are the same stay as they are, others get their sizes,
  /// digests, next versions, and addresses by the template.
  ///
  /// When a file is downloaded changes only if a pattern names it.
  package mutating func update(
    with files: [UnmanagedFile], at urls: PackURLs, removingAbsent: Bool,
    _ policies: UnmanagedPolicies.Checked
  ) -> Changes {
    var changes = Changes()
    var left = Dictionary(assets.map { ($0.identifier, $0) }) { first, _ in first }
    var updated: [Asset] = []
    for file in files {
      guard var asset = left.removeValue(forKey: file.identifier) else {
        changes.added.append(file.identifier)
        updated.append(
          Asset(
            identifier: file.identifier, url: file.url(at: urls, version: 0), fileSize: file.size,
            sha256: file.sha256, policy: policies.policy(of: file.identifier), version: 0))
        continue
      }
      if asset.sha256 != file.sha256 || asset.fileSize != file.size {
        changes.changed.append(file.identifier)
        let before = asset.url
        if asset.version < .max { asset.version += 1 }
        asset.url = file.url(at: urls, version: asset.version)
        asset.fileSize = file.size
        asset.sha256 = file.sha256
        if asset.url == before { changes.atSameAddress.append(file.identifier) }
      }
      let policy = policies.named(file.identifier, before: asset.policy) ?? asset.policy
      if policy != asset.policy {
        changes.rescheduled.append(file.identifier)
        asset.policy = policy
      }
      updated.append(asset)
    }
    for asset in assets where left[asset.identifier] != nil {
      if removingAbsent {
        changes.removed.append(asset.identifier)
      } else {
        changes.absent.append(asset.identifier)
        updated.append(asset)
      }
    }
    self = UnmanagedManifest(assets: updated, urlTemplate: urls.template)
    return changes
  }
}
