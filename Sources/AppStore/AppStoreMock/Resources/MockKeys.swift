package import SystemIO
package import TLSIdentity

/// The keys of the mock: one key pair, with the ID of a team key and that of an individual key.
package struct MockKeys: Sendable {
  package let key: PrivateKey
  package let teamKeyID = "BAMOCKTEAM"
  package let individualKeyID = "BAMOCKUSER"
  package let issuer = "6ba7b811-9dad-51d1-80b4-00c04fd430c8"

  package init(_ key: PrivateKey) { self.key = key }

  /// Returns the key in a folder, or a new one if there is none, and the path of its file.
  ///
  /// The file has the name that clients search.
  package static func kept(
    in folder: String, _ work: Work
  ) throws(Failure) -> (keys: MockKeys, path: String) {
    let path = FilePath(folder).appending(FileName("AuthKey_BAMOCKTEAM.p8".utf8)).text
    let file = StateFile<KeyFile>(path)
    if let kept = try file.read() { return (MockKeys(kept.key), path) }
    // Another process may have created one.
    let key = try file.change(work) { (kept: inout KeyFile?) throws(Failure) -> PrivateKey in
      if let kept { return kept.key }
      let made = try KeyFile(try PrivateKey.make())
      kept = made
      return made.key
    }
    return (MockKeys(key), path)
  }
}

/// The file of a private key, in the form that App Store Connect offers for download.
private struct KeyFile: StateDocument {
  let key: PrivateKey
  private let pem: [UInt8]

  static let noun = "key of a mock of App Store Connect"
  static let loss = "a new key is created, and copies of the old one are refused"
  static let largest = 64 << 10
  static let rules = StateRules(.owner, followsLinks: true)

  init(_ key: PrivateKey) throws(Failure) {
    self.key = key
    pem = try key.pem()
  }

  static func read(
    _ bytes: [UInt8], named name: String
  ) throws(StateFault) -> StateReading<KeyFile> {
    do throws(Failure) {
      return StateReading(try KeyFile(try PrivateKey.read(pem: bytes)))
    } catch {
      throw .damaged(error.reason)
    }
  }

  func encoded() throws(Failure) -> [UInt8] { pem }

  static func == (left: KeyFile, right: KeyFile) -> Bool { left.pem == right.pem }
}
