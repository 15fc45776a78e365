import Glibc
package import SourceDiagnostics
package import SystemIO

/// Runs code of a lower module as a part of `activity`, and converts its failure to a `PackError`.
package func mapFailure<Success: ~Copyable>(
  _ activity: Activity, _ body: () throws(Failure) -> Success
) throws(PackError) -> Success {
  try explaining({ PackError($0, while: activity) }, body)
}

/// Writes data that are kept for the next run.
///
/// If a system call fails, the error has `remedy` instead of the remedies for outputs.
package func keeping<Success: ~Copyable>(
  elsewhere remedy: Remedy, _ body: () throws(Failure) -> Success
) throws(PackError) -> Success {
  do throws(PackError) {
    return try mapFailure(.writing, body)
  } catch {
    var error = error
    if error.kind.systemError != nil {
      error.remedies = error.remedies.filter { $0.code == nil }
      error.remedies.append(remedy)
    }
    throw error
  }
}

/// A reason of a failure that another module defines, with the kind of its error and its remedies.
package protocol PackErrorReason: FailureReason {
  var errorKind: PackError.Kind { get }
  var remedies: [Remedy] { get }
}

extension PackError {
  /// Creates an error for a failure other than a failed system call: invalid bytes, or a limit.
  init(besidesSystem failure: Failure, while activity: Activity) {
    let (kind, remedies): (Kind, [Remedy]) =
      switch failure.kind {
      case .interrupted: (.interrupted, [])
      case .malformed: (.malformed(offset: failure.place?.fileOffset), [])
      case .tooLarge: (.memory, [.allowMoreMemory])
      case .refused, .outOfMemory: (.system(ENOMEM), [.useFewerThreads])
      case .notWritable, .library: (.unsupported, [])
      case .other(_, let other):
        if let reason = other.reason as? any PackErrorReason {
          (reason.errorKind, reason.remedies)
        } else if failure.isAboutBytes {
          (.malformed(offset: failure.place?.fileOffset), [])
        } else {
          (.unsupported, [])
        }
      case .state(let failure): (Kind(failure.fault), RemedyTable.remedies(for: failure))
      case .timedOut: (.timedOut, RemedyTable.remedies(for: failure))
      case .unresolved: (.unknownHost, RemedyTable.remedies(for: failure))
      }
    switch kind {
    case .interrupted: self.init(.interrupted, "interrupted")
    case _ where failure.isAboutState:
      self.init(kind, reading: failure.path, failure.reason, remedies: remedies)
    case _ where failure.namesOperation: self.init(kind, failure.description, remedies: remedies)
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
  /// Creates the kind for a fault of a file that is kept between runs.
  fileprivate init(_ fault: StateFault) {
    self =
      switch fault {
      case .damaged, .notAFile: .malformed(offset: nil)
      case .newer: .unsupported
      case .tooLarge: .limit
      }
  }
}

extension Failure {
  /// Whether the reason is of another module and its message names the operation.
  fileprivate var namesOperation: Bool {
    if case .other(.some, _) = kind { true } else { false }
  }
}
