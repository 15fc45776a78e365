import Glibc
package import SystemIO

/// The folder of an authority and its identities, so that the user has to install the root on a
/// device only once.
///
/// Only the owner can read a key in the folder. If this type creates the folder, only the owner can
/// enter it. Every file is complete or missing. New files are created under a lock, so that two
/// servers that start at the same time use the same files.
package struct IdentityFolder: Sendable {
  package let path: String

  package init(_ path: String) { self.path = path }

  /// The path of the root certificate, in PEM format.
  package var rootPath: String { file(Self.rootName) }

  private static let rootName = "root.pem"
  private static let rootKeyName = "root-key.pem"
  /// The maximum size of a file in the folder.
  private static let largestFile = 1 << 20
  /// The minimum remaining validity of an identity in seconds, so that it does not expire during a
  /// run.
  private static let leastRemaining: Int64 = 30 * 86_400

  /// Returns the saved authority; nil if there is none.
  package func kept() throws(Failure) -> Authority? {
    guard let root = try contents(Self.rootName) else { return nil }
    guard let key = try contents(Self.rootKeyName) else {
      throw Failure(
        .malformed("the private key of the root certificate is missing"), file(Self.rootKeyName))
    }
    let certificate = try naming(Self.rootName) { () throws(Failure) in
      try Certificate.read(pem: root)
    }
    return try naming(Self.rootKeyName) { () throws(Failure) in
      try Authority(root: certificate, key: try PrivateKey.read(pem: key))
    }
  }

  /// Returns the saved authority, or a new one if there is none.
  package func authority(
    called name: String, at now: Moment, for hosts: [HostName] = [],
    constraints isConstrained: Bool = true, _ work: Work
  ) throws(Failure) -> (authority: Authority, isNew: Bool) {
    if let kept = try kept() { return (kept, false) }
    let folder = try open()
    return try locked(work) { () throws(Failure) in
      // Another process may have created it.
      if let kept = try kept() { return (kept, false) }
      let made = try Authority.make(
        called: name, at: now, for: hosts, constraints: isConstrained)
      // The key is written first: a root without its key would be useless.
      try write(try made.keyPEM(), as: Self.rootKeyName, in: folder, isSecret: true)
      try write(try made.root.pem(), as: Self.rootName, in: folder, isSecret: false)
      return (made, true)
    }
  }

  /// Returns an identity for a host, issued by the authority: the saved one if it is valid for at
  /// least 30 days or until the root expires, otherwise a new one.
  ///
  /// Throws if the authority cannot issue one for the host.
  package func identity(
    for host: HostName, by authority: Authority, at now: Moment, _ work: Work
  ) throws(Failure) -> Identity {
    if let kept = try usable(for: host, by: authority, at: now) { return kept }
    let folder = try open()
    return try locked(work) { () throws(Failure) in
      if let kept = try usable(for: host, by: authority, at: now) { return kept }
      let made = try authority.leaf(for: host, at: now)
      try write(
        try made.certificate.pem() + made.key.pem(), as: Self.hostFileName(host), in: folder,
        isSecret: true)
      return made
    }
  }

  /// Returns the saved identity.
  ///
  /// If it is not valid yet, a clock is slow: the result is a new identity that is not saved, and
  /// the saved one is not replaced.
  private func usable(
    for host: HostName, by authority: Authority, at now: Moment
  ) throws(Failure) -> Identity? {
    guard authority.problem(at: now) == nil,
      let kept = keptIdentity(for: host, by: authority, at: now)
    else { return nil }
    guard let begin = kept.certificate.begin, now < begin else { return kept }
    return try authority.leaf(for: host, at: now)
  }

  /// Returns the saved identity; nil if it cannot be used.
  private func keptIdentity(
    for host: HostName, by authority: Authority, at now: Moment
  ) -> Identity? {
    guard case .some(.some(let text)) = try? contents(Self.hostFileName(host)),
      let key = try? PrivateKey.read(pem: text),
      let found = try? Identity(certificate: text, key: key),
      found.certificate.hosts == [host],
      (try? found.isTrusted(by: authority.root, at: nil)) == true,
      let end = found.certificate.end,
      let rootEnd = authority.root.end,
      end.seconds(since: now) >= Self.leastRemaining || end >= rootEnd
    else { return nil }
    return Identity(certificate: found.certificate, chain: [authority.root], key: key)
  }

  /// Returns the hosts of the saved certificates, and the end of their validity.
  package func keptHosts() throws(Failure) -> [(host: HostName, end: Moment)] {
    guard try exists() else { return [] }
    let listing = try FileDescriptor.open(path, for: .directory).list()
    let root = try? kept()?.root
    return listing.items.compactMap { item in
      hostFile(FilePath(listing.fileName(of: item).bytes).text, of: root)
    }
  }

  private static func hostFileName(_ host: HostName) -> String { "host-\(host.fileName).pem" }

  /// Returns the host of a certificate file of this folder, and the end of its validity; nil for
  /// any other file.
  ///
  /// The file belongs to this folder if the root signed the certificate, and the file name is that
  /// of the host.
  private func hostFile(_ name: String, of root: Certificate?) -> (host: HostName, end: Moment)? {
    guard name.hasPrefix("host-"), name.hasSuffix(".pem"),
      case .some(.some(let text)) = try? contents(name),
      let certificate = try? Certificate.read(pem: text), certificate.hosts.count == 1,
      let host = certificate.hosts.first, Self.hostFileName(host) == name,
      let end = certificate.end, let root, certificate.isSigned(by: root)
    else { return nil }
    return (host, end)
  }

  /// Removes the authority and all its certificates; returns the names of the removed files.
  package func remove(_ work: Work) throws(Failure) -> [String] {
    guard try exists() else { return [] }
    let folder = try FileDescriptor.open(path, for: .directory)
    var removed: [String] = []
    try locked(work) { () throws(Failure) in
      let listing = try folder.list()
      let root = try? kept()?.root
      for item in listing.items {
        let name = listing.fileName(of: item)
        let text = FilePath(name.bytes).text
        let isOurs =
          [Self.rootName, Self.rootKeyName].contains(text)
          || hostFile(text, of: root) != nil
        guard isOurs else { continue }
        try folder.remove(name)
        removed.append(text)
      }
    }
    let place = OutputPlace(path)
    try FileDescriptor.open(place.folder, for: .directory).removeEmptyFolderQuietly(place.name)
    return removed
  }

  private func exists() throws(Failure) -> Bool {
    try ifPresent { () throws(Failure) in try FileStatus(ofFileAt: path) } != nil
  }

  private func open() throws(Failure) -> FileDescriptor {
    var made: [String] = []
    let folder = try FileDescriptor.openFolder(making: path, noting: &made)
    // The permissions of an existing folder are kept; only the owner can read the keys in it.
    if made.last == path { try folder.setPermissions(0o700) }
    return folder
  }

  private func locked<Value>(
    _ work: Work, _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    let lock = try FileLock(besides: rootPath, work) {}
    let value = try body()
    lock.release()
    return value
  }

  private func write(
    _ bytes: [UInt8], as name: String, in folder: borrowing FileDescriptor, isSecret: Bool
  ) throws(Failure) {
    let file = try AtomicFile(replacing: FileName(name.utf8), in: try folder.duplicate())
    try file.setPermissions(isSecret ? 0o600 : 0o644)
    try file.write(bytes)
    try file.publish()
  }

  private func file(_ name: String) -> String {
    FilePath(path).appending(FileName(name.utf8)).text
  }

  /// Returns the bytes of a file; nil if it does not exist.
  private func contents(_ name: String) throws(Failure) -> [UInt8]? {
    try ifPresent { () throws(Failure) in
      try FileDescriptor.open(file(name), for: .reading).readToEnd(atMost: Self.largestFile)
    }
  }

  private func naming<Value>(
    _ name: String, _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    try explaining({ $0.withPath(file(name)) }, body)
  }
}
