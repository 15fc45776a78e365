import CCurl
import SystemIO
import TerminalText

/// The functions of libcurl, which is loaded at the first transfer.
///
/// If the program linked libcurl, every command would load 26 more libraries and take twice as long
/// to start.
@safe final class CurlLibrary: Sendable {
  private let handle: SharedHandle<UnsafePointer<ba_curl>>
  /// The functions for the calls in `shim.h`; they are never freed.
  var table: UnsafePointer<ba_curl> { unsafe handle.pointer }
  /// The certificates of the system: one file, and a folder with a file for each certificate.
  let trustFile: String?
  let trustFolder: String?

  /// The library with OpenSSL, whose name is the same on Debian, Fedora, Arch and SUSE.
  static let name = "libcurl.so.4"
  /// The minimum version, 7.77: older versions cannot load certificates from memory.
  private static let leastVersion: UInt32 = 0x07_4D00

  private static let loaded = InTurn<CurlLibrary?>(nil)

  /// Returns the library; it is opened and initialized once.
  static func load() throws(Failure) -> CurlLibrary {
    // Opening it again is fast, and lets a test hide the library.
    let library = try SharedLibrary(name)
    return try loaded.with { loaded throws(Failure) in
      if let loaded { return loaded }
      let made = try CurlLibrary(library)
      loaded = made
      return made
    }
  }

  private init(_ library: SharedLibrary) throws(Failure) {
    let table = UnsafeMutablePointer<ba_curl>.allocate(capacity: 1)
    unsafe table.initialize(to: ba_curl())
    if let missing = unsafe ba_curl_fill(table, library.handle) {
      let function = unsafe String(cString: missing)
      throw Failure(.library("\(Self.name) (no function \(function))", status: 0))
    }
    guard unsafe table.pointee.global_init?(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK,
      let version = unsafe table.pointee.version_info?(CURLVERSION_SEVENTH)
    else { throw Failure(.library("curl_global_init", status: 0)) }
    guard unsafe version.pointee.version_num >= Self.leastVersion else {
      let found = unsafe String(cString: version.pointee.version)
      throw Failure(
        .library("\(Self.name) (version \(found), older than 7.77)", status: 0))
    }
    trustFile = unsafe version.pointee.cainfo.map { unsafe String(cString: $0) }
    trustFolder = unsafe version.pointee.capath.map { unsafe String(cString: $0) }
    unsafe handle = unsafe SharedHandle(UnsafePointer(table))
  }

  /// Returns the description of a result.
  func phrase(for code: CURLcode) -> String {
    guard let phrase = unsafe table.pointee.easy_strerror?(code) else { return "error" }
    return unsafe String(cString: phrase)
  }

  /// Parses a date in the formats of HTTP; returns the seconds since 1970, or nil.
  func seconds(ofDate text: String) -> Int64? {
    guard let found = unsafe table.pointee.getdate?(text, nil), found >= 0 else { return nil }
    return Int64(found)
  }
}

/// A URL, parsed by libcurl.
struct TransferAddress: Sendable, Equatable {
  /// The complete URL, which can contain secrets.
  let text: String
  let isSecure: Bool
  let host: String
  let port: String
  /// The URL without user name, password, query and fragment, which can be secret.
  let shown: String

  var hostAndPort: String { "\(host):\(port)" }

  func isSameHost(as other: TransferAddress) -> Bool {
    hostAndPort == other.hostAndPort && isSecure == other.isSecure
  }

  /// Parses a URL; throws if it is not an http or https URL.
  init(_ text: String, _ curl: CurlLibrary, for operation: Operation) throws(Failure) {
    func bad(_ phrase: String, _ shown: String) -> Failure {
      Failure(.transfer(operation, .badAddress(phrase)), shown)
    }
    guard let url = unsafe curl.table.pointee.url?() else { throw Failure(.outOfMemory) }
    defer { unsafe curl.table.pointee.url_cleanup?(url) }
    let before = publicAddress(text)
    guard unsafe curl.table.pointee.url_set?(url, CURLUPART_URL, text, 0) == CURLUE_OK else {
      throw bad("not an http or https URL", before)
    }
    func part(_ part: CURLUPart, _ flags: UInt32 = 0) -> String? {
      var found: UnsafeMutablePointer<CChar>?
      guard unsafe curl.table.pointee.url_get?(url, part, &found, flags) == CURLUE_OK,
        let found = unsafe found
      else { return nil }
      defer { unsafe curl.table.pointee.free?(found) }
      return unsafe String(cString: found)
    }
    guard let scheme = part(CURLUPART_SCHEME), let host = part(CURLUPART_HOST), !host.isEmpty,
      let port = part(CURLUPART_PORT, UInt32(CURLU_DEFAULT_PORT))
    else { throw bad("not an http or https URL", before) }
    guard scheme == "https" || scheme == "http" else {
      throw bad("unsupported scheme; use https or http", before)
    }
    isSecure = scheme == "https"
    self.host = host
    self.port = port
    self.text = text
    let isUsual = port == (isSecure ? "443" : "80")
    // The path of an upload is often a secret that permits it.
    let path = operation == .upload ? "" : part(CURLUPART_PATH) ?? "/"
    shown = "\(scheme)://\(host)\(isUsual ? "" : ":\(port)")\(path)"
  }
}
