import Glibc

/// A folder for outputs; it is created, with its parents, if it is missing.
///
/// When the value ends, folders that it created and that are still empty are removed. Another
/// process may need such a folder: when it writes a file, it creates the folder again
/// (``AtomicFile``).
package struct OutputFolder: ~Copyable {
  /// The folders that were created, the outermost first.
  private let made: [String]

  /// Ensures that the folder exists.
  package init(_ path: String) throws(Failure) {
    var made: [String] = []
    do throws(Failure) {
      _ = try FileDescriptor.openFolder(making: path, noting: &made)
    } catch {
      Self.remove(made)
      throw error
    }
    self.made = made
  }

  deinit { Self.remove(made) }

  private static func remove(_ folders: [String]) {
    for folder in folders.reversed() {
      _ = unsafe FilePath(folder).withCString { unsafe rmdir($0) }
    }
  }
}
