/// The hosts that an app may download from before it is opened for the first time:
/// `BADownloadDomainAllowList`.
public struct DomainAllowList: Sendable, Equatable {
  /// The patterns as they were written.
  public var patterns: [String]

  /// Makes a list.
  public init(_ patterns: [String]) { self.patterns = patterns }

  /// Whether a pattern covers a host: the same name, or `*.` in front of a domain above it.
  ///
  /// Case does not count; `*.example.com` does not cover `example.com` itself.
  public func covers(_ host: String) -> Bool {
    let host = host.lowercased()
    return patterns.contains { pattern in
      let pattern = pattern.lowercased()
      guard pattern.hasPrefix("*.") else { return pattern == host }
      let domain = pattern.dropFirst()
      return host.hasSuffix(domain) && host.count > domain.count
    }
  }

  /// The patterns that cannot cover anything, because they are no names of hosts.
  public var malformed: [String] {
    patterns.filter { pattern in
      let name = pattern.hasPrefix("*.") ? pattern.dropFirst(2) : pattern[...]
      return name.isEmpty || name.contains { "*/:@? ".contains($0) }
    }
  }
}
