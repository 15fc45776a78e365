import SystemIO

/// Paths as GitHub expects them: annotations name files relative to the top of the workspace,
/// wherever the program was started.
struct Checkout {
  private let top: String?

  /// The workspace named by the environment; there is none outside GitHub's runners.
  init(_ environment: (String) -> String?) {
    let path = environment("GITHUB_WORKSPACE") ?? ""
    let real = path.isEmpty ? nil : try? realPath(of: path)
    top = real.map { $0 == "/" ? "" : $0 }
  }

  /// The path of a file relative to the workspace if it is inside it; else the path as it was
  /// given.
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
