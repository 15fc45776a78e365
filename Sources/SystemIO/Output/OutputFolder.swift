import Glibc

/// A folder for outputs, made with those above it where they are missing.
///
/// When the value goes, what it made and nobody put anything into goes too. Another process may be
/// about to put something into it: whoever writes there makes the folder again (``AtomicFile``).
package struct OutputFolder: ~Copyable {
  /// The folders that were made, the outermost first.
  private let made: [String]

  /// Sees to it that the folder is there.
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

/// Where an output goes: a name in a folder.
package struct OutputPlace {
  package var folder: String
  package var name: FileName

  package init(_ path: String) {
    let path = FilePath(path)
    folder = path.folder.text
    name = path.name
  }
}
