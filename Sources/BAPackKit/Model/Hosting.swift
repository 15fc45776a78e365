/// Who serves a pack to devices: some rules apply to only one of them.
public enum Hosting: String, Sendable, CaseIterable {
  /// Apple, through App Store Connect.
  case apple
  /// Your own server.
  case selfHosted = "self"
}
