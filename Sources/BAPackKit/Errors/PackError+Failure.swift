import Glibc
import SystemIO

/// Runs code of the modules below while this library does `activity`; a failure becomes an error in
/// the library's words.
package func mapFailure<Success: ~Copyable>(
  _ activity: Activity, _ body: () throws(Failure) -> Success
) throws(PackError) -> Success {
  try explaining({ PackError($0, while: activity) }, body)
}

/// Writes what is kept for the next run; where the system refuses, `remedy` names another place for
/// it, and the place of an output helps no one.
package func keeping<Success: ~Copyable>(
  elsewhere remedy: Remedy, _ body: () throws(Failure) -> Success
) throws(PackError) -> Success {
  do throws(PackError) {
    return try mapFailure(.writing, body)
  } catch {
    var error = error
    if case .system = error.kind {
      error.remedies = error.remedies.filter { if case .advice = $0 { true } else { false } }
      error.remedies.append(remedy)
    }
    throw error
  }
}

extension PackError {
  /// A failure that did not come from the system: wrong bytes, or more than is allowed.
  init(besidesSystem failure: Failure, while activity: Activity) {
    let (kind, remedies): (Kind, [Remedy]) =
      switch failure.kind {
      case .interrupted: (.interrupted, [])
      case .malformed, .encrypted: (.malformed(offset: failure.place?.fileOffset), [])
      case .tooLarge: (.memory, [.allowMoreMemory])
      case .refused, .outOfMemory: (.system(ENOMEM), [.useFewerThreads])
      case .notWritable, .library: (.unsupported, [])
      case .transfer(_, let fault): (Kind(fault), Help.remedies(against: fault))
      case .state(let trouble): (Kind(trouble.fault), Help.remedies(against: trouble))
      case .timedOut: (.timedOut, Help.remedies(against: failure))
      case .unresolved: (.unknownHost, Help.remedies(against: failure))
      }
    switch kind {
    case .interrupted: self.init(.interrupted, "interrupted")
    case _ where failure.isAboutState:
      self.init(kind, reading: failure.path, failure.reason, remedies: remedies)
    case _ where failure.isTransfer: self.init(kind, failure.description, remedies: remedies)
    case .timedOut, .unknownHost: self.init(kind, failure.description, remedies: remedies)
    default:
      self =
        activity == .writing
        ? PackError(
          kind, "cannot write '\(failure.path)': \(failure.reason)", remedies: remedies)
        : PackError(kind, reading: failure.path, failure.reason, remedies: remedies)
    }
  }
}

extension PackError.Kind {
  /// The kind of a fault of a file that is kept between runs.
  fileprivate init(_ fault: StateFault) {
    self =
      switch fault {
      case .damaged, .notAFile: .malformed(offset: nil)
      case .newer: .unsupported
      case .tooLarge: .limit
      }
  }

  /// The kind of what another machine did.
  fileprivate init(_ fault: TransferFault) {
    self =
      switch fault {
      case .status(let status), .proxyStatus(let status): .server(status: status)
      case .distrusted: .untrusted
      case .badAddress: .invalidValue
      case .wrongSize, .wrongDigest: .malformed(offset: nil)
      case .tooLarge, .headerTooLarge: .limit
      case .encryption, .cutOff, .keepsChanging, .insecureRedirect, .tooManyRedirects, .noAnswer:
        .transfer
      }
  }
}
