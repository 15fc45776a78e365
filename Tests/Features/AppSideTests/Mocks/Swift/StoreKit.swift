// A mock of Apple's framework.
// swift-format-ignore-file
@_exported import BackgroundAssets
import Foundation

public protocol StoreDownloaderExtension: ManagedDownloaderExtension {}

public enum VerificationResult<SignedType> {
  case unverified(SignedType, any Error)
  case verified(SignedType)
}

public struct Transaction: Sendable {
  public let productID: String
  public let revocationDate: Date?
  public static var currentEntitlements: AsyncStream<VerificationResult<Transaction>> {
    AsyncStream { $0.finish() }
  }
}

extension VerificationResult: Sendable where SignedType: Sendable {}
