import Foundation
import SystemIO
import Testing

@testable import BAPackCommands

@Suite("Streams of text")
struct TextStreamTests {
  /// Returns a stream that writes to the file of `handle`, with a separate descriptor.
  private func stream(to handle: FileHandle, capacity: Int) -> TextStream {
    TextStream(dup(handle.fileDescriptor), path: "standard output", capacity: capacity)
  }

  @Test
  func `a reader that closes its end of a pipe ends the stream without an error`() throws {
    ProcessState.failInsteadOfEnding()
    let pipe = Pipe()
    let stream = stream(to: pipe.fileHandleForWriting, capacity: 4)
    try pipe.fileHandleForReading.close()
    for _ in 0..<3 { stream.write("more than four bytes\n") }
    stream.flush()
    #expect(stream.failure == nil)
  }

  @Test
  func `a full disk is an error, reported once`() throws {
    let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
    let stream = stream(to: full, capacity: 1 << 16)
    stream.write("text\n")
    stream.flush()
    stream.write("text\n")
    stream.flush()
    #expect(stream.failure == Failure(.write, "standard output", code: ENOSPC))
  }

  @Test
  func `text is buffered up to the capacity`() throws {
    let pipe = Pipe()
    let stream = stream(to: pipe.fileHandleForWriting, capacity: 10)
    let number = pipe.fileHandleForReading.fileDescriptor
    #expect(fcntl(number, F_SETFL, O_NONBLOCK) == 0)
    let reader = FileDescriptor(owning: dup(number), path: "pipe")
    stream.write("12345")
    #expect(throws: Failure(.read, "pipe", code: EAGAIN)) { try reader.readToEnd(atMost: 10) }
    stream.write("67890")
    #expect(try reader.readToEnd(atMost: 10) == Array("1234567890".utf8))
  }
}
