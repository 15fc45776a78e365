import Foundation
import SystemIO
import TestSupport
import Testing

/// The process properties that a shell can change before a program starts.
@Suite("Process environment")
final class ProcessEnvironmentTests {
  private let folder: TemporaryFolder
  private var manifest: String { folder.path("m.json") }
  private var output: String { folder.path("out/x.aar") }

  init() throws {
    folder = try TemporaryFolder()
    try folder.makeFile("in/noise", (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 7) })
    try folder.makeFolder("out")
    try folder.makeFile(
      "m.json",
      """
      {"assetPackID": "Pack", "downloadPolicy": {"onDemand": {}}, "platforms": [],
       "sourceRoot": "in", "fileSelectors": [{"directory": "."}]}
      """)
  }

  private func names() throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: folder.path("out")).sorted()
  }

  @Test(.withoutThreadSanitizer)
  func `a limit on file sizes is reported, and leaves no files`() throws {
    let limit = "ulimit -f 16"
    let arguments = ["pack", manifest, "--compression", "none", "-o", output]
    let run = try BuiltProgram.run(arguments, after: limit)
    #expect(!run.wasSignalled && run.status == 1)
    let remedy = "raise the limit on file sizes (ulimit -f), or write to another disk with -o"
    #expect(run.messages == "Error: cannot write '\(output)': File too large\nhint: \(remedy)\n")
    #expect(try names() == [])

    #expect(try BuiltProgram.run(arguments).status == 0)
    for target in ["new", "new.zip"] {
      let run = try BuiltProgram.run(
        ["extract", output, "-o", folder.path("out/\(target)")], after: limit)
      #expect(!run.wasSignalled && run.status == 1)
      #expect(run.messages.hasSuffix("File too large\nhint: \(remedy)\n"))
      #expect(try names() == ["x.aar"])
    }
  }

  @Test
  func `a closed standard stream does not become part of a file`() throws {
    let arguments = ["pack", manifest, "-v", "--sha256", "-f", "-o", output]
    #expect(try BuiltProgram.run(arguments).status == 0)
    let expected = try folder.contents("out/x.aar")
    for closing in ["exec 2>&-", "exec <&- 2>&-", "exec <&- >&- 2>&-", "exec >&-"] {
      let run = try BuiltProgram.run(arguments, after: closing)
      // Without standard output the requested output could not be written.
      #expect(run.status == (closing.contains(" >&-") ? 1 : 0))
      #expect(try folder.contents("out/x.aar") == expected, "\(closing)")
    }
  }

  @Test
  func `a file name that is not UTF-8 is kept, and escaped in messages`() throws {
    let run = try BuiltProgram.run(
      ["pack", manifest, "-o"], after: #"set -- "$@" "\#(folder.path("out/"))$(printf '\377').aar""#
    )
    #expect(run.status == 0)
    #expect(run.messages.hasPrefix("\(folder.path("out/"))\\xFF.aar: 1 file"))
    let written = FilePath(folder.path("out")).appending(FileName([0xFF] + Array(".aar".utf8)))
    #expect(try FileStatus(ofFileAt: written.text).size > 0)
  }
}
