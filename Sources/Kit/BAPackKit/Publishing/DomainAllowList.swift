/// The hosts from which an app may download before its first launch: `BADownloadDomainAllowList`.
package struct DomainAllowList: Sendable, Equatable {
  /// The unmodified patterns.
  package let patterns: [String]
  /// The hosts without a `*`, in lower case.
  private let hosts: Set<String>
  /// The domains after a `*`, each with its leading dot.
  private let domains: Set<Substring>

  package init(_ patterns: [String]) {
    self.patterns = patterns
    let lowered = patterns.map { $0.lowercased() }
    hosts = Set(lowered)
    domains = Set(lowered.filter { $0.hasPrefix("*.") }.map { $0.dropFirst() })
  }

  /// Whether a pattern covers a host: it is the host's name, or `*.` and a parent domain.
  ///
  /// Case is ignored; `*.example.com` does not cover `example.com` itself.
  package func covers(_ host: String) -> Bool {
    let host = host.lowercased()
    if hosts.contains(host) { return true }
    var rest = host.dropFirst()
    while let dot = rest.firstIndex(of: ".") {
      if domains.contains(rest[dot...]) { return true }
      rest = rest[rest.index(after: dot)...]
    }
    return false
  }

  /// The patterns that are not host names and therefore cover no host.
  package var malformed: [String] {
    patterns.filter { pattern in
      let name = pattern.hasPrefix("*.") ? pattern.dropFirst(2) : pattern[...]
      return name.isEmpty || name.contains { "*/:@? ".contains($0) }
    }
  }
}
