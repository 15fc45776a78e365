import SourceDiagnostics
import SystemIO
import TerminalText

/// The downloads of an app with its own downloader extension: addresses, sizes and digests.
///
/// The format is defined by ba-package. Essential assets are first; otherwise assets are sorted by
/// identifier, so that equal assets have equal bytes.
package struct UnmanagedManifest: Sendable, Equatable {
  /// The number of the format, which is the only supported one.
  package static let format = 1

  /// A file that is downloaded separately.
  package struct Asset: Sendable, Equatable {
    /// The path that identifies the download in the app and its extension.
    package var identifier: PackID
    /// The address of the file.
    package var url: String
    /// The size of the file in bytes.
    package var fileSize: UInt64
    /// The SHA-256 of the file in hexadecimal digits.
    package var sha256: String
    package var policy: DownloadPolicy
    /// The number of changes of the file.
    package var version: Int

    /// The asset as offered to devices; the download is the installed file.
    package var offered: OfferedPack {
      OfferedPack(
        id: identifier, policy: policy, size: PackSize(download: fileSize, unpacked: fileSize))
    }
  }

  package var assets: [Asset]
  /// The template of the addresses; nil if none was specified.
  package var urlTemplate: String?

  /// Creates a manifest, and sorts its assets.
  package init(assets: [Asset], urlTemplate: String?) {
    self.assets = assets.sorted { Self.precedes($0, $1) }
    self.urlTemplate = urlTemplate
  }

  static func precedes(_ left: Asset, _ right: Asset) -> Bool {
    left.policy.isEssential == right.policy.isEssential
      ? left.identifier < right.identifier : left.policy.isEssential
  }

  /// The downloads and their times.
  package var plan: DownloadPlan { DownloadPlan(ofAll: assets.map(\.offered)) }

  /// The hosts of the addresses, each once.
  package var hosts: [String] {
    var seen: Set<String> = []
    return assets.compactMap { WebAddress($0.url)?.host }.filter { seen.insert($0).inserted }
  }
}

extension DownloadPolicy {
  /// Whether the first launch of the app waits for the download.
  var isEssential: Bool { if case .essential = self { true } else { false } }

  /// The installations of the policy; empty if the download is on demand.
  package var events: Set<InstallationEvent> {
    switch self {
    case .essential(let events), .prefetch(let events): events
    case .onDemand: []
    }
  }
}

// MARK: - Writing

extension UnmanagedManifest {
  /// Returns the manifest as strict JSON; equal manifests have equal bytes.
  package func json() -> [UInt8] {
    UnmanagedDraft.table.bytes(
      of: UnmanagedDraft(urlTemplate: urlTemplate, assets: assets), .readable)
  }

  /// The download manifest of the same files, which Apple's reader of manifests supports for
  /// unmanaged downloads.
  ///
  /// IDs of packs cannot contain `/`, which is replaced with `-`.
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

/// The download policies of files, by patterns for their identifiers.
package struct UnmanagedPolicies: Sendable {
  /// The patterns of essential files.
  package var essential: [String] = []
  /// The patterns of files that are downloaded on demand.
  package var onDemand: [String] = []
  /// The installations for essential and all other files; all installations if nil.
  package var events: Set<InstallationEvent>?

  package init() {}

  /// Returns the parsed policies.
  ///
  /// - Throws: ``PackError`` for the first invalid pattern.
  package func checked() throws(PackError) -> Checked {
    func read(_ texts: [String]) throws(PackError) -> [Pattern] {
      try texts.map { text throws(PackError) in
        do throws(PatternFault) {
          return Pattern(text: text, pattern: try PathPattern(forExclusion: text))
        } catch {
          throw PackError(
            .invalidValue, "invalid pattern '\(text)'",
            remedy: "close '[', and write '\\\\' before a literal special character")
        }
      }
    }
    return Checked(essential: try read(essential), onDemand: try read(onDemand), events: events)
  }

  /// A pattern as text and in parsed form.
  struct Pattern: Sendable {
    let text: String
    let pattern: PathPattern

    /// Whether the pattern matches the file or one of its parent folders.
    func matches(_ identifier: PackID) -> Bool {
      let names = FilePath(identifier.text.utf8).components
      return names.indices.contains { pattern.matches(FilePath(joining: names[...$0]).bytes) }
    }
  }

  package struct Checked: Sendable {
    let essential: [Pattern]
    let onDemand: [Pattern]
    let events: Set<InstallationEvent>?

    /// Returns the policy of a new file.
    func policy(of identifier: PackID) -> DownloadPolicy {
      named(identifier, before: nil) ?? .prefetch(events ?? Self.allEvents)
    }

    /// Returns the policy of the pattern that matches a file; nil if no pattern matches it.
    func named(_ identifier: PackID, before: DownloadPolicy?) -> DownloadPolicy? {
      if essential.contains(where: { $0.matches(identifier) }) {
        // The installations are kept, unless others are specified.
        let before = before?.events ?? []
        return .essential(events ?? (before.isEmpty ? Self.allEvents : before))
      }
      return onDemand.contains { $0.matches(identifier) } ? .onDemand : nil
    }

    /// Returns the patterns without a matching file.
    package func unmatched(in files: [UnmanagedFile]) -> [String] {
      (essential + onDemand).filter { pattern in
        !files.contains { pattern.matches($0.identifier) }
      }.map(\.text)
    }

    private static let allEvents = Set(InstallationEvent.allCases)
  }
}

extension UnmanagedManifest {
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

  /// The changes of an update.
  package struct Changes: Sendable, Equatable {
    package var added: [PackID] = []
    package var changed: [PackID] = []
    package var removed: [PackID] = []
    /// The assets without a file, which were kept.
    package var absent: [PackID] = []
    /// The assets that changed but kept their address.
    package var atSameAddress: [PackID] = []
    /// The assets whose download policy changed.
    package var rescheduled: [PackID] = []
  }

  /// Updates the assets from files.
  ///
  /// Assets with unchanged bytes are kept. Others get new sizes, digests, versions, and addresses
  /// from the template. The policy of an asset changes only if a pattern matches it.
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
