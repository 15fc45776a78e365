import CryptoCalls
package import SourceDiagnostics

/// A provisioning profile: the entitlements that an app may use.
///
/// Its signature is not verified.
package struct ProvisioningProfile: Sendable {
  /// The entitlements that the profile allows.
  package let entitlements: PlacedValue
  /// The name in the developer portal.
  package let name: String?

  /// Reads an `embedded.mobileprovision` or `embedded.provisionprofile`.
  package init(_ bytes: [UInt8]) throws(Unreadable) {
    let remedy: Finding.Message = "download the profile again"
    let list: [UInt8]
    do {
      list = try CryptoCall.contentOfSignedMessage(bytes)
    } catch {
      throw Unreadable(SourceSpan(0, 0), "it is not a signed message", remedy: remedy)
    }
    let value = try XMLPropertyList.read(list)
    guard let entitlements = value["Entitlements"], case .dictionary = entitlements.kind else {
      throw Unreadable(SourceSpan(0, 0), "it has no entitlements", remedy: remedy)
    }
    self.entitlements = entitlements
    name = value["Name"]?.text
  }
}
