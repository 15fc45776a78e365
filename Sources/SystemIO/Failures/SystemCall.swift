/// The system calls of this module, each with the words for messages.
package enum SystemCall: String, Sendable, CaseIterable {
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
