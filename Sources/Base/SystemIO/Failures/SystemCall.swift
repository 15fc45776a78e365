/// The system calls of this module, each with its phrase in messages.
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
  case freeSpace = "determine the free space at"

  // For networks and threads
  case resolve = "resolve"
  case connect = "connect to"
  case listen = "listen on"
  case accept = "accept a connection on"
  case send = "send to"
  case receive = "receive from"
  case shutDown = "close the connection to"
  case socket = "create a socket for"
  case bind = "bind to"
  case socketOption = "set up the socket of"
  case socketName = "read the address of"
  case poll = "wait for"
  case event = "create"
  case watch

  // Libraries that are opened only when they are needed
  case load
}
