import SourceDiagnostics
package import SystemIO

/// A request to the interface and its answer, for whoever compares them with Apple's description.
///
/// Fields are left out, and with them tokens.
package struct MockExchange: Sendable {
  package let method: String
  package let path: String
  package let body: [UInt8]
  package let status: Int
  package let answer: [UInt8]
  /// The injected fault, if any; the client may not receive this answer.
  package let fault: String?

  /// Writes exchanges into a folder, a file for each; several runs may have the same folder.
  package static func recorder(
    into folder: String
  ) throws(Failure) -> @Sendable (MockExchange) -> Void {
    _ = try FileDescriptor.openFolder(making: folder)
    return { exchange in
      guard exchange.fault == nil else { return }
      var random = SystemRandomNumberGenerator()
      let name = (0..<4).map { _ in String(random.next() as UInt32, radix: 36) }.joined()
      // A recording that fails is missed where the recordings are counted.
      _ = try? exchange.write(to: FilePath(folder).appending(FileName("\(name).json")).text)
    }
  }

  private func write(to path: String) throws(Failure) {
    let value = JSONValue.members([
      "method": .string(method), "path": .string(self.path), "status": .integer(status),
      "request": body.isEmpty ? nil : .string(String(decoding: body, as: UTF8.self)),
      "answer": answer.isEmpty ? nil : .string(String(decoding: answer, as: UTF8.self)),
    ])
    let file = try AtomicFile(path)
    try file.write(JSONWriter.bytes(value, .readable))
    try file.publish(syncing: false)
  }
}
