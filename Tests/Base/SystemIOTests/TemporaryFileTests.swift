import Foundation
import Glibc
import SystemIO
import TestSupport
import Testing

@Suite struct TemporaryFileTests {
  private func roundTrip(in folder: String) throws -> [UInt8] {
    var file = try TemporaryFile(in: folder)
    try Array("hello, ".utf8).withRawSpan { bytes throws(Failure) in try file.append(bytes) }
    try Array("world".utf8).withRawSpan { bytes throws(Failure) in try file.append(bytes) }
    #expect(file.size == 12)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
    return try [UInt8](capacity: 100) { output throws(Failure) in
      while try file.read(into: &output, at: 3 + UInt64(output.byteCount), upTo: 4) > 0 {}
    }
  }

  @Test func `stored bytes are read from any position, and the file has no name`() throws {
    let folder = try TemporaryFolder()
    #expect(try roundTrip(in: folder.path) == Array("lo, world".utf8))
    let short = [ForcedFailure(.write, .shorten(to: 2)), ForcedFailure(.read, .shorten(to: 1))]
    #expect(
      try ForcedFailures.inject(short) { try roundTrip(in: folder.path) } == Array("lo, world".utf8)
    )
    #expect(try openDescriptors(below: folder.path) == [])
  }

  @Test func `if a file must have a name, the name is removed immediately`() throws {
    let folder = try TemporaryFolder()
    let noNameless = ForcedFailure(
      .open, .fail(EOPNOTSUPP), times: 1, skipping: 1, path: folder.path)
    #expect(
      try ForcedFailures.inject(noNameless) { try roundTrip(in: folder.path) }
        == Array("lo, world".utf8))
    let error = #expect(throws: Failure.self) {
      try ForcedFailures.inject(noNameless, .always(.unlink, EACCES)) {
        _ = try TemporaryFile(in: folder.path)
      }
    }
    #expect(
      error?.description == "cannot create a temporary file in '\(folder.path)': Permission denied")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
  }

  @Test(arguments: [SystemCall.open, .write, .read])
  func `errors contain the folder`(call: SystemCall) throws {
    let folder = try TemporaryFolder()
    let operation: SystemIO.Operation =
      switch call {
      case .open: .makeTemporary
      case .write: .writeTemporary
      default: .readTemporary
      }
    for fault in [ForcedFailure.once(call, EIO), .twice(call, EIO), .always(call, EIO)] {
      let error = #expect(throws: Failure.self) {
        try ForcedFailures.inject(fault) { _ = try roundTrip(in: folder.path) }
      }
      #expect(error == Failure(operation, folder.path, code: EIO))
      #expect(try openDescriptors(below: folder.path) == [])
    }
  }
}
