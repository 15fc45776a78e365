import Arguments
import TestSupport
import Testing

@testable import BAPackCommands

/// Files of a different type than a command requires.
@Suite final class FileFormatTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let manifest = String(
    decoding: PackBytes.manifest(selecting: [#"{"directory": "."}"#]), as: UTF8.self)

  @Test(
    arguments: [
      (Array("hi\n".utf8), "it is a text, not an Apple Archive", nil),
      (
        Array(manifest.utf8), "it is a manifest, not an Apple Archive",
        "try 'ba-package validate FILE', or 'ba-package pack FILE'"
      ),
      (
        Array("// mine\n{assetPackID: 'a', fileSelectors: []}".utf8),
        "it is a manifest, not an Apple Archive",
        "try 'ba-package validate FILE', or 'ba-package pack FILE'"
      ),
      (
        Array(#"{"assetPacks": []}"#.utf8), "it is a download manifest, not an Apple Archive",
        "try 'ba-package download-manifest check FILE'"
      ),
      (
        [0x1F, 0x8B, 8], "it is a gzip archive, not an Apple Archive",
        "use it as a source root: 'ba-package pack <manifest> --source-root FILE'"
      ),
      (
        [UInt8](repeating: 65, count: 257) + Array("ustar".utf8)
          + [UInt8](repeating: 0, count: 250),
        "it is a tar archive, not an Apple Archive",
        "use it as a source root: 'ba-package pack <manifest> --source-root FILE'"
      ),
      (
        Array("AEA1".utf8) + [0, 0, 0, 0],
        "it is an encrypted or signed Apple Archive (AEA), not an Apple Archive",
        "decrypt it first on a Mac, with 'aea decrypt' or 'aa extract' and its key"
      ),
      (Array("xar!".utf8), "it is a xar archive, not an Apple Archive", unpack),
      ([0x89, 0x50, 0, 1], "it is a binary file, not an Apple Archive", nil),
      (Array("hi\u{3}".utf8), "it is a binary file, not an Apple Archive", nil),
      ([0x68, 0xC3, 0x28], "it is a binary file, not an Apple Archive", nil),
      (
        Array(("h" + String(repeating: "é", count: 600)).utf8),
        "it is a text, not an Apple Archive", nil
      ),
      ([], "the file is empty", "create packs with 'ba-package pack'"),
    ] as [([UInt8], String, String?)])
  func `the type of a file that is not a pack is reported`(
    bytes: [UInt8], reason: String, remedy: String?
  ) throws {
    let path = folder.path("x")
    try folder.makeFile("x", bytes)
    let remedy = remedy?.replacing("FILE", with: path)
    let expected =
      "Error: cannot read '\(path)': \(reason)\n" + (remedy.map { "hint: \($0)\n" } ?? "")
    for arguments in [
      ["list", path], ["info", path], ["extract", path, "-o", folder.path("out")],
    ] {
      let run = Captured(arguments)
      #expect(run.ending == .status(.failed))
      #expect(run.output.isEmpty)
      #expect(run.messages == expected)
    }
    let run = Captured("verify", path)
    #expect(run.ending == .status(.failed))
    #expect(run.messages.hasPrefix("\(path): error: \(reason) [archive.damaged]\n"))
    if let remedy { #expect(run.messages.contains("\(path): fix: \(remedy)\n")) }
  }

  @Test
  func `a zip that is called .aar may be an Android library`() throws {
    try folder.makeFile("lib.aar", Array("PK\u{3}\u{4}".utf8))
    let run = Captured("list", folder.path("lib.aar"))
    #expect(run.messages.contains("it is a ZIP archive, not an Apple Archive\n"))
    #expect(
      run.messages.contains(
        "hint: the file may be an Android library; otherwise use it as a source"))
  }

  @Test(arguments: [
    ("pbze\u{0}", "an Apple Archive", "inspect a pack with 'ba-package info'"),
    (
      "PK\u{3}\u{4}", "a ZIP archive",
      "use the archive as the source root, with '--source-root'"
    ),
    (
      "AEA1\u{0}", "an encrypted or signed Apple Archive (AEA)",
      "specify a manifest: the JSON file that describes a pack"
    ),
    (
      "\u{7F}ELF\u{0}", "a binary file", "'ba-package template' prints a manifest to start from"
    ),
  ])
  func `the type of a file that is no manifest is reported`(
    text: String, name: String, remedy: String
  )
    throws
  {
    let path = folder.path("x")
    try folder.makeFile("x", text)
    for arguments in [["validate", path], ["pack", path, "-o", folder.path("out.aar")]] {
      let run = Captured(arguments)
      #expect(run.ending == .status(.failed))
      #expect(
        run.messages.hasPrefix(
          """
          \(path): error: the file is \(name), not a manifest [manifest.not-a-manifest]
          \(path): fix: \(remedy)

          """))
    }
  }

  private static let unpack =
    "unpack it, or use a .zip, .7z or .tar archive (plain, gzip, bzip2, xz or zstd)"

  @Test
  func `the type of a file that is no source root is reported`() throws {
    try folder.makeFile("m.json", Self.manifest)
    for (bytes, reason, remedy) in [
      (
        PackBytes.sample.container(), "it is an Apple Archive",
        "unpack it first: 'ba-package extract <x.aar> -o <folder>'"
      ),
      (Array("hi".utf8), "it is a text", "specify a folder or an archive"),
      ([], "the file is empty", "specify a folder or an archive"),
      (Array("Rar!\u{1A}\u{7}".utf8), "it is a RAR archive", Self.unpack),
      (Array("xar!".utf8), "it is a xar archive", Self.unpack),
      (Array("070702".utf8), "it is a cpio archive", Self.unpack),
      (Array("..-lh5-".utf8), "it is an LHA archive", Self.unpack),
      (
        [UInt8](repeating: 0, count: 32_769) + Array("CD001".utf8), "it is an ISO image",
        Self.unpack
      ),
    ] {
      try folder.makeFile("x", bytes)
      let path = folder.path("x")
      let manifest = folder.path("m.json")
      let run = Captured("validate", manifest, "--source-root", path)
      #expect(run.ending == .status(.failed))
      #expect(
        run.messages.hasPrefix(
          """
          \(manifest): error: cannot read '\(path)' as a source root: \(reason) \
          [manifest.unreadable]
          \(manifest): fix: \(remedy)

          """))
      #expect(run.messages.hasSuffix("\n1 manifest, not fully checked: 1 error\n"))
    }
  }

  @Test(arguments: [
    (["license", "agree"], "this program has no license prompt"), (["license"], "remove this step"),
    (["foundation-models", "package"], "use Apple's tool on a Mac"),
    (["create"], "use 'ba-package pack'"),
  ])
  func `unsupported commands of Apple's tool print a hint`(arguments: [String], answer: String) {
    let run = Captured(arguments)
    #expect(run.ending == .status(.usage))
    #expect(run.messages.hasPrefix("Error: Unknown command '\(arguments[0])'\nhint: "))
    #expect(run.messages.contains(answer))
  }
}
