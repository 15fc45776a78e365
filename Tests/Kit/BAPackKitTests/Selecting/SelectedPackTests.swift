import BAPackKit
import Foundation
import SourceDiagnostics
import SystemIO
import TestSupport
import Testing

@Suite struct SelectedPackTests {
  /// Returns the findings about packs with these IDs, selectors and other members, checked
  /// together.
  private func packs(
    _ manifests: [(id: String, selectors: String, more: String)],
    in folder: borrowing TemporaryFolder, hosting: Hosting? = nil
  ) throws -> [[String]] {
    var packs: [SelectedPack] = []
    for manifest in manifests {
      let document = document(manifest.selectors, id: manifest.id, more: manifest.more)
      packs.append(
        try SelectedPack(document, sourceRoot: folder.path, hosting: hosting, .unstoppable))
    }
    SelectedPack.check(together: &packs, hosting: hosting)
    return packs.map {
      $0.findings.map { "\($0.severity.rawValue) \($0.id.name): \($0.message)" }
    }
  }

  @Test func `shared paths are a warning for each group of packs that share the same paths`()
    throws
  {
    let folder = try TemporaryFolder()
    for name in ["a/x", "a/y", "b"] { try folder.makeFile(name) }
    #expect(
      try packs(
        [
          ("One", #"{"directory": "a"}"#, ""), ("Two", #"{"file": "a/x"}, {"file": "b"}"#, ""),
          ("Three", #"{"directory": "."}"#, ""),
        ], in: folder) == [
          [], [],
          [
            "warning files.shared-path: the packs 'One', 'Two' and 'Three' all contain 'a/x'",
            "warning files.shared-path: the packs 'One' and 'Three' both contain 'a/y'",
            "warning files.shared-path: the packs 'Two' and 'Three' both contain 'b'",
          ],
        ])
  }

  @Test(.heavy) func `hundreds of packs with a common folder are one finding`() throws {
    let folder = try TemporaryFolder()
    for number in 0..<115 { try folder.makeFile("shared/\(number)") }
    for number in 0..<231 { try folder.makeFile("own/\(number)") }
    let found = try packs(
      (0..<231).map { ("Pack-\($0)", #"{"directory": "shared"}, {"file": "own/\#($0)"}"#, "") },
      in: folder)
    #expect(
      found.flatMap(\.self) == [
        "warning files.shared-path: 231 packs, 'Pack-0' to 'Pack-230', contain the same 115 "
          + "files, for example 'shared/0'"
      ])
    #expect(found[230].count == 1)
  }

  @Test func `translations share their paths, and a missing path is a warning`() throws {
    let folder = try TemporaryFolder()
    for name in ["en/intro", "en/extra", "fr/intro", "fr/bonus"] { try folder.makeFile(name) }
    func pack(_ language: String, _ id: String) -> (String, String, String) {
      (
        id, #"{"directorySource": "\#(language)", "directoryDestination": "."}"#,
        #""language": "\#(language)","#
      )
    }
    #expect(
      try packs([pack("en", "movie-en"), pack("fr", "movie-fr")], in: folder) == [
        [
          "warning files.localized-difference: the localized packs 'movie-en' and 'movie-fr' do "
            + "not contain the same paths"
        ], [],
      ])
    let alike = try packs([pack("en", "movie-en"), pack("en", "other")], in: folder)
    #expect(
      alike[1] == [
        "warning files.shared-path: the packs 'movie-en' and 'other' both contain 'extra' and "
          + "'intro'"
      ])
    let mixed = try packs(
      [
        pack("en", "movie-en"),
        ("base", #"{"fileSource": "fr/intro", "fileDestination": "intro"}"#, ""),
      ],
      in: folder)
    #expect(
      mixed[1] == [
        "warning files.shared-path: the packs 'movie-en' and 'base' both contain "
          + "'intro'"
      ])
  }

  @Test func `the difference between translations is listed`() throws {
    let folder = try TemporaryFolder()
    for name in ["en/intro", "en/extra", "fr/intro"] { try folder.makeFile(name) }
    var packs: [SelectedPack] = []
    for language in ["en", "fr"] {
      packs.append(
        try SelectedPack(
          document(
            #"{"directorySource": "\#(language)", "directoryDestination": "."}"#,
            id: "movie-\(language)", more: #""language": "\#(language)","#),
          sourceRoot: folder.path, .unstoppable))
    }
    SelectedPack.check(together: &packs)
    #expect(packs[0].findings.all == [])
    #expect(packs[1].findings.map(\.severity) == [.warning])
    #expect(packs[1].findings.map(\.notes) == [["'movie-fr' does not contain 'extra'"]])
    #expect(
      packs[1].findings.flatMap(\.fixes).map(\.message) == [
        "add the missing files, or give the folders of all languages the same "
          + "'directoryDestination'"
      ])
  }

  @Test func `language folders with different paths are one finding with one destination`()
    throws
  {
    let folder = try TemporaryFolder()
    let languages = ["de", "en", "es-MX"]
    for language in languages {
      for number in 0..<30 { try folder.makeFile("Voices/\(language)/\(number).wav") }
    }
    func check(_ selector: (String) -> String) throws -> [Finding] {
      var packs: [SelectedPack] = []
      for language in languages {
        packs.append(
          try SelectedPack(
            document(
              selector(language), id: "voices-\(language)", more: #""language": "\#(language)","#),
            sourceRoot: folder.path, .unstoppable))
      }
      SelectedPack.check(together: &packs)
      return packs.flatMap(\.findings.all)
    }
    let found = try check { #"{"directory": "Voices/\#($0)"}"# }
    #expect(found.map(\.id.name) == ["files.localized-difference"])
    let fix = try #require(found.first?.fixes.first)
    for language in languages {
      let selector = #"{"directorySource":"Voices/\#(language)","directoryDestination":"Voices"}"#
      #expect(fix.message.contains("\(selector) in 'voices-\(language)'"))
    }
    #expect(found.flatMap(\.notes).allSatisfy { $0.utf8.count < 200 })
    // A pattern has no destination, but its folder has one.
    let patterns = try check { #"{"filePattern": "Voices/\#($0)/*.wav"}"# }
    #expect(patterns.map(\.id.name) == ["files.localized-difference"])
    let remedy = try #require(patterns.first?.fixes.first).message
    #expect(
      remedy.contains(
        #"{"directorySource":"Voices/de","directoryDestination":"Voices"} in 'voices-de'"#),
      "\(remedy)")
    #expect(remedy.hasSuffix("; patterns do not support a destination"))
    #expect(
      try check { #"{"directorySource": "Voices/\#($0)", "directoryDestination": "Voices"}"# } == []
    )
  }

  @Test func `essential files count for one platform and one language, from 200 MB`() throws {
    let folder = try TemporaryFolder()
    for (name, size) in [("a", 120), ("b", 70), ("c", 90)] {
      try folder.makeHole(name, size: size * 1_000_000)
    }
    func notes(_ packs: [(file: String, more: String)]) throws -> [String] {
      var selected = try packs.map { pack in
        try SelectedPack(
          ManifestDocument(
            parsing: Array(
              """
              {"assetPackID": "\(pack.file)", \(pack.more) "fileSelectors": [{"file": \
              "\(pack.file)"}],
               "downloadPolicy": {"essential": {"installationEventTypes": ["firstInstallation"]}}}
              """.utf8), named: pack.file),
          sourceRoot: folder.path, .unstoppable)
      }
      SelectedPack.check(together: &selected)
      return selected.flatMap(\.findings.all).filter { $0.id == "files.essential-size" }
        .map(\.message)
    }
    let everywhere = #""platforms": [],"#
    #expect(try notes([("a", everywhere), ("b", everywhere)]) == [])
    #expect(
      try notes([("a", everywhere), ("c", everywhere)]) == [
        "the 2 essential packs have 210 MB before compression for one device"
      ])
    #expect(
      try notes([("a", #""platforms": ["iOS"],"#), ("c", #""platforms": ["macOS"],"#)]) == [])
    let (english, french) = (
      #""platforms": [], "language": "en","#, #""platforms": [], "language": "fr","#
    )
    #expect(try notes([("a", english), ("c", french)]) == [])
    #expect(try notes([("a", everywhere), ("b", english), ("c", french)]).count == 1)
  }

  @Test func `the first translation that differs from the others has the finding of its group`()
    throws
  {
    let folder = try TemporaryFolder()
    let languages = ["de", "en", "es", "fr", "pt-BR"]
    for language in languages { try folder.makeFile("\(language)/a") }
    for language in languages.dropLast() { try folder.makeFile("\(language)/b") }
    try folder.makeFile("en/c")
    let found = try packs(
      languages.map {
        (
          "voices-\($0)", #"{"directorySource": "\#($0)", "directoryDestination": "."}"#,
          #""language": "\#($0)","#
        )
      }, in: folder)
    #expect(
      found == [
        [],
        [
          "warning files.localized-difference: the localized packs 'voices-de', 'voices-en', "
            + "'voices-es', 'voices-fr' and 'voices-pt-BR' do not contain the same paths"
        ],
        [], [], [],
      ])
  }

  @Test func `of many localized packs some are named, without a space before a comma`() throws {
    let folder = try TemporaryFolder()
    let languages = ["cs", "da", "de", "en", "es", "fi", "fr", "hu", "it", "ja", "nl", "pl"]
    for language in languages { try folder.makeFile("\(language)/a") }
    for language in languages.dropLast() { try folder.makeFile("\(language)/b") }
    let found = try packs(
      languages.map {
        (
          "v-\($0)", #"{"directorySource": "\#($0)", "directoryDestination": "."}"#,
          #""language": "\#($0)","#
        )
      }, in: folder)
    let names = languages.prefix(10).map { "'v-\($0)'" }.joined(separator: ", ")
    #expect(
      found.flatMap(\.self) == [
        "warning files.localized-difference: the localized packs \(names), and 2 more do not "
          + "contain the same paths"
      ])
  }

  @Test func `programs for macOS are a warning when Apple hosts`() throws {
    let folder = try TemporaryFolder()
    func header(_ platform: UInt32) -> [UInt8] {
      let words: [UInt32] = [
        0xFEED_FACF, 0x0100_000C, 0, 2, 1, 24, 0, 0, 0x32, 24, platform, 0, 0, 0,
      ]
      return words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) } }
    }
    try folder.makeFile("bin/for-mac", header(1))
    try folder.makeFile("bin/for-phone", header(2))
    try folder.makeFile(
      "bin/Some.class", [0xCA, 0xFE, 0xBA, 0xBE, 0, 0, 0, 61] + [UInt8](repeating: 0, count: 40))
    try folder.makeFile("bin/text", "just text, long enough to be looked at")
    let selectors = #"{"directory": "bin"}"#
    #expect(
      try packs([("One", selectors, "")], in: folder, hosting: .apple) == [
        ["warning files.mac-program: 'bin/for-mac' is an executable for macOS"]
      ])
    #expect(try packs([("One", selectors, "")], in: folder, hosting: .selfHosted) == [[]])
  }

  @Test func `more than Apple hosts is a warning`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("big", "")
    let handle = try #require(FileHandle(forWritingAtPath: folder.path("big")))
    try handle.truncate(atOffset: 120_000_000_000)
    try handle.close()
    let one = ("One", #"{"file": "big"}"#, "")
    let two = ("Two", #"{"fileSource": "big", "fileDestination": "other"}"#, "")
    #expect(try packs([one], in: folder) == [[]])
    #expect(
      try packs([one, two], in: folder)[1] == [
        "warning files.hosting-limit: the first 2 packs have 240 GB before "
          + "compression; Apple hosts 200 GB for one app"
      ])
    #expect(try packs([one, two], in: folder, hosting: .selfHosted) == [[], []])
  }

  @Test func `packaging manifests among the files are junk`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("data.json", #"{"level": 1}"#)
    try folder.makeFile("other.json", #"{"assetPackID": "Other", "fileSelectors": []}"#)
    let text = document(#"{"directory": "."}"#).source.bytes
    try folder.makeFile("own.json", text)
    let pack = try SelectedPack(
      ManifestDocument(parsing: text, named: folder.path("own.json")), sourceRoot: folder.path,
      .unstoppable)
    #expect(
      pack.findings.map(\.message) == [
        "'own.json' is this manifest, but it is selected",
        "'other.json' is a packaging manifest, but it is selected",
      ])
    #expect(pack.findings.map(\.id.name) == ["files.junk", "files.junk"])
  }

  @Test func `the source root is relative to the manifest's folder`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("assets/x")
    try folder.makeFolder("packs")
    func pack(_ root: String) throws -> SelectedPack {
      let document = document(#"{"file": "x"}"#, more: #""sourceRoot": "\#(root)","#)
      return try SelectedPack(
        ManifestDocument(parsing: document.source.bytes, named: folder.path("packs/m.json")),
        .unstoppable)
    }
    #expect(try pack("../assets").selection.map(\.destination) == ["x"])
    let missing = try pack("../asets")
    #expect(missing.findings.map(\.id.name) == ["files.source-root"])
    #expect(missing.findings.all[0].span == missing.document.locations.sourceRoot)
    #expect(missing.hasErrors)
  }

  @Test func `a selector with an invalid text is not reported again`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("x")
    let document = document(#"{"file": "../x"}, {"file": "y"}, {"file": "/x"}"#)
    #expect(document.findings.count == 2)
    let result = try Selection.resolve(
      document, in: SourceRoot(opening: folder.path, .unstoppable), .unstoppable)
    #expect(result.lines == ["error files.missing: there is no file 'y'"])
  }
}

@Suite struct ArchiveSourceTests {
  /// A folder of files and links, and the same as a tar and as a zip archive.
  private func prepare(_ folder: borrowing TemporaryFolder) throws {
    for name in ["tree/b/hero.png", "tree/a/x", "tree/a/.hidden", "tree/z"] {
      try folder.makeFile(name, name, mode: name.hasSuffix("x") ? 0o755 : 0o644)
    }
    try folder.makeFolder("tree/empty")
    try folder.makeLink("tree/link", to: "b")
    try folder.makeLink("tree/a/up", to: "../z")
    let tar = Process()
    tar.executableURL = URL(filePath: "/usr/bin/env")
    tar.arguments = ["tar", "-cf", folder.path("tree.tar"), "-C", folder.path("tree"), "."]
    try tar.run()
    tar.waitUntilExit()
    #expect(tar.terminationStatus == 0)
  }

  @Test func `an archive has the same selection as the folder that it contains`() throws {
    let folder = try TemporaryFolder()
    try prepare(folder)
    for selectors in [
      #"{"directory": "."}"#, #"{"filePattern": "**/*.png"}, {"file": "a/up"}"#,
      #"{"directorySource": "link", "directoryDestination": "Textures"}"#,
      #"{"directory": "."}, {"fileExclusion": "a"}"#,
      #"{"file": "b/hero.pgn"}, {"directory": "link/.."}, {"filePattern": "*.jpg"}"#,
    ] {
      let onDisk = try Selection.resolve(
        document(selectors), in: SourceRoot(opening: folder.path("tree"), .unstoppable),
        .unstoppable)
      let root = try SourceRoot(opening: folder.path("tree.tar"), .unstoppable)
      let inArchive = try Selection.resolve(document(selectors), in: root, .unstoppable)
      #expect(inArchive.lines == onDisk.lines)
      #expect(inArchive.paths == onDisk.paths)
      #expect(inArchive.selection.map(\.source) == onDisk.selection.map(\.source))
      #expect(inArchive.selection.map(\.size) == onDisk.selection.map(\.size))
      #expect(inArchive.selection.map(\.isExecutable) == onDisk.selection.map(\.isExecutable))
      let contents = try root.contents(of: inArchive.selection, .unstoppable)
      for index in inArchive.selection.indices where inArchive.selection[index].kind == .file {
        try contents.open(index)
        let text = String(decoding: try contents.readPrefix(100), as: UTF8.self)
        #expect(text.hasPrefix("tree/"))
        #expect(text.utf8.count == Int(inArchive.selection[index].size))
      }
    }
  }

  @Test func `a file that is not an archive is rejected as a source root`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("x", "no archive")
    let error = #expect(throws: PackError.self) {
      try SourceRoot(opening: folder.path("x"), .unstoppable)
    }
    #expect(error?.message.contains("as a source root") == true)
  }
}
