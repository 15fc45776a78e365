import SystemIO

/// Where GitHub looks for files: annotations name them from the top of the workspace, wherever the
/// program was started.
struct Checkout {
  private let top: String?

  /// The workspace that the environment names; none outside of GitHub's runners.
  init(_ environment: (String) -> String?) {
    let path = environment("GITHUB_WORKSPACE") ?? ""
    let real = path.isEmpty ? nil : try? realPath(of: path)
    top = real.map { $0 == "/" ? "" : $0 }
  }

  /// The path of a file from the top, if it is below it; else the path as it was given.
  func path(of name: String) -> String {
    guard let top else { return name }
    let bytes = Array(name.utf8)
    let end = bytes.lastIndex(of: UInt8(ascii: "/"))
    let folder = end.map { String(decoding: bytes[..<max($0, 1)], as: UTF8.self) } ?? "."
    // The file itself may be a link; it is the link that stands in the repository.
    guard let parent = try? realPath(of: folder) else { return name }
    let file = String(decoding: bytes[(end.map { $0 + 1 } ?? 0)...], as: UTF8.self)
    let whole = (parent == "/" ? "" : parent) + "/" + file
    guard whole.utf8.starts(with: (top + "/").utf8), !isStandardInput(name) else { return name }
    return String(decoding: whole.utf8.dropFirst(top.utf8.count + 1), as: UTF8.self)
  }

  private func isStandardInput(_ name: String) -> Bool { name == ManifestInput.standardInput }
}
