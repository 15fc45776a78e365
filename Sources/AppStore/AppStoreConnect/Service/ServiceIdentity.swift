package import BAPackKit
import SourceDiagnostics
import SystemIO
import TerminalText
import Transfers

extension AppStoreService {
  /// Returns the name of the service in upload journals: its host, or the ID of a mock.
  ///
  /// A mock can use another port in each run, and two mocks can use the same port one after the
  /// other. So the ID identifies the mock that has the recorded uploads. The request has no token.
  package func recordName() throws(PackError) -> String {
    guard !address.isApple else { return address.hostAndPort }
    var exchange = Exchange("GET", address.url("/__mock/service"))
    exchange.responseLimit = 4096
    var found: HTTPResponse?
    do throws(Failure) {
      try transport.exchange([exchange], atOnce: 1, work, responded: { found = $1 })
    } catch {
      // A proxy may send a long response. If the service is unreachable, the first call reports it.
      guard error.kind != .interrupted else { throw PackError(error, while: .connecting) }
    }
    guard let found, found.status == 200,
      let id = JSONDocument(parsing: SourceText(found.body, named: "a response"))
        .root?["service"]?.string, Self.isServiceID(id)
    else { return address.hostAndPort }
    return "mock-\(id)"
  }

  private static func isServiceID(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count)
      && text.utf8.allSatisfy { $0.isLetterOrDigit || $0 == UInt8(ascii: "-") }
  }
}
