/// The host of packs; some rules apply to only one host.
public enum Hosting: String, Sendable, CaseIterable {
  /// Apple, through App Store Connect.
  case apple
  /// The developer's own server.
  case selfHosted = "self"
}
