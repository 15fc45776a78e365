import Glibc

/// A failure to read or write: the failed operation, the file, and the position in it.
///
/// All modules below the library throw this. The first caller that has the file's name or the
/// position adds it (``withPath(_:)``, ``explaining(_:_:)``); it is never converted to another
/// error. It is a single reference, so that a function that can throw has no additional cost on
/// success.
package struct Failure: Error, Sendable {
  package enum Kind: Sendable, Equatable {
    /// The operating system reported an error; the code is `errno`.
    case refused(Operation, code: Int32)
    /// The other side of a connection took longer than was allowed.
    case timedOut(Operation)
    /// A host name has no address, for this reason.
    case unresolved(String)
    /// The bytes do not follow their format, for this reason.
    case malformed(String)
    /// Decoding a block takes more memory than is allowed.
    case tooLarge(needed: UInt64, limit: UInt64)
    /// A codec could not allocate memory for its state.
    case outOfMemory
    /// The named format of a block can be read but not written.
    case notWritable(String)
    /// A library failed with an error that its documentation excludes.
    case library(String, status: Int32)
    /// A file that is kept between runs cannot be used.
    case state(StateFailure)
    /// A reason that another module defines; messages name the operation, if there is one.
    case other(Operation?, OtherReason)
    /// The user interrupted the program.
    case interrupted
  }

  /// A position in a file.
  package struct Place: Sendable, Hashable {
    /// The offset in the file; for a position inside an encoded block, the offset of that block.
    package var fileOffset: UInt64
    /// The offset in the decoded stream; nil if it is unknown.
    package var streamOffset: UInt64?

    /// Creates a position.
    package init(fileOffset: UInt64, streamOffset: UInt64? = nil) {
      self.fileOffset = fileOffset
      self.streamOffset = streamOffset
    }
  }

  private final class Facts: Sendable {
    let kind: Kind
    let path: String
    let place: Place?

    init(_ kind: Kind, _ path: String, _ place: Place?) {
      self.kind = kind
      self.path = path
      self.place = place
    }
  }

  private let facts: Facts

  /// Creates a failure, with the file and the position if they are available.
  package init(_ kind: Kind, _ path: String = "", at place: Place? = nil) {
    facts = Facts(kind, path.isEmpty ? path : FilePath(path).shown, place)
  }

  /// Creates a failure of an operation of the operating system.
  package init(_ operation: Operation, _ path: String, code: Int32) {
    self.init(.refused(operation, code: code), path)
  }

  package init(_ call: SystemCall, _ path: String, code: Int32) {
    self.init(.refused(.call(call), code: code), path)
  }

  /// Creates a failure with a reason of another module.
  package init(
    _ reason: any FailureReason, _ path: String = "", during operation: Operation? = nil
  ) {
    self.init(.other(operation, OtherReason(reason)), path)
  }

  /// Returns a failure for malformed bytes; the caller must add the position.
  package static func malformed(_ reason: String) -> Failure { Failure(.malformed(reason)) }

  package var kind: Kind { facts.kind }

  /// The path of the file, escaped for display; empty until a caller adds it.
  package var path: String { facts.path }

  /// The position in the file.
  package var place: Place? { facts.place }

  /// The error number of the system (`errno`); 0 if the system did not report the failure.
  package var code: Int32 {
    if case .refused(_, let code) = kind { code } else { 0 }
  }

  /// Returns the reason, if it is one of this type, which another module defines.
  package func reason<Reason: FailureReason>(as type: Reason.Type) -> Reason? {
    if case .other(_, let other) = kind { other.reason as? Reason } else { nil }
  }

  /// Whether the failure is about a file that is kept between runs and cannot be used.
  package var isAboutState: Bool {
    if case .state = kind { true } else { false }
  }

  /// Whether the contents are wrong; false if a system call or a connection failed.
  package var isAboutBytes: Bool {
    switch kind {
    case .malformed: true
    case .other(_, let other): other.reason.isAboutBytes
    default: false
    }
  }

  /// Returns the same failure with another path of the file; the name of a library is kept.
  package func withPath(_ path: String) -> Failure {
    if case .refused(.call(.load), _) = kind { return self }
    return Failure(kind, path, at: place)
  }

  /// The reason, without the file's name; in English in every locale.
  package var reason: String {
    let phrase =
      switch kind {
      case .refused(_, let code): unsafe String(cString: strerror(code))
      case .timedOut: "timed out"
      case .malformed(let phrase), .unresolved(let phrase): phrase
      case .tooLarge(let needed, let limit):
        "a block needs \(needed) bytes of memory; the maximum is \(limit)"
      case .outOfMemory: "not enough memory for the codec"
      case .notWritable(let form): "\(form) can be read but not written"
      case .library(let name, let status): "\(name) failed with status \(status)"
      case .state(let trouble): trouble.reason
      case .other(_, let other): other.reason.description
      case .interrupted: "interrupted"
      }
    return place.map { "\(phrase) (\($0))" } ?? phrase
  }
}

extension Failure: Equatable {
  /// Returns whether both describe the same failure.
  package static func == (left: Failure, right: Failure) -> Bool {
    left.kind == right.kind && left.path == right.path && left.place == right.place
  }
}

extension Failure: CustomStringConvertible {
  /// The reason; if a system call or the other side failed, also the operation, and the file or the
  /// address.
  package var description: String {
    let operation: Operation
    switch kind {
    case .refused(let refused, _), .timedOut(let refused), .other(let refused?, _):
      operation = refused
    case .unresolved: operation = .call(.resolve)
    case .state: operation = .call(.read)
    default: return reason
    }
    let name = operation == .listenOnPort ? path : "'\(path)'"
    return "cannot \(operation.phrase) \(name): \(reason)"
  }
}

extension Failure.Place: CustomStringConvertible {
  /// The place for a message.
  package var description: String {
    let inFile = "at byte \(fileOffset) of the file"
    guard let streamOffset, streamOffset != fileOffset else { return inFile }
    return "\(inFile), byte \(streamOffset) decoded"
  }
}

/// Runs `body`; if it fails, `explain` adds the facts of the caller.
///
/// In a loop, `explain` must be a closure: a method as an argument copies its value for each call.
@inline(__always)
package func explaining<Success: ~Copyable, Explained: Error>(
  _ explain: (Failure) -> Explained, _ body: () throws(Failure) -> Success
) throws(Explained) -> Success {
  do throws(Failure) {
    return try body()
  } catch {
    throw explain(error)
  }
}

/// Returns the result of an operation on a file; nil if the file does not exist.
package func ifPresent<Success: ~Copyable>(
  _ body: () throws(Failure) -> Success
) throws(Failure) -> Success? {
  do throws(Failure) {
    return try body()
  } catch {
    guard error.code == ENOENT else { throw error }
    return nil
  }
}

/// The attempted operation: a system call, or several calls.
package enum Operation: Sendable, Equatable {
  case call(SystemCall)
  case create, replace, rewrite, copy, find, follow, decrypt
  case writeInto, computeDigest, encodeBlocks
  case allocate, start
  case makeTemporary, writeTemporary, readTemporary
  /// Listening, where the message names only the number of the port.
  case listenOnPort
  /// Requests to servers; the name is the address.
  case download, upload, ask

  /// The operation in a message, before the file's name.
  package var phrase: String {
    switch self {
    case .call(let call): call.rawValue
    case .create: "create"
    case .replace: "replace"
    case .rewrite: "rewrite"
    case .copy: "copy"
    case .find: "find"
    case .follow: "follow"
    case .decrypt: "decrypt"
    case .writeInto: "write to"
    case .computeDigest: "compute the digest of"
    case .encodeBlocks: "encode blocks of"
    case .allocate: "allocate"
    case .start: "start"
    case .makeTemporary: "create a temporary file in"
    case .writeTemporary: "write a temporary file in"
    case .readTemporary: "read a temporary file in"
    case .listenOnPort: "listen on port"
    case .download: "download"
    case .upload: "upload to"
    case .ask: "send a request to"
    }
  }

  /// Whether the operation used a temporary file of this program, which the user has not named.
  package var isTemporary: Bool {
    switch self {
    case .makeTemporary, .writeTemporary, .readTemporary: true
    default: false
    }
  }

  /// Whether the operation was about accepting connections.
  package var isListening: Bool {
    switch self {
    case .listenOnPort, .call(.listen), .call(.accept): true
    default: false
    }
  }

  /// Whether the operation was about another host, or another program on this one.
  package var isConnecting: Bool {
    switch self {
    case .call(.resolve), .call(.connect), .call(.send), .call(.receive), .call(.shutDown),
      .download, .upload, .ask:
      true
    default: false
    }
  }
}
