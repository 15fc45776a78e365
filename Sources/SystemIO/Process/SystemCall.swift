import Glibc

/// The system calls of this module, each with the words for messages.
public enum SystemCall: String, Sendable, CaseIterable {
  case open, close, read, write, seek
  case status = "examine"
  case access = "check access to"
  case readDirectory = "list"
  case readLink = "read the link"
  case sync
  case truncate
  case rename, link
  case unlink = "remove"
  case makeDirectory = "create the folder"
  case changeMode = "set the permissions of"
  case changeOwner = "set the owner of"
  case changeTimes = "set the times of"
  case readAttributes = "read the attributes of"
  case changeAttributes = "set the attributes of"
  case lock
  case freeSpace = "see how much is free around"

  // Between machines, and between threads
  case resolve = "find the address of"
  case connect = "connect to"
  case listen = "listen at"
  case accept = "accept a connection at"
  case send = "send to"
  case receive = "receive from"
  case shutDown = "end the connection with"
  case socket = "make a socket for"
  case bind = "take the address"
  case socketOption = "set up the socket of"
  case socketName = "ask for the address of"
  case poll = "wait for"
  case event = "make"

  // Libraries that are opened only when they are needed
  case load
}

/// Makes a system call that returns -1 on failure, and throws what the system refused.
///
/// A call that was interrupted by a signal is made again: only this function knows about `EINTR`.
@inline(__always)
package func perform<Result: FixedWidthInteger & SignedInteger>(
  _ call: SystemCall, _ path: @autoclosure () -> String, _ body: () -> Result
) throws(Failure) -> Result {
  GuardedSection.checkThatWaitingIsAllowed()
  while true {
    let code: Int32
    if let forced = Faults.areArmed ? Faults.failure(of: call, path()) : nil {
      code = forced
    } else {
      let result = body()
      if result != -1 { return result }
      code = errno
    }
    if code != EINTR { throw Failure(call, path(), code: code) }
  }
}

/// Makes a system call that transfers up to `count` bytes, or fewer if a fault says so.
@inline(__always)
package func transfer(
  _ call: SystemCall, _ path: @autoclosure () -> String, _ count: Int, _ body: (Int) -> Int
) throws(Failure) -> Int {
  let allowed = Faults.areArmed ? Faults.allowance(of: call, path(), count) : count
  return try perform(call, path()) { body(allowed) }
}
