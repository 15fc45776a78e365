import Arguments
import BAPackKit
import SystemIO
import TestSupport
import Testing

@testable import BAPackCommands

/// `evaluate --format bazel` and `evaluate --declared`.
@Suite struct BazelSourcesTests {
  private static func prepare(
    _ folder: borrowing TemporaryFolder, _ selectors: String, id: String = "Art"
  ) throws -> SelectedPack {
    try folder.makeFile(
      "Packs/\(id).json",
      """
      {"assetPackID": "\(id)", "downloadPolicy": {"onDemand": {}}, "platforms": [],
       "sourceRoot": "../Assets", "fileSelectors": [\(selectors)]}
      """)
    return try SelectedPack(
      ManifestDocument(reading: folder.path("Packs/\(id).json"), .unstoppable),
      readingContents: false, .unstoppable)
  }

  @Test func `labels are relative to the folder of the BUILD file, escaped and sorted`() throws {
    let folder = try TemporaryFolder()
    for name in ["Art/z", "Art/a \"b\" ä.png", "@x"] { try folder.makeFile("Assets/\(name)") }
    var sources = try BazelSources(forFilesIn: folder.path)
    try sources.add(
      Self.prepare(
        folder, #"{"directory": "Art"}, {"fileSource": "@x", "fileDestination": "Art/y"}"#))
    try sources.add(Self.prepare(folder, #"{"file": "@x"}"#, id: "One"))
    #expect(
      sources.text == #"""
        # Written by 'ba-package evaluate --format bazel': the files that each manifest selects.
        SRCS = {
            "Art": [
                "Assets/@x",
                "Assets/Art/a \"b\" ä.png",
                "Assets/Art/z",
            ],
            "One": [
                "Assets/@x",
            ],
        }

        """#)
    var below = try BazelSources(forFilesIn: folder.path("Assets"))
    try below.add(Self.prepare(folder, #"{"file": "@x"}"#))
    #expect(below.text.contains(#"        ":@x","#))
  }

  @Test
  func `a source root outside of the folder, an archive and a name without a label are errors`()
    throws
  {
    let folder = try TemporaryFolder()
    try folder.makeFile("Assets/a:b")
    let pack = try Self.prepare(folder, #"{"file": "a:b"}"#)
    var outside = try BazelSources(forFilesIn: folder.path("Packs"))
    let error = #expect(throws: PackError.self) { try outside.add(pack) }
    #expect(error?.message.hasSuffix("is outside of this folder") == true)
    var sources = try BazelSources(forFilesIn: folder.path)
    let name = #expect(throws: PackError.self) { try sources.add(pack) }
    #expect(name?.message == "Bazel has no label for the file 'Assets/a:b'")
    for bytes in [[UInt8(ascii: "\\")], [1], [0xFF]] as [[UInt8]] {
      #expect(throws: PackError.self) { try BazelSources.label(of: FilePath(bytes)) }
    }
  }

  @Test
  func `a list that declares other files than the manifest selects fails with the difference`()
    throws
  {
    let folder = try TemporaryFolder()
    for name in ["Art/a", "Art/b", "c"] { try folder.makeFile("Assets/\(name)") }
    _ = try Self.prepare(folder, #"{"directory": "Art"}"#)
    func evaluate(_ list: String) throws -> Captured {
      try folder.makeFile("declared", list)
      return Captured(
        "evaluate", "--no-project", folder.path("Packs/Art.json"), "--declared",
        folder.path("declared"))
    }
    let equal = try evaluate("644\tx\tArt/b\n644\ty\tArt/a\n")
    #expect(equal.ending == .status(.done), "\(equal.messages)")
    #expect(equal.output == "")
    let other = try evaluate("644\tx\tArt/b\n644\ty\tc\n")
    #expect(other.ending == .status(.failed))
    #expect(other.output == "+ Art/a\n- c\n")
    #expect(
      other.messages.hasPrefix(
        "Error: the declared files are not the selected files: 1 missing (+), 1 not selected (-)\n"
      ), "\(other.messages)")
  }

  @Test(arguments: [
    ("--format bazel --excluded", "'--excluded' has no effect with '--format bazel'"),
    ("--format bazel --files-from l", "'--files-from' has no effect with '--format bazel'"),
    ("--format json --declared l", "'--format' has no effect with '--declared'"),
    ("--excluded --declared l", "'--excluded' and '--declared' cannot be used together"),
  ])
  func `an option without an effect is an error`(_ line: String, _ message: String) {
    let run = Captured(["evaluate", "m.json"] + line.split(separator: " ").map(String.init))
    #expect(run.ending == .status(.usage))
    #expect(run.messages.hasPrefix("Error: \(message)\n"), "\(run.messages)")
  }
}
