/// Returns an address without the parts that can be secret, for messages: without user name,
/// password, query and fragment.
///
/// The text may be an invalid address, or a template of addresses.
package func publicAddress(_ text: String) -> String {
  let bytes = Array(text.utf8)
  let start = bytes.firstRange(of: Array("://".utf8))?.upperBound ?? 0
  let end = bytes[start...].firstIndex { "?#".utf8.contains($0) } ?? bytes.count
  let hostEnd = bytes[start..<end].firstIndex(of: UInt8(ascii: "/")) ?? end
  let scheme = bytes[..<start]
  var host = bytes[start..<hostEnd]
  if let user = host.lastIndex(of: UInt8(ascii: "@")) { host = host[(user + 1)...] }
  // Text after ':' that is not a port can be the beginning of a password: 'https://me:a/b@host'.
  let port = host.last == UInt8(ascii: "]") ? nil : host.lastIndex(of: UInt8(ascii: ":"))
  if start > 0, let port,
    !host[(port + 1)...].allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 })
  {
    return String(decoding: scheme, as: UTF8.self) + "…"
  }
  return String(decoding: scheme + host + bytes[hostEnd..<end], as: UTF8.self)
}
