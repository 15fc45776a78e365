import BAPackKit
import Glibc
import SystemIO
import Testing

/// Errors of the network, with their remedies.
@Suite struct NetworkRefusalTests {
  private func error(_ failure: Failure) -> PackError { PackError(failure, while: .writing) }

  @Test func `a port in use has another remedy than an existing file`() {
    let used = error(Failure(.listenOnPort, "8443", code: EADDRINUSE))
    #expect(used.kind == .system(EADDRINUSE))
    #expect(used.message == "cannot listen on port 8443: Address already in use")
    let remedy =
      "use another port (0: any free port), or stop the program that uses it (see 'ss -ltnp')"
    #expect(used.remedies == [.advice(remedy)])
    let low = error(Failure(.listenOnPort, "443", code: EACCES))
    #expect(low.message == "cannot listen on port 443: Permission denied")
    #expect(low.remedies == ["use a port from 1024 to 65535: lower ports require root"])
    let foreign = error(Failure(.listen, "192.0.2.1:443", code: EADDRNOTAVAIL))
    #expect(foreign.message == "cannot listen on '192.0.2.1:443': Cannot assign requested address")
    #expect(foreign.remedies == ["use an address of this machine"])
  }

  @Test(
    arguments: [
      (
        .connect, ECONNREFUSED, "connect to",
        "check that the server runs and that the port is correct"
      ),
      (.connect, ENETUNREACH, "connect to", "check the network connection of this machine"),
      (.connect, EHOSTUNREACH, "connect to", "check the network connection of this machine"),
      (.connect, EACCES, "connect to", "check whether a firewall blocks the connection"),
      (.send, EPIPE, "send to", "try again: the other side closed the connection"),
      (.receive, ECONNRESET, "receive from", "try again: the other side closed the connection"),
      (.accept, EMFILE, "accept a connection on", "raise the limit on open files (ulimit -n)"),
    ] as [(SystemCall, Int32, String, String)])
  func `a failed system call for a connection has its own remedy`(
    _ call: SystemCall, _ code: Int32, _ phrase: String, _ remedy: String
  ) {
    let error = error(Failure(call, "a.example:443", code: code))
    #expect(error.kind == .system(code))
    #expect(error.message.hasPrefix("cannot \(phrase) 'a.example:443': "))
    #expect(error.remedies.map(\.description) == [remedy])
  }

  @Test func `a timeout and an unknown host have separate kinds`() {
    let late = error(Failure(.timedOut(.call(.connect)), "a.example:443"))
    #expect(late.kind == .timedOut)
    #expect(late.message == "cannot connect to 'a.example:443': timed out")
    #expect(
      late.remedies
        == ["try again later, or check whether a firewall or a proxy blocks the connection"])
    let unknown = error(Failure(.unresolved("Name or service not known"), "a.example"))
    #expect(unknown.kind == .unknownHost)
    #expect(
      unknown.message == "cannot resolve 'a.example': Name or service not known")
    #expect(
      unknown.remedies
        == ["check the host name, and the network connection of this machine"])
  }
}
