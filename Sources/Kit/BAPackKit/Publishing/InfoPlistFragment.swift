package import SourceDiagnostics
import SystemIO
import TerminalText

/// Extra space for packs to grow, as a share of their size.
package struct Headroom: Sendable, Equatable {
  /// The share in hundredths of a percent.
  private let share: UInt64

  /// No extra space.
  package static let none = Headroom(share: 0)

  private init(share: UInt64) { self.share = share }

  /// Parses `20%`, `20` or `12.5%`; nil unless the value is from 0 to 1000 percent.
  package init?(_ text: String) {
    let number = text.hasSuffix("%") ? text.dropLast() : text[...]
    let parts = number.split(separator: ".", omittingEmptySubsequences: false)
    let digits =
      (1...2).contains(parts.count)
      && parts.allSatisfy { (1...4).contains($0.count) && $0.utf8.allSatisfy(\.isDigit) }
    guard digits, let whole = UInt64(parts[0]), whole <= 1000 else { return nil }
    let fraction = parts.count > 1 ? parts[1] : ""
    guard fraction.count <= 2,
      let hundredths = UInt64(fraction + String(repeating: "0", count: 2 - fraction.count))
    else { return nil }
    share = whole * 100 + hundredths
  }

  /// Returns the size plus the extra space, rounded up.
  package func above(_ size: UInt64) -> UInt64 {
    let whole = 10_000 as UInt64
    let (high, low) = size.multipliedFullWidth(by: share)
    guard high < whole else { return .max }
    let (quotient, remainder) = whole.dividingFullWidth((high, low))
    return size.addingSaturated(quotient + (remainder > 0 ? 1 : 0))
  }
}

/// The ways in which an app gets its downloads.
package enum AppKind: String, Sendable, CaseIterable {
  /// Packs that Apple hosts.
  case appleHosted = "apple"
  /// Packs on the developer's server.
  case selfHosted = "self"
  /// Files that an extension of the app downloads itself.
  case unmanaged
}

/// The keys of an information property list for given packs and a server.
package struct InfoPlistFragment: Sendable {
  /// The values that do not depend on the packs.
  package struct App: Sendable {
    /// The address of the download manifest.
    package var manifestURL: String?
    /// The group that the app shares with its extension.
    package var appGroupID: String?
    /// The way in which the app gets its downloads.
    package var kind: AppKind

    /// Creates a description of an app.
    package init(
      manifestURL: String? = nil, appGroupID: String? = nil, kind: AppKind = .selfHosted
    ) {
      self.manifestURL = manifestURL
      self.appGroupID = appGroupID
      self.kind = kind
    }

    /// Throws if the address is invalid for devices, or the group is invalid in a property list.
    package func check(allowingHTTP: Bool) throws(PackError) {
      if let appGroupID {
        let isPlain = appGroupID.unicodeScalars.allSatisfy {
          $0.properties.generalCategory != .control && $0 != "\u{FFFE}" && $0 != "\u{FFFF}"
        }
        guard isPlain, !appGroupID.isEmpty else {
          throw PackError(
            .invalidValue, "the app group ID is empty or contains control characters",
            remedy: "specify the ID in the app's entitlements, for example group.com.example.game")
        }
      }
      guard let manifestURL else { return }
      _ = try WebAddress(
        manifestURL, called: "the manifest URL '\(publicAddress(manifestURL))'",
        allowingHTTP: allowingHTTP)
    }
  }

  /// The sizes, including the extra space.
  package let sizes: [InfoPlist.SizeKey: UInt64]
  /// The hosts of the packs.
  package let domains: [String]
  private let app: App

  /// Computes the keys.
  ///
  /// The sizes are the sums of essential and of prefetched packs for a platform, packed and
  /// unpacked; without a platform, of all packs.
  package init(
    for archives: [PublishedArchive], on platform: Platform? = nil, at urls: PackURLs,
    headroom: Headroom, app: App
  ) {
    self.init(
      for: DownloadPlan(ofAll: archives.map(\.offered), on: platform), from: [urls.host],
      headroom: headroom, app: app)
  }

  /// Computes the keys for downloads from these hosts.
  package init(for plan: DownloadPlan, from hosts: [String], headroom: Headroom, app: App) {
    var sizes: [InfoPlist.SizeKey: UInt64] = [:]
    for key in InfoPlist.SizeKey.allCases { sizes[key] = headroom.above(key.size(of: plan)) }
    self.sizes = sizes
    let hosts = hosts + (app.manifestURL.flatMap(WebAddress.init).map { [$0.host] } ?? [])
    domains = hosts.enumerated().filter { hosts.firstIndex(of: $0.element) == $0.offset }
      .map(\.element)
    self.app = app
  }

  /// Creates the keys of an app whose packs Apple hosts; they do not depend on the packs.
  package init(ofAppleHostedAppInGroup appGroupID: String?) {
    sizes = [:]
    domains = []
    app = App(appGroupID: appGroupID, kind: .appleHosted)
  }

  /// A key whose value does not depend on the downloads.
  package enum MissingKey: String, Sendable {
    case manifestURL = "BAManifestURL"
    case appGroupID = "BAAppGroupID"
  }

  /// The required keys without values.
  ///
  /// The extension of an app passes the group to each download, so only a managed app needs the
  /// key.
  package var missingKeys: [MissingKey] {
    (app.manifestURL == nil && app.kind != .appleHosted ? [.manifestURL] : [])
      + (app.appGroupID == nil && app.kind != .unmanaged ? [.appGroupID] : [])
  }

  /// The keys as a property list in XML.
  package func xml() -> String { PropertyList.xml(value) }

  /// The keys as JSON.
  package var jsonValue: JSONValue { JSONValue(value) }

  private var value: PropertyList.Value { .dictionary(keys) }

  /// All keys, in the order in which Xcode sorts them.
  package var keys: [(key: String, value: PropertyList.Value)] {
    let group = app.appGroupID.map { (InfoPlist.Key.appGroupID, PropertyList.Value.string($0)) }
    let isManaged = app.kind == .unmanaged ? nil : (InfoPlist.Key.hasManagedAssetPacks, true)
    let hosting =
      app.kind == .unmanaged ? nil : (InfoPlist.Key.usesAppleHosting, app.kind == .appleHosted)
    let server = app.kind == .appleHosted ? nil : serverKeys
    let keys: [(String, PropertyList.Value)?] = [
      group, server?.essentialInstall, isManaged.map { ($0.0, .bool($0.1)) },
      server?.restrictions, server?.manifest, server?.install,
      hosting.map { ($0.0, .bool($0.1)) },
    ]
    return keys.compactMap { $0.map { (key: $0.0, value: $0.1) } }
  }

  private typealias Entry = (String, PropertyList.Value)

  /// The keys for downloads from a server of the developer.
  private var serverKeys:
    (essentialInstall: Entry, restrictions: Entry, manifest: Entry?, install: Entry)
  {
    func size(_ key: InfoPlist.SizeKey) -> Entry { (key.rawValue, .integer(sizes[key] ?? 0)) }
    let restrictions: [Entry] = [
      size(.download),
      (InfoPlist.Key.domains, .array(domains.map { .string($0) })),
      size(.essentialDownload),
    ]
    return (
      size(.essentialInstall),
      (InfoPlist.Key.restrictions, .dictionary(restrictions.map { (key: $0.0, value: $0.1) })),
      app.manifestURL.map { (InfoPlist.Key.manifestURL, .string($0)) }, size(.install)
    )
  }
}

extension JSONValue {
  fileprivate init(_ value: PropertyList.Value) {
    self =
      switch value {
      case .bool(let bool): .bool(bool)
      case .integer(let number): .number(String(number))
      case .string(let text): .string(text)
      case .array(let elements): .array(elements.map(JSONValue.init))
      case .dictionary(let members):
        .object(members.map { .init($0.key, JSONValue($0.value)) })
      }
  }
}
