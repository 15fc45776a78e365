import Glibc
import SystemIO
import TestSupport
import Testing

@Suite struct FaultTests {
  private func makeFile(in folder: borrowing TemporaryFolder, _ text: String) throws {
    let output = try FileDescriptor.open(
      folder.path + "/file", for: .creating(permissions: 0o644))
    try output.write(Array(text.utf8))
    try output.close()
  }

  @Test func `a call that a signal interrupted is repeated`() throws {
    let folder = try TemporaryFolder()
    try makeFile(in: folder, "hello")
    for calls in 1...3 {
      try ForcedFailures.inject(
        ForcedFailure(.open, .fail(EINTR), times: calls),
        ForcedFailure(.read, .fail(EINTR), times: calls)
      ) {
        let file = try FileDescriptor.open(folder.path + "/file", for: .reading)
        #expect(try file.readToEnd(atMost: 100) == Array("hello".utf8))
      }
    }
  }

  @Test func `a forced failure applies once, twice or always`() throws {
    let folder = try TemporaryFolder()
    func refusals(_ fault: ForcedFailure) -> [Bool] {
      ForcedFailures.inject(fault) {
        (1...4).map { _ in
          do {
            _ = try FileDescriptor.open(folder.path, for: .directory)
            return false
          } catch {
            return true
          }
        }
      }
    }
    #expect(refusals(.once(.open, EIO)) == [true, false, false, false])
    #expect(refusals(.twice(.open, EIO)) == [true, true, false, false])
    #expect(refusals(.always(.open, EIO)) == [true, true, true, true])
    #expect(
      refusals(ForcedFailure(.open, .fail(EIO), times: 1, skipping: 2)) == [
        false, false, true, false,
      ])
    #expect(refusals(.always(.open, EIO, path: "elsewhere")) == [false, false, false, false])
  }

  @Test func `the error contains the call, the file and the reason`() throws {
    let error = #expect(throws: Failure.self) {
      _ = try FileDescriptor.open("/does/not/exist", for: .reading)
    }
    #expect(error?.description == "cannot open '/does/not/exist': No such file or directory")
  }

  @Test func `short reads and writes lose no bytes`() throws {
    let folder = try TemporaryFolder()
    let text = String(repeating: "0123456789", count: 50)
    try ForcedFailures.inject(
      ForcedFailure(.write, .shorten(to: 7)), ForcedFailure(.read, .shorten(to: 3))
    ) {
      try makeFile(in: folder, text)
      let file = try FileDescriptor.open(folder.path + "/file", for: .reading)
      #expect(try file.readToEnd(atMost: 1000) == Array(text.utf8))
    }
  }

  @Test func `closing throws the error of a delayed write`() throws {
    let folder = try TemporaryFolder()
    let error = #expect(throws: Failure.self) {
      try ForcedFailures.inject(.once(.close, EIO)) { try makeFile(in: folder, "x") }
    }
    #expect(error?.kind == .refused(.call(.close), code: EIO))
  }
}
