import TerminalText

/// The Swift file that reads an unmanaged manifest in an app and its extension.
package enum UnmanagedSwift {
  /// The file; it needs nothing but Foundation where Apple's framework is not there.
  package static func text(appGroupID: String?) -> String {
    let group = (appGroupID ?? "group.com.example.game")
      .replacingBytes(of: "\\", with: "\\\\").replacingBytes(of: "\"", with: "\\\"")
    return head + decoding + framework.replacing("APP_GROUP", with: "\"\(group)\"")
  }

  private static let head = """
    // Reads the manifest of what this app downloads by itself. Add the file to the app and to its
    // downloader extension; it is yours, change it as you like.
    //
    // The part that decodes was compiled and run. The part behind `canImport(BackgroundAssets)` was
    // written from Apple's declarations and never compiled where the framework is: try it.

    import Foundation


    """

  private static let decoding = """
    /// What the app may download, and when.
    public struct UnmanagedManifest: Sendable, Equatable {
      /// The number of the form that this file reads.
      public static let format = 1

      /// The kind of installation that downloads come with.
      public enum InstallationEvent: String, Sendable, Codable {
        case firstInstallation, subsequentUpdate
      }

      /// A file that is downloaded by itself.
      public struct Asset: Sendable, Hashable, Codable {
        /// The path by which the download is known.
        public var identifier: String
        public var url: URL
        /// The exact number of bytes: a download of any other size fails.
        public var fileSize: Int
        /// The SHA-256 in hexadecimal digits, to compare a finished download with.
        public var sha256: String
        /// Rises whenever the file changes.
        public var version: Int
        /// Whether the app waits for it before it first opens.
        public var essential: Bool
        /// Empty if it comes when the app asks.
        public var installationEventTypes: [InstallationEvent]
      }

      /// Those that are essential come first.
      public var assets: [Asset]

      /// The manifest has a form that this file does not know.
      public struct UnknownFormat: Error {
        public var format: Int
      }

      /// Reads the manifest that the system downloaded.
      public init(contentsOf url: URL) throws { try self.init(Data(contentsOf: url)) }

      /// Reads a manifest.
      public init(_ data: Data) throws {
        struct Form: Decodable { var format: Int }
        struct List: Decodable { var assets: [Asset] }
        let form = try JSONDecoder().decode(Form.self, from: data)
        guard form.format == Self.format else { throw UnknownFormat(format: form.format) }
        assets = try JSONDecoder().decode(List.self, from: data).assets
      }

      /// What comes with an installation, in the order of the manifest.
      public func assets(for event: InstallationEvent) -> [Asset] {
        assets.filter { $0.installationEventTypes.contains(event) }
      }

      /// The asset of a finished download.
      public func asset(identifier: String) -> Asset? {
        assets.first { $0.identifier == identifier }
      }
    }


    """

  private static let framework = """
    #if canImport(BackgroundAssets)
      import BackgroundAssets

      extension UnmanagedManifest {
        /// The answer of a downloader extension:
        ///
        ///     func downloads(
        ///       for request: BAContentRequest, manifestURL: URL, extensionInfo: BAAppExtensionInfo
        ///     ) -> Set<BADownload> {
        ///       UnmanagedManifest.downloads(
        ///         for: request, manifestURL: manifestURL, extensionInfo: extensionInfo)
        ///     }
        ///
        /// `isNeeded` leaves out what is there already.
        public static func downloads(
          for request: BAContentRequest, manifestURL: URL, extensionInfo: BAAppExtensionInfo,
          applicationGroupIdentifier group: String = APP_GROUP,
          where isNeeded: (Asset) -> Bool = { _ in true }
        ) -> Set<BADownload> {
          guard let manifest = try? UnmanagedManifest(contentsOf: manifestURL) else { return [] }
          let assets: [Asset]
          // An essential download may be requested only as the app is installed or updated.
          let mayBeEssential: Bool
          switch request {
          case .install: (assets, mayBeEssential) = (manifest.assets(for: .firstInstallation), true)
          case .update: (assets, mayBeEssential) = (manifest.assets(for: .subsequentUpdate), true)
          default:
            assets = manifest.assets.filter { !$0.installationEventTypes.isEmpty }
            mayBeEssential = false
          }
          return Set(
            assets.filter(isNeeded).map { asset in
              BAURLDownload(
                identifier: asset.identifier, request: URLRequest(url: asset.url),
                essential: asset.essential && mayBeEssential, fileSize: asset.fileSize,
                applicationGroupIdentifier: group, priority: .default)
            })
        }
      }
    #endif

    """
}
