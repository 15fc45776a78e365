import BAPackKit
import SystemIO
import TLSIdentity

/// The names of the server, and its certificate.
struct ServerTrust: Sendable {
  /// The name of a certificate authority that this program creates, as devices show it.
  static let authorityName = "ba-package test server"

  /// The name of the server for devices.
  let host: HostName
  /// All names of the server, in addition to its addresses.
  let names: Set<HostName>
  /// The authority that devices must trust; nil if the user specified a certificate.
  let authority: Authority?
  /// Whether the authority was created in this run.
  let isNew: Bool
  private let folder: IdentityFolder?
  private let work: Work
  private let given: Identity?
  /// The certificate file that clients on this machine need to trust the server.
  let caFile: String

  init(_ settings: ServeSettings, _ console: Console) throws(PackError) {
    work = console.work
    let now = Moment.now
    let machine = Machine.current
    if let path = settings.identityPaths.first {
      let identity = try Self.read(settings.identityPaths, at: now)
      given = identity
      authority = nil
      folder = nil
      isNew = false
      caFile = path
      guard let usual = identity.certificate.hosts.first else {
        throw PackError(.invalidValue, "cannot use '\(path)': the certificate has no host names")
      }
      host = settings.host ?? usual
      names = Set(identity.certificate.hosts + [host])
      if !identity.certificate.hosts.contains(host) {
        let list = identity.certificate.hosts.map(\.description).joined(separator: ", ")
        console.warning(
          "the certificate '\(path)' is for \(list), not for \(host): devices will refuse it")
      }
      return
    }
    let host = settings.host ?? machine.address ?? .name("localhost")
    let folder = try KeepingOptions.identityFolder(settings.identityFolder, console)
    let kept = try mapFailure(.publishing) { () throws(Failure) in
      try folder.authority(
        called: Self.authorityName, at: now,
        for: [host] + (machine.address.map { [$0] } ?? []) + machine.names,
        constraints: settings.isConstrained, console.work)
    }
    try kept.authority.check(for: host, at: now, in: folder)
    self.host = host
    // An authority from another machine, or from before a change of the host name, may not permit
    // all names.
    names = try mapFailure(.publishing) { () throws(Failure) in
      var permitted: Set<HostName> = [host]
      for name in [.name("localhost")] + machine.names
      where try kept.authority.canIssueCertificate(for: name, at: now) {
        permitted.insert(name)
      }
      return permitted
    }
    authority = kept.authority
    isNew = kept.isNew
    self.folder = folder
    given = nil
    caFile = folder.rootPath
  }

  /// Returns the identity for the requested name, or for the local address of the connection.
  func identity(for name: String?, at address: SocketAddress) throws(Failure) -> Identity {
    if let given { return given }
    guard let folder, let authority else { throw Failure(.malformed("there is no certificate")) }
    if let asked = name.flatMap({ HostName($0) }), names.contains(asked) {
      return try folder.identity(for: asked, by: authority, at: .now, work)
    }
    guard let reached = HostName(address.hostText), reached != host,
      try authority.canIssueCertificate(for: reached, at: .now)
    else { return try folder.identity(for: host, by: authority, at: .now, work) }
    return try folder.identity(for: reached, by: authority, at: .now, work)
  }

  /// The digest of the root as text to compare; nil without an authority of this program.
  var digest: String? {
    guard let digest = try? authority?.root.fingerprint() else { return nil }
    return TrustProfile.fingerprintText(digest)
  }

  private static func read(_ paths: [String], at now: Moment) throws(PackError) -> Identity {
    let texts = try paths.map { path throws(PackError) in
      try mapFailure(.reading) { () throws(Failure) in
        try FileDescriptor.open(path, for: .reading).readToEnd(atMost: 1 << 20)
      }
    }
    let (certificate, key) = (paths[0], paths[paths.count - 1])
    let secret = try mapFailure(.reading) { () throws(Failure) in
      try explaining({ $0.withPath(key) }) { () throws(Failure) in
        try PrivateKey.read(pem: texts[texts.count - 1])
      }
    }
    let identity = try mapFailure(.reading) { () throws(Failure) in
      try explaining({ $0.withPath(certificate) }) { () throws(Failure) in
        try Identity(certificate: texts[0], key: secret)
      }
    }
    if let trouble = identity.problem(at: now) {
      throw PackError(
        .invalidValue, "cannot use '\(certificate)': \(trouble)",
        remedy: "specify a server certificate that is currently valid")
    }
    return identity
  }
}

extension Authority {
  private static let makeNewAuthority: Remedy =
    """
    remove it with 'ba-package identity remove'; the next 'serve' creates another, which \
    devices must trust again
    """

  /// Returns the remedy for an authority whose constraints do not permit a host: an authority
  /// permits the host of the run of 'serve' that creates it.
  private static func makeAuthority(for host: HostName) -> Remedy {
    .advice(
      """
      remove it with 'ba-package identity remove', and run 'ba-package serve --host \(host)', \
      which creates an authority for this host; devices must trust it again
      """)
  }

  /// Throws if the authority in `folder` cannot issue a certificate for a host.
  func check(for host: HostName, at now: Moment, in folder: IdentityFolder) throws(PackError) {
    let trouble = try mapFailure(.reading) { () throws(Failure) in
      try self.problem(for: host, at: now)
    }
    switch trouble {
    case nil: return
    case .notYetValid(let begin)?:
      throw PackError(
        .invalidValue,
        "the certificate authority in '\(folder.path)' is valid from \(begin), but the local "
          + "clock is at \(Moment(seconds: now.seconds))",
        remedy: "set the clock of this machine"
      )
    case .expired(let end)?:
      throw PackError(
        .invalidValue, "the certificate authority in '\(folder.path)' expired on \(end.day)",
        remedies: [Self.makeNewAuthority])
    case .notPermitted?:
      throw PackError(
        .invalidValue,
        "the certificate authority in '\(folder.path)' may not issue certificates for "
          + "'\(host)': it is restricted to other hosts", remedies: [Self.makeAuthority(for: host)])
    }
  }
}

/// The names and the address of this machine.
private struct Machine {
  /// The address for other machines; nil without a network.
  let address: HostName?
  /// Its names in the local network.
  let names: [HostName]

  static var current: Machine {
    let name = ProcessState.machineName.flatMap { HostName($0) }
    return Machine(
      address: SocketAddress.ofDefaultRoute().flatMap { HostName($0.hostText) },
      names: [name, name.flatMap { HostName("\($0).local") }].compactMap { $0 })
  }
}
