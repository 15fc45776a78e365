import BAPackKit
import Glibc
import SystemIO
import TLSIdentity

/// The ports of a run of `serve`.
///
/// They are opened before packs are read, so that a port in use is reported immediately.
struct ServePorts {
  let main: OpenPort
  let enrolment: OpenPort?
  let page: OpenPort?

  /// A listener that a server receives later.
  final class OpenPort {
    let port: UInt16
    private var listener: Listener?

    init(_ listener: consuming Listener) {
      port = listener.address.port
      self.listener = consume listener
    }

    func take() -> Listener? { listener.take() }
  }

  /// Opens all ports; the error names every port that cannot be opened, with its option.
  init(_ settings: ServeSettings, host: HostName) throws(PackError) {
    var refusals: [(option: String, failure: Failure)] = []
    func openPort(
      _ port: UInt16?, _ option: String, _ body: (UInt16) throws(Failure) -> Listener
    ) -> OpenPort? {
      guard let port else { return nil }
      do throws(Failure) {
        return OpenPort(try body(port))
      } catch {
        refusals.append((option, error))
        return nil
      }
    }
    func listen(on port: UInt16) throws(Failure) -> Listener { try Self.listen(at: host, port) }
    let main = openPort(settings.port, "--port", listen)
    enrolment = openPort(settings.enrolmentPort, "--enrolment-port", listen)
    page = openPort(settings.pagePort, "--page-port") { port throws(Failure) in
      try Listener(at: .loopback(port: port))
    }
    if let first = refusals.first { throw Self.error(of: refusals, kind: first.failure) }
    guard let main else { throw PackError(.missing, "no port is free") }
    self.main = main
  }

  private static func error(
    of refusals: [(option: String, failure: Failure)], kind first: Failure
  ) -> PackError {
    let messages = refusals.map { option, failure in
      PackError(failure, while: .writing).message + " ('\(option)')"
    }
    var error = PackError(first, while: .writing)
    error.message = messages.joined(separator: "; ")
    let options = refusals.map { "'\($0.option)'" }.joined(separator: ", ")
    if first.code == EADDRINUSE {
      error.remedies = [
        .advice(
          "use other ports with \(options) (0: any free port), or stop the programs that use them "
            + "(see 'ss -ltnp')")
      ]
    } else {
      error.remedies.append(.advice("use other ports with \(options)"))
    }
    return error
  }

  /// Listens on the addresses of a host: on the loopback addresses for a loopback name, otherwise
  /// on all addresses.
  private static func listen(at host: HostName, _ port: UInt16) throws(Failure) -> Listener {
    if host.isLoopback {
      let address = SocketAddress("\(host)", port: port) ?? .loopback(port: port)
      return try Listener(at: address)
    }
    do throws(Failure) {
      return try Listener(at: .everywhere(port: port))
    } catch {
      guard error.code == EAFNOSUPPORT else { throw error }
      return try Listener(at: .everywhere4(port: port))
    }
  }
}
