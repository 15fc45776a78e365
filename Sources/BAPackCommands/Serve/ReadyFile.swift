import BAPackKit
import Glibc
import SourceDiagnostics
import SystemIO

/// Tells scripts where the server is: a file that appears when it is ready and goes when it ends.
///
/// It holds what opens doors, such as the token of the live page, so nobody else may read it.
struct ReadyFile: Sendable {
  private let path: String

  /// Takes away what an earlier server left, so that nobody reads that.
  ///
  /// An empty file may have been made for this one; anything else without the member that tells such
  /// a file is not ours.
  init(_ path: String, toldBy mark: String = "controlToken") throws(PackError) {
    self.path = path
    let isThere = try during(.writing) { () throws(Failure) -> Bool in
      do throws(Failure) {
        let file = try FileDescriptor.open(path, for: .reading)
        let bytes = try file.readToEnd(atMost: 1 << 16)
        guard bytes.isEmpty || Self.isOurs(bytes, mark) else {
          throw Failure(.create, path, code: EEXIST)
        }
        return true
      } catch {
        guard error.code == ENOENT else { throw error }
        return false
      }
    }
    if isThere { remove() }
  }

  private static func isOurs(_ bytes: [UInt8], _ mark: String) -> Bool {
    JSONDocument(parsing: SourceText(bytes, named: "")).root?[mark] != nil
  }

  func write(_ members: [(String, JSONValue?)]) throws(PackError) {
    let value = JSONValue.object(
      members.compactMap { key, value in value.map { .init(key, $0) } })
    try during(.writing) { () throws(Failure) in
      let file = try AtomicFile(path)
      try file.setPermissions(0o600)
      try file.write(JSONWriter.bytes(value, .readable))
      try file.publish(syncing: false)
    }
  }

  func remove() {
    let place = OutputPlace(path)
    guard let folder = try? FileDescriptor.open(place.folder, for: .directory) else { return }
    folder.removeQuietly(place.name)
  }
}
