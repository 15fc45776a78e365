import SystemIO
import TestSupport
import Testing

/// The lock of a partial file; its bytes and its note are tested with downloads.
@Suite struct PartialFileTests {
  @Test func `one owner at a time uses a partial file`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("pack.aar")
    var first = try PartialFile(path)
    #expect(first != nil)
    #expect(try PartialFile(path) == nil)
    first = nil
    #expect(try PartialFile(path) != nil)
  }

  @Test func `the next owner follows even if a child process still has a copy of the descriptor`()
    throws
  {
    let folder = try TemporaryFolder()
    let path = folder.path("pack.aar")
    let copy: FileDescriptor
    do {
      let first = try #require(try PartialFile(path))
      copy = try first.file.duplicate()
      #expect(try PartialFile(path) == nil)
      extendLifetime(first)
    }
    #expect(try PartialFile(path) != nil)
    extendLifetime(copy)
  }
}
