/// Who serves a pack to devices: some rules hold for one of them only.
public enum Hosting: String, Sendable, CaseIterable {
  /// Apple, through App Store Connect.
  case apple
  /// A server of one's own.
  case selfHosted = "self"
}
