import Glibc
package import SystemIO
package import TLSIdentity

/// The keys that the mock knows: one pair, under the ID of a team's key and that of a person's.
package struct MockKeys: Sendable {
  package let key: PrivateKey
  package let teamKeyID = "BAMOCKTEAM"
  package let individualKeyID = "BAMOCKUSER"
  package let issuer = "6ba7b811-9dad-51d1-80b4-00c04fd430c8"

  package init(_ key: PrivateKey) { self.key = key }

  /// The key that is kept in a folder, or a new one where there is none; and its file, which has the
  /// name that clients look for.
  package static func kept(in folder: String) throws(Failure) -> (keys: MockKeys, path: String) {
    let opened = try FileDescriptor.openFolder(making: folder)
    try opened.setPermissions(0o700)
    let name = FileName("AuthKey_BAMOCKTEAM.p8".utf8)
    let path = FilePath(folder).appending(name).text
    if let kept = try read(path) { return (kept, path) }
    let lock = try FileLock(besides: path) {}
    // Somebody else may have been faster.
    let keys = if let kept = try read(path) { kept } else { try make(name, in: opened) }
    lock.release()
    return (keys, path)
  }

  private static func make(
    _ name: FileName, in folder: borrowing FileDescriptor
  ) throws(Failure) -> MockKeys {
    let key = try PrivateKey.make()
    let file = try AtomicFile(replacing: name, in: try folder.duplicate())
    try file.setPermissions(0o600)
    try file.write(try key.pem())
    try file.publish()
    return MockKeys(key)
  }

  private static func read(_ path: String) throws(Failure) -> MockKeys? {
    do throws(Failure) {
      let bytes = try FileDescriptor.open(path, for: .reading).readToEnd(atMost: 64 << 10)
      return MockKeys(
        try explaining({ $0.about(path) }) { () throws(Failure) in
          try PrivateKey.read(pem: bytes)
        })
    } catch {
      guard error.code == ENOENT else { throw error }
      return nil
    }
  }
}
