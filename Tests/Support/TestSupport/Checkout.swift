public import Foundation

/// The checkout of the tests: their corpora, the examples, and the sources.
public enum Checkout {
  /// The top folder.
  public static let top = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// Returns a file or folder in the checkout, by its path from the top.
  public static func file(_ path: String) -> URL { top.appending(path: path) }

  /// Returns the folder with the sources of a module.
  ///
  /// Modules are in the folders of their floors.
  public static func module(_ name: String) throws -> URL {
    let sources = file("Sources")
    let floors = try FileManager.default.contentsOfDirectory(atPath: sources.path)
    return sources.appending(
      path: floors.map { "\($0)/\(name)" }.first {
        FileManager.default.fileExists(atPath: sources.appending(path: $0).path)
      } ?? name)
  }
}
