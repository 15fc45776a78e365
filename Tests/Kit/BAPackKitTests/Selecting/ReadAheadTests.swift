import SystemIO
import TestSupport
import Testing

@testable import BAPackKit

@Suite("Read-ahead of the next files")
struct ReadAheadTests {
  /// Returns files in several folders, and their contents.
  static func makeFiles(_ folder: borrowing TemporaryFolder) throws -> [[UInt8]] {
    var seeded = Seeded(seed: 3)
    return try (0..<300).map { number in
      let bytes = number % 7 == 0 ? [] : seeded.noise(number)
      let name = "\(100 + number)"
      try folder.makeFile("in/\(number / 30 + 10)/\(name)", bytes)
      return bytes
    }
  }

  /// A disk whose read counter increases at every request.
  final class Disk {
    var reads = 0
    var checks = 0

    func inspect(isCold: Bool) -> Int {
      checks += 1
      reads += isCold ? 1 : 0
      return reads
    }
  }

  static func contents(
    of selection: Selection, in folder: borrowing TemporaryFolder, _ disk: Disk, isCold: Bool
  ) throws -> FolderContents {
    let tree = FolderTree(try FileDescriptor.open(folder.path("in"), for: .directory))
    return FolderContents(
      selection, FileOpener(tree),
      readAhead: ReadAhead(FileOpener(tree)) { disk.inspect(isCold: isCold) })
  }

  @Test(arguments: [false, true])
  func `every file is read completely, and no file remains open`(isCold: Bool) throws {
    let folder = try TemporaryFolder()
    let files = try Self.makeFiles(folder)
    let root = try SourceRoot(opening: folder.path("in"), .unstoppable)
    let selection = try Selection.resolve(document(#"{"directory": "."}"#), in: root, .unstoppable)
      .selection
    let disk = Disk()
    let contents = try Self.contents(of: selection, in: folder, disk, isCold: isCold)
    var read: [[UInt8]] = []
    for index in selection.indices where selection.isFile(at: index) {
      try contents.open(index)
      read.append(try contents.readPrefix(1_000))
      let open = try openDescriptors(below: folder.path("in"))
      #expect(open.count { $0.hasSuffix("/\(99 + read.count)") } == 1)
      #expect(open.count { $0.split(separator: "/").last?.count == 3 } == 1)
    }
    #expect(read == files)
    // Without disk reads, the counter is read once every sixteen files.
    #expect(isCold ? disk.checks > 3 : disk.checks == 19)
  }

  @Test
  func `a missing file is an error when it is read, not before`() throws {
    let folder = try TemporaryFolder()
    _ = try Self.makeFiles(folder)
    let root = try SourceRoot(opening: folder.path("in"), .unstoppable)
    let selection = try Selection.resolve(document(#"{"directory": "."}"#), in: root, .unstoppable)
      .selection
    let contents = try Self.contents(of: selection, in: folder, Disk(), isCold: true)
    let indices = selection.indices.filter { selection.isFile(at: $0) }
    try folder.remove("in/11/140")
    for index in indices[..<40] { try contents.open(index) }
    let error = #expect(throws: PackError.self) { try contents.open(indices[40]) }
    #expect(error?.message.contains("'11/140' changed") == true)
    try contents.open(indices[41])
  }
}
