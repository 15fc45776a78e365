import SystemIO

/// Paths in annotations of GitHub: relative to the top of the workspace and independent of the
/// current folder.
struct Checkout {
  private let top: String?

  /// Reads the workspace from the environment; only GitHub's runners have one.
  init(_ environment: (String) -> String?) {
    let path = environment("GITHUB_WORKSPACE") ?? ""
    let real = path.isEmpty ? nil : try? realPath(of: path)
    top = real.map { $0 == "/" ? "" : $0 }
  }

  /// Returns the path of a file relative to the workspace; a path outside of it is unchanged.
  func path(of name: String) -> String {
    guard let top else { return name }
    let bytes = Array(name.utf8)
    let end = bytes.lastIndex(of: slash)
    let folder = end.map { String(decoding: bytes[..<max($0, 1)], as: UTF8.self) } ?? "."
    // If the file is a link, the link itself is in the repository.
    guard let parent = try? realPath(of: folder) else { return name }
    let file = String(decoding: bytes[(end.map { $0 + 1 } ?? 0)...], as: UTF8.self)
    let whole = (parent == "/" ? "" : parent) + "/" + file
    guard whole.utf8.starts(with: (top + "/").utf8), !isStandardInput(name) else { return name }
    return String(decoding: whole.utf8.dropFirst(top.utf8.count + 1), as: UTF8.self)
  }

  private func isStandardInput(_ name: String) -> Bool { name == ManifestInput.standardInput }
}
