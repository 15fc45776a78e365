// The part of the mock of BackgroundAssets for downloader extensions and unmanaged apps: its
// declarations without code.
// swift-format-ignore-file

import ExtensionFoundation
import Foundation
import FoundationNetworking

public enum BAContentRequest: Int, Sendable { case install = 1, update, periodic }

public class BAAppExtensionInfo {}

open class BADownload: NSObject, @unchecked Sendable {
  public typealias Priority = Int
  public var identifier: String { fatalError() }
  public var isEssential: Bool { fatalError() }
  public func removingEssential() -> Self { fatalError() }
}

extension BADownload.Priority { public static var `default`: Int { 0 } }

public final class BAURLDownload: BADownload, @unchecked Sendable {
  public init(
    identifier: String, request: URLRequest, essential: Bool, fileSize: Int,
    applicationGroupIdentifier: String, priority: BADownload.Priority
  ) {}
}

/// The methods of a delegate; those of Apple's protocol are optional.
public protocol BADownloadManagerDelegate: NSObjectProtocol {
  func download(
    _ download: BADownload, didWriteBytes bytesWritten: Int64, totalBytesWritten: Int64,
    totalBytesExpectedToWrite totalExpectedBytes: Int64)
  func download(_ download: BADownload, finishedWithFileURL fileURL: URL)
  func download(_ download: BADownload, failedWithError error: any Error)
}

public final class BADownloadManager: NSObject, @unchecked Sendable {
  public static let shared = BADownloadManager()
  public weak var delegate: (any BADownloadManagerDelegate)?
  public func fetchCurrentDownloads() throws -> [BADownload] { fatalError() }
  public func scheduleDownload(_ download: BADownload) throws {}
  public func startForegroundDownload(_ download: BADownload) throws {}
  public func cancel(_ download: BADownload) throws {}
  public func withExclusiveControl(_ body: @escaping (Bool, (any Error)?) -> Void) {}
}

public protocol BADownloaderExtension: AppExtension {
  func downloads(
    for request: BAContentRequest, manifestURL: URL, extensionInfo: BAAppExtensionInfo
  ) -> Set<BADownload>
  func backgroundDownload(_ failedDownload: BADownload, failedWithError error: any Error)
  func backgroundDownload(_ finishedDownload: BADownload, finishedWithFileURL fileURL: URL)
}

extension BADownloaderExtension {
  public func downloads(
    for request: BAContentRequest, manifestURL: URL, extensionInfo: BAAppExtensionInfo
  ) -> Set<BADownload> { [] }
  public func backgroundDownload(_ failedDownload: BADownload, failedWithError error: any Error) {}
  public func backgroundDownload(
    _ finishedDownload: BADownload, finishedWithFileURL fileURL: URL
  ) {}
}

public protocol ManagedDownloaderExtension: BADownloaderExtension {
  func shouldDownload(_ assetPack: AssetPack) -> Bool
}

extension ManagedDownloaderExtension {
  public func shouldDownload(_ assetPack: AssetPack) -> Bool { true }
}

extension FileManager {
  public func containerURL(forSecurityApplicationGroupIdentifier group: String) -> URL? { nil }
}
