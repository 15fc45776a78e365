/// The hosts that an app may download from before it is opened for the first time:
/// `BADownloadDomainAllowList`.
public struct DomainAllowList: Sendable, Equatable {
  /// The patterns as they were written.
  public let patterns: [String]
  /// The hosts that are named whole, in lower case.
  private let hosts: Set<String>
  /// The domains behind a `*`, each with the dot in front.
  private let domains: Set<Substring>

  /// Makes a list.
  public init(_ patterns: [String]) {
    self.patterns = patterns
    let lowered = patterns.map { $0.lowercased() }
    hosts = Set(lowered)
    domains = Set(lowered.filter { $0.hasPrefix("*.") }.map { $0.dropFirst() })
  }

  /// Whether a pattern covers a host: the same name, or `*.` in front of a domain above it.
  ///
  /// Case does not count; `*.example.com` does not cover `example.com` itself.
  public func covers(_ host: String) -> Bool {
    let host = host.lowercased()
    if hosts.contains(host) { return true }
    var rest = host.dropFirst()
    while let dot = rest.firstIndex(of: ".") {
      if domains.contains(rest[dot...]) { return true }
      rest = rest[rest.index(after: dot)...]
    }
    return false
  }

  /// The patterns that cannot cover anything, because they are no names of hosts.
  public var malformed: [String] {
    patterns.filter { pattern in
      let name = pattern.hasPrefix("*.") ? pattern.dropFirst(2) : pattern[...]
      return name.isEmpty || name.contains { "*/:@? ".contains($0) }
    }
  }
}
