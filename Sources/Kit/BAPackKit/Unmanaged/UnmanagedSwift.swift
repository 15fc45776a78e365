import TerminalText

/// The Swift file that reads an unmanaged manifest in an app and its extension.
package enum UnmanagedSwift {
  /// Returns the file.
  ///
  /// Without Apple's framework, it requires only Foundation.
  package static func text(appGroupID: String?) -> String {
    let group = (appGroupID ?? "group.com.example.game")
      .replacingBytes(of: "\\", with: "\\\\").replacingBytes(of: "\"", with: "\\\"")
    return head + decoding + framework.replacing("APP_GROUP", with: "\"\(group)\"")
  }

  private static let head = """
    // Reads the manifest of this app's downloads. Add this file to the app and to its downloader
    // extension. You can change it.
    //
    // The decoding part was compiled and tested. The part below `canImport(BackgroundAssets)` was
    // written from Apple's declarations and was not compiled with the framework: test it.

    import Foundation


    """

  private static let decoding = """
    /// The downloads of the app and their times.
    public struct UnmanagedManifest: Sendable, Equatable {
      /// The supported format of the manifest.
      public static let format = 1

      /// The kinds of installations that start downloads.
      public enum InstallationEvent: String, Sendable, Codable {
        case firstInstallation, subsequentUpdate
      }

      /// A file to download.
      public struct Asset: Sendable, Hashable, Codable {
        /// The path that identifies the download.
        public var identifier: String
        public var url: URL
        /// The exact size in bytes: a download of another size fails.
        public var fileSize: Int
        /// The SHA-256 in hexadecimal digits, for checking a finished download.
        public var sha256: String
        /// A number that increases whenever the file changes.
        public var version: Int
        /// Whether the first launch of the app waits for the download.
        public var essential: Bool
        /// The installations that download the file; empty if the app requests it.
        public var installationEventTypes: [InstallationEvent]
      }

      /// The assets; essential assets are first.
      public var assets: [Asset]

      /// An error for a manifest in an unsupported format.
      public struct UnknownFormat: Error {
        public var format: Int
      }

      /// Reads the manifest that the system downloaded.
      public init(contentsOf url: URL) throws { try self.init(Data(contentsOf: url)) }

      /// Reads a manifest.
      public init(_ data: Data) throws {
        struct Header: Decodable { var format: Int }
        struct List: Decodable { var assets: [Asset] }
        let header = try JSONDecoder().decode(Header.self, from: data)
        guard header.format == Self.format else { throw UnknownFormat(format: header.format) }
        assets = try JSONDecoder().decode(List.self, from: data).assets
      }

      /// Returns the assets for an installation, in the order of the manifest.
      public func assets(for event: InstallationEvent) -> [Asset] {
        assets.filter { $0.installationEventTypes.contains(event) }
      }

      /// Returns the asset of a finished download.
      public func asset(identifier: String) -> Asset? {
        assets.first { $0.identifier == identifier }
      }
    }


    """

  private static let framework = """
    #if canImport(BackgroundAssets)
      import BackgroundAssets

      extension UnmanagedManifest {
        /// Returns the downloads for a downloader extension:
        ///
        ///     func downloads(
        ///       for request: BAContentRequest, manifestURL: URL, extensionInfo: BAAppExtensionInfo
        ///     ) -> Set<BADownload> {
        ///       UnmanagedManifest.downloads(
        ///         for: request, manifestURL: manifestURL, extensionInfo: extensionInfo)
        ///     }
        ///
        /// Use `isNeeded` to omit files that are already downloaded.
        public static func downloads(
          for request: BAContentRequest, manifestURL: URL, extensionInfo: BAAppExtensionInfo,
          applicationGroupIdentifier group: String = APP_GROUP,
          where isNeeded: (Asset) -> Bool = { _ in true }
        ) -> Set<BADownload> {
          guard let manifest = try? UnmanagedManifest(contentsOf: manifestURL) else { return [] }
          let assets: [Asset]
          // Essential downloads are allowed only when the app is installed or updated.
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
