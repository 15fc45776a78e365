import BAPackKit
import SystemIO

/// The folders for a user's data, as specified by the XDG Base Directory Specification.
enum UserFolders {
  /// Returns the folder for permanent data: the certificate authority.
  static func data(_ console: Console) throws(PackError) -> FilePath {
    try folder("XDG_DATA_HOME", [".local", "share"], console)
  }

  /// Returns the folder for data that later runs use: versions, journals.
  static func state(_ console: Console) throws(PackError) -> FilePath {
    try folder("XDG_STATE_HOME", [".local", "state"], console)
  }

  /// Returns the folder for encoded blocks, which can be rebuilt.
  static func blocks(_ console: Console) throws(PackError) -> String {
    try folder("XDG_CACHE_HOME", [".cache"], console).appending(FileName("blocks".utf8)).text
  }

  private static func folder(
    _ variable: String, _ usual: [String], _ console: Console
  ) throws(PackError) -> FilePath {
    // The specification requires relative paths to be ignored.
    if let given = console.environment(variable), given.hasPrefix("/") {
      return FilePath(given).appending(FileName("ba-package".utf8))
    }
    guard let home = console.environment("HOME"), home.hasPrefix("/") else {
      throw PackError(
        .missing, "cannot find the home folder: HOME is not set",
        remedy: .advice("set \(variable) to one of your folders"))
    }
    return (usual + ["ba-package"]).reduce(FilePath(home)) { $0.appending(FileName($1.utf8)) }
  }
}
