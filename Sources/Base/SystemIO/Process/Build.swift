import CBuild
import Glibc

/// The build of this program, and the libraries that it uses.
package enum Build {
  /// The commit of the sources; nil if it is unknown.
  package static var commit: String? { unsafe text(build_commit()) }

  /// The version of the Swift toolchain; nil if it is unknown.
  package static var toolchain: String? { unsafe text(build_toolchain()) }

  /// The address of the repository; nil if it is unknown.
  package static var repository: String? { unsafe text(build_repository()) }

  private static func text(_ bytes: UnsafePointer<CChar>) -> String? {
    let text = unsafe String(cString: bytes)
    return text.isEmpty ? nil : text
  }

  /// Returns the paths of the loaded libraries, sorted; empty if the system does not list them.
  package static func libraries() -> [String] {
    guard let file = try? FileDescriptor.open("/proc/self/maps", for: .reading),
      let bytes = try? file.readToEnd(atMost: 16 << 20)
    else { return [] }
    var paths: Set<String> = []
    for line in bytes.split(separator: 0x0A) {
      guard let start = line.firstIndex(of: slash) else { continue }
      let path = FilePath(line[start...])
      if path.name.bytes.contains(Array(".so".utf8)) { paths.insert(path.shown) }
    }
    return paths.sorted()
  }
}
