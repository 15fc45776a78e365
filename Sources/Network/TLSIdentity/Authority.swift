import CCrypto
package import SystemIO

/// A certificate authority: a root certificate that devices trust, and its private key.
package struct Authority: Sendable {
  /// The certificate that devices trust.
  package let root: Certificate
  private let key: PrivateKey

  /// Creates an authority from an existing root; throws if the key does not match the certificate.
  package init(root: Certificate, key: PrivateKey) throws(Failure) {
    guard root.isAuthority else {
      throw .malformed("the certificate is not a certificate authority")
    }
    guard root.matches(key) else {
      throw .malformed("the private key does not match the certificate")
    }
    self.root = root
    self.key = key
  }

  /// Creates an authority.
  ///
  /// With `constraints`, it can issue certificates only for this computer, local names, private
  /// addresses and `hosts`. A stolen key is then useless for other hosts.
  package static func make(
    called name: String, at now: Moment, for hosts: [HostName] = [],
    constraints isConstrained: Bool = true
  ) throws(Failure) -> Authority {
    let key = try PrivateKey.make()
    var draft = try CertificateDraft(of: key)
    try draft.setPeriod(from: now.adding(seconds: -slack), to: now.adding(seconds: rootLife))
    try draft.setName(name)
    try draft.setIssuer(nil)
    try draft.add(NID_basic_constraints, "critical,CA:TRUE,pathlen:0")
    try draft.add(NID_key_usage, "critical,keyCertSign,cRLSign")
    try draft.add(NID_subject_key_identifier, "hash")
    if isConstrained {
      try draft.add(NID_name_constraints, "critical," + constraints(for: hosts))
    }
    let root = try draft.signed(by: key)
    return try Authority(root: root, key: key)
  }

  /// The reason why an authority cannot issue a certificate for a host.
  package enum Problem: Sendable, Equatable {
    /// The root is not valid yet, because a clock is slow.
    case notYetValid(from: Moment)
    case expired(Moment)
    /// The constraints of the root exclude the host.
    case notPermitted
  }

  /// Returns the reason why no certificate can be issued at a time, for any host; nil if there is
  /// none.
  func problem(at now: Moment) -> Problem? {
    if let begin = root.begin, now < begin { return .notYetValid(from: begin) }
    if let end = root.end, end < now { return .expired(end) }
    return nil
  }

  /// Returns the reason why no certificate can be issued for a host; nil if there is none.
  package func problem(for host: HostName, at now: Moment) throws(Failure) -> Problem? {
    if let problem = problem(at: now) { return problem }
    return try issue(for: host, at: now) == nil ? .notPermitted : nil
  }

  /// Issues a certificate for a host, with its private key.
  ///
  /// Throws if the root is not valid, or if its constraints exclude the host. Systems of Apple
  /// accept at most 825 days and one name.
  package func leaf(for host: HostName, at now: Moment) throws(Failure) -> Identity {
    switch problem(at: now) {
    case .notYetValid(let begin)?:
      throw .malformed("the certificate authority is not valid before \(begin): check the clock")
    case .expired(let end)?: throw .malformed("the certificate authority expired on \(end.day)")
    case .notPermitted?, nil: break
    }
    guard let leaf = try issue(for: host, at: now) else {
      throw .malformed("the certificate authority cannot issue certificates for '\(host)'")
    }
    return leaf
  }

  /// Issues a certificate for a host; nil if clients that trust the root would not accept it.
  private func issue(for host: HostName, at now: Moment) throws(Failure) -> Identity? {
    let made = try sign(host, at: now)
    return try made.isTrusted(by: root, at: nil) ? made : nil
  }

  private func sign(_ host: HostName, at now: Moment) throws(Failure) -> Identity {
    let own = try PrivateKey.make()
    var draft = try CertificateDraft(of: own)
    var end = now.adding(seconds: Self.leafLife - Self.slack)
    if let last = root.end, last < end { end = last }
    try draft.setPeriod(from: now.adding(seconds: -Self.slack), to: end)
    // The common name must be one of the permitted names: GnuTLS treats every common name as a host
    // name if there is no other name, and OpenSSL if it has the form of one.
    switch host {
    case .name(let name) where name.utf8.count <= 64: try draft.setName(name)
    case .name: try draft.setName("Asset pack test server", as: .organization)
    case .address: try draft.setName("Asset packs at \(host)", as: .organization)
    }
    try draft.setIssuer(root)
    try draft.add(NID_basic_constraints, "critical,CA:FALSE")
    try draft.add(NID_key_usage, "critical,digitalSignature")
    try draft.add(NID_ext_key_usage, "serverAuth")
    try draft.add(NID_subject_key_identifier, "hash")
    try draft.add(NID_authority_key_identifier, "keyid:always")
    switch host {
    case .name(let name): try draft.add(NID_subject_alt_name, "DNS:\(name)")
    case .address: try draft.add(NID_subject_alt_name, "IP:\(host)")
    }
    return Identity(certificate: try draft.signed(by: key), chain: [root], key: own)
  }

  func keyPEM() throws(Failure) -> [UInt8] { try key.pem() }

  /// Whether the authority can issue a certificate for a host: the root is valid, and its
  /// constraints permit the host.
  package func canIssueCertificate(for host: HostName, at now: Moment) throws(Failure) -> Bool {
    try problem(for: host, at: now) == nil
  }

  /// Tolerates clocks of devices that are slow.
  private static let slack: Int64 = 5 * 60
  private static let rootLife: Int64 = 3652 * 86_400
  private static let leafLife: Int64 = 825 * 86_400 - 1

  /// The permitted hosts of a constrained root, in the syntax of OpenSSL.
  private static func constraints(for hosts: [HostName]) -> String {
    let addresses = [
      "127.0.0.0/255.0.0.0", "10.0.0.0/255.0.0.0", "172.16.0.0/255.240.0.0",
      "192.168.0.0/255.255.0.0", "169.254.0.0/255.255.0.0", "100.64.0.0/255.192.0.0",
      "::1/ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "fc00::/fe00::", "fe80::/ffc0::",
    ]
    var permitted = ["DNS:localhost", "DNS:local"] + addresses.map { "IP:\($0)" }
    for host in hosts {
      switch host {
      case .name(let name): permitted.append("DNS:\(name)")
      case .address(let bytes):
        let mask = HostName.address(bytes.map { _ in 255 })
        permitted.append("IP:\(host)/\(mask)")
      }
    }
    return permitted.map { "permitted;\($0)" }.joined(separator: ",")
  }
}
