import SystemIO

/// Paths in reports of CI systems: relative to the top of the workspace and independent of the
/// current folder.
struct Checkout {
  private let top: String?

  /// Reads the workspace from the environment; only runners of CI systems have one.
  init(_ environment: (String) -> String?) {
    top = ["GITHUB_WORKSPACE", "CI_PROJECT_DIR"].lazy.compactMap(environment)
      .first { !$0.isEmpty }
  }

  /// Returns the path of a file relative to the workspace; a path outside of it is unchanged.
  func path(of name: String) -> String {
    guard let top, name != ManifestInput.standardInput,
      let path = relativePath(of: name, from: top), !path.hasPrefix("../")
    else { return name }
    return path
  }
}
