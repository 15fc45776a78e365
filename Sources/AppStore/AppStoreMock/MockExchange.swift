package import SourceDiagnostics
package import SystemIO

/// A request to the interface and its response, for comparison with Apple's description.
///
/// Header fields are omitted, because they contain tokens.
package struct MockExchange: Sendable, Described {
  package let method: String
  package let path: String
  package let body: [UInt8]
  package let status: Int
  package let response: [UInt8]
  /// The injected fault, if any; the client may not receive this response.
  package let fault: String?

  package static let table = Table<Self>(written: "an exchange") {
    Key("method", written: \.method, .text, "The method.")
    Key("path", written: \.path, .text, "The path.")
    Key("status", written: \.status, .count, "The status of the response.")
    Key("request", written: { text($0.body) }, .text, "The body of the request.")
    Key("answer", written: { text($0.response) }, .text, "The body of the response.")
  }

  private static func text(_ bytes: [UInt8]) -> String? {
    bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
  }

  /// Writes exchanges into a folder, with a file for each; several runs can use the same folder.
  package static func recorder(
    into folder: String
  ) throws(Failure) -> @Sendable (MockExchange) -> Void {
    _ = try FileDescriptor.openFolder(making: folder)
    return { exchange in
      guard exchange.fault == nil else { return }
      var random = SystemRandomNumberGenerator()
      let name = (0..<4).map { _ in String(random.next() as UInt32, radix: 36) }.joined()
      // A failed write is detected when the files are counted.
      _ = try? exchange.write(to: FilePath(folder).appending(FileName("\(name).json")).text)
    }
  }

  private func write(to path: String) throws(Failure) {
    let file = try AtomicFile(path)
    try file.write(Self.table.bytes(of: self, .readable))
    try file.publish(syncing: false)
  }
}
