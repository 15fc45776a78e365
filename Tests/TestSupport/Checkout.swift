public import Foundation

/// The checkout that the tests are built from: their corpora, the examples, the sources themselves.
public enum Checkout {
  /// Its top folder.
  public static let top = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// A file or folder in it, by its path from the top.
  public static func file(_ path: String) -> URL { top.appending(path: path) }
}
