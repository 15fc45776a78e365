extension RequestHead {
  /// Why a page or a name from elsewhere may not use an address that is for programs on this machine; nil
  /// for a request that may.
  ///
  /// A page from elsewhere runs on this machine, too, in its browser. It can make its own name lead to
  /// 127.0.0.1; then `Host` is that name. It can post to us; then `Origin` and `Sec-Fetch-Site` say so.
  /// The port is any: a port may be forwarded.
  package var refusalFromElsewhere: String? {
    guard let host = host?.lowercased(), Self.isLoopback(host) else {
      return "'Host' is not a name of this machine: use localhost or 127.0.0.1"
    }
    if let origin = self["origin"]?.lowercased(), origin != "http://\(host)",
      origin != "https://\(host)"
    {
      return "'Origin' is another site: a page from elsewhere may use nothing here"
    }
    if let site = self["sec-fetch-site"], site != "same-origin", site != "none" {
      return "another site led here: type the address"
    }
    return nil
  }

  /// Whether a host, with or without a port, is a name that only this machine has for itself.
  private static func isLoopback(_ host: String) -> Bool {
    let isBracketed = host.utf8.first == UInt8(ascii: "[")
    let end = isBracketed ? host.firstIndex(of: "]").map { host.index(after: $0) } : nil
    let name = host[..<(end ?? host.firstIndex(of: ":") ?? host.endIndex)]
    let port = host[name.endIndex...]
    guard port.isEmpty || isPort(port.dropFirst()) && port.utf8.first == UInt8(ascii: ":") else {
      return false
    }
    if name == "localhost" || name.hasSuffix(".localhost") || name == "[::1]" { return true }
    let numbers = name.split(separator: ".", omittingEmptySubsequences: false)
    return numbers.count == 4 && numbers[0] == "127"
      && numbers.allSatisfy { isNumber($0) && UInt8($0) != nil }
  }

  private static func isPort(_ text: Substring) -> Bool { isNumber(text) && UInt16(text) != nil }

  private static func isNumber(_ text: Substring) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }
}
