import BAPackKit
import Glibc
import SystemIO
import Testing

/// What a network refuses, in the library's words, with what helps.
@Suite struct NetworkRefusalTests {
  private func error(_ failure: Failure) -> PackError { PackError(failure, while: .writing) }

  @Test func `a port that is taken names another way out than a file that exists`() {
    let taken = error(Failure(.listenOnPort, "8443", code: EADDRINUSE))
    #expect(taken.kind == .system(EADDRINUSE))
    #expect(taken.message == "cannot listen on port 8443: Address already in use")
    let way =
      "end the program that has it ('ss -ltnp' names it), or take another; 0 is any that is free"
    #expect(taken.remedies == [.advice(way)])
    let low = error(Failure(.listenOnPort, "443", code: EACCES))
    #expect(low.message == "cannot listen on port 443: Permission denied")
    #expect(low.remedies == ["take a port from 1024 on: those below are the administrator's"])
    let foreign = error(Failure(.listen, "192.0.2.1:443", code: EADDRNOTAVAIL))
    #expect(foreign.message == "cannot listen at '192.0.2.1:443': Cannot assign requested address")
    #expect(foreign.remedies == ["take an address that this machine has"])
  }

  @Test(
    arguments: [
      (
        .connect, ECONNREFUSED, "connect to",
        "see that the server runs, and that it is the right port"
      ),
      (.connect, ENETUNREACH, "connect to", "see that this machine is on the network"),
      (.connect, EHOSTUNREACH, "connect to", "see that this machine is on the network"),
      (.connect, EACCES, "connect to", "see whether a firewall forbids the connection"),
      (.send, EPIPE, "send to", "try again: the other side ended the connection"),
      (.receive, ECONNRESET, "receive from", "try again: the other side ended the connection"),
      (.accept, EMFILE, "accept a connection at", "raise the limit on open files (ulimit -n)"),
    ] as [(SystemCall, Int32, String, String)])
  func `what the system refuses between machines has a remedy of its own`(
    _ call: SystemCall, _ code: Int32, _ words: String, _ remedy: String
  ) {
    let error = error(Failure(call, "a.example:443", code: code))
    #expect(error.kind == .system(code))
    #expect(error.message.hasPrefix("cannot \(words) 'a.example:443': "))
    #expect(error.remedies.map(\.description) == [remedy])
  }

  @Test func `time that is over and a name that is unknown are kinds of their own`() {
    let late = error(Failure(.timedOut(.call(.connect)), "a.example:443"))
    #expect(late.kind == .timedOut)
    #expect(late.message == "cannot connect to 'a.example:443': timed out")
    #expect(
      late.remedies == ["try again later, or see whether a firewall or a proxy is in the way"])
    let unknown = error(Failure(.unresolved("Name or service not known"), "a.example"))
    #expect(unknown.kind == .unknownHost)
    #expect(
      unknown.message == "cannot find the address of 'a.example': Name or service not known")
    #expect(
      unknown.remedies
        == ["see that the name is right, and that this machine is on the network"])
  }
}
