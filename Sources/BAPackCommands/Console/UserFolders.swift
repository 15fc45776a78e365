import BAPackKit
import SystemIO

/// Where this program keeps what is one person's and no project's, as the XDG specification wants
/// it.
enum UserFolders {
  /// For what is worth keeping: the certificate authority.
  static func data(_ console: Console) throws(PackError) -> FilePath {
    try folder("XDG_DATA_HOME", [".local", "share"], console)
  }

  /// For what a run leaves for the next one: versions, journals.
  static func state(_ console: Console) throws(PackError) -> FilePath {
    try folder("XDG_STATE_HOME", [".local", "state"], console)
  }

  /// For encoded blocks, which can be made again.
  static func blocks(_ console: Console) throws(PackError) -> String {
    try folder("XDG_CACHE_HOME", [".cache"], console).appending(FileName("blocks".utf8)).text
  }

  private static func folder(
    _ variable: String, _ usual: [String], _ console: Console
  ) throws(PackError) -> FilePath {
    // A relative path in such a variable is to be passed over.
    if let given = console.environment(variable), given.hasPrefix("/") {
      return FilePath(given).appending(FileName("ba-package".utf8))
    }
    guard let home = console.environment("HOME"), home.hasPrefix("/") else {
      throw PackError(
        .missing, "there is no home folder to keep things in: HOME is not set",
        remedy: .advice("set \(variable) to a folder of yours"))
    }
    return (usual + ["ba-package"]).reduce(FilePath(home)) { $0.appending(FileName($1.utf8)) }
  }
}
