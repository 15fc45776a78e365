extension FuzzTarget {
  /// The head of a request: read the same by everybody, or refused.
  static let requestHead = FuzzTarget(name: "request-heads") { bytes in
    hold(RequestProperty.violation(in: bytes))
  }

  /// Faults as people write them, and paths as clients ask for them.
  static let faultText = FuzzTarget(name: "fault-texts") { bytes in
    hold(ServingProperty.violation(in: bytes))
  }

  /// Names and addresses that certificates vouch for.
  static let hostName = FuzzTarget(name: "host-names") { bytes in
    hold(IdentityProperty.violation(inHost: bytes))
  }

  /// Certificates and keys that a person gives.
  static let certificate = FuzzTarget(name: "certificates") { bytes in
    hold(IdentityProperty.violation(inCertificate: bytes))
  }
}

/// Stops the process when something does not hold.
func hold(_ violation: String?) { require(violation == nil, violation ?? "") }
