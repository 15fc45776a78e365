public import Foundation

/// The checkout of the tests: their corpora, the examples, and the sources.
public enum Checkout {
  /// The top folder.
  public static let top = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// Returns a file or folder in the checkout, by its path from the top.
  public static func file(_ path: String) -> URL { top.appending(path: path) }
}
