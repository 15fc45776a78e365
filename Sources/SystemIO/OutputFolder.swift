import Glibc

/// A folder for outputs, made with those above it where they are missing.
///
/// When the value goes, what it made and nobody put anything into goes too.
package struct OutputFolder: ~Copyable {
  /// The folders that were made, the outermost first.
  private let made: [String]

  /// Sees to it that the folder is there.
  package init(_ path: String) throws(SystemError) {
    var made: [String] = []
    do throws(SystemError) {
      try Self.make(path, &made)
    } catch {
      Self.remove(made)
      throw error
    }
    self.made = made
  }

  deinit { Self.remove(made) }

  private static func make(_ path: String, _ made: inout [String]) throws(SystemError) {
    do throws(SystemError) {
      let place = OutputPlace(path)
      try FileDescriptor.open(place.folder, for: .directory).makeFolder(place.name)
      made.append(path)
    } catch {
      switch error.code {
      case EEXIST:
        _ = try FileDescriptor.open(path, for: .directory)
      case ENOENT where OutputPlace(path).folder != path:
        try make(OutputPlace(path).folder, &made)
        try make(path, &made)
      default: throw error
      }
    }
  }

  private static func remove(_ folders: [String]) {
    for folder in folders.reversed() {
      _ = unsafe FilePath(folder).withCString { unsafe rmdir($0) }
    }
  }
}
