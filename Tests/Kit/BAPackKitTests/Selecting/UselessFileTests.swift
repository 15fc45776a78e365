import BAPackKit
import Foundation
import SourceDiagnostics
import SystemIO
import TestSupport
import Testing

/// Tests of files that should not be packed: pointers, empty files, source files.
@Suite struct UselessFileTests {
  private static let digest = String(repeating: "0123456789abcdef", count: 4)

  private static let pointers: [(name: String, text: String, message: String)] = [
    (
      "hero.png", "version https://git-lfs.github.com/spec/v1\noid sha256:\(digest)\nsize 12345\n",
      "is a Git LFS pointer, not the file: run git lfs pull"
    ),
    (
      "old.wav", "version https://hawser.github.com/spec/v1\noid sha256:\(digest)\nsize 1\n",
      "is a Git LFS pointer, not the file: run git lfs pull"
    ),
    (
      "film.mp4", "/annex/objects/SHA256E-s12345--\(digest).mp4\n",
      "is a git-annex pointer, not the file: run git annex get"
    ),
    (
      "model.bin.dvc", "outs:\n- md5: 0123456789abcdef0123456789abcdef\n  path: model.bin\n",
      "is a DVC pointer, not the file: run dvc pull, and select the file instead of the pointer"
    ),
    (
      "late.dvc", String(repeating: "# words\n", count: 40) + "outs:\n- path: x\n",
      "is a DVC pointer, not the file: run dvc pull, and select the file instead of the pointer"
    ),
  ]

  private static let innocent: [(name: String, text: String)] = [
    ("notes.txt", "A pointer begins with version https://git-lfs.github.com/spec/v1 and so on.\n"),
    ("list.txt", "outs:\n- path: not of DVC\n"), ("text.dvc", "just words, long enough to look at"),
    ("path.txt", "see /annex/objects/SHA256E for more of this\n"),
    ("long.txt", "version https://git-lfs.example.com/ " + String(repeating: "x", count: 500)),
  ]

  @Test(arguments: ["folder", "archive"], [nil, Hosting.apple])
  func `pointers are errors with the tool that fetches the file, in folders and archives`(
    kind: String, hosting: Hosting?
  ) throws {
    let folder = try TemporaryFolder()
    for (name, text) in Self.pointers.map({ ($0.name, $0.text) }) + Self.innocent {
      try folder.makeFile("tree/a/\(name)", text)
    }
    var root = folder.path("tree")
    if kind == "archive" {
      root = folder.path("tree.tar")
      let tar = Process()
      tar.executableURL = URL(filePath: "/usr/bin/env")
      tar.arguments = ["tar", "-cf", root, "-C", folder.path("tree"), "."]
      try tar.run()
      tar.waitUntilExit()
      #expect(tar.terminationStatus == 0)
    }
    let pack = try SelectedPack(
      document(#"{"directory": "a"}"#), sourceRoot: root, hosting: hosting, .unstoppable)
    let expected = Self.pointers.map { "'a/\($0.name)' \($0.message)" }.sorted()
    #expect(pack.findings.map(\.message).sorted() == expected)
    #expect(pack.findings.allSatisfy { $0.id.name == "files.pointer" && $0.severity == .error })
    #expect(pack.hasErrors)
    let single = try SelectedPack(
      document(#"{"file": "a/hero.png"}"#), sourceRoot: root, .unstoppable)
    #expect(single.findings.map(\.id.name) == ["files.pointer"])
  }

  @Test func `a link of git-annex without its file is reported with the command to get it`() throws
  {
    let folder = try TemporaryFolder()
    try folder.makeLink("a.mp4", to: ".git/annex/objects/Xx/Yy/SHA256E-s1--0.mp4/SHA256E-s1--0.mp4")
    #expect(
      try resolve(#"{"file": "a.mp4"}"#, in: folder).lines == [
        "error files.link: the link 'a.mp4' points to a file that git-annex has not fetched: run "
          + "git annex get"
      ])
  }

  @Test func `empty files in formats without valid empty files are warnings`() throws {
    let folder = try TemporaryFolder()
    let bad = [
      "a.png", "B.JPG", "c.ktx2", "d.wav", "e.ogg", "f.mp4", "g.usdz", "h.json",
      "i.mlmodelc/coremldata.bin", "i.mlmodelc/sub/weights",
    ]
    for name in bad { try folder.makeFile(name, "") }
    for name in ["a.txt", "png", ".png", "empty.dat", "c.mlmodelcx/x", "a.png.txt"] {
      try folder.makeFile(name, "")
    }
    try folder.makeFile("full.png", "x")
    let result = try resolve(#"{"directory": "."}"#, in: folder)
    #expect(
      result.lines.sorted()
        == bad.map { "warning files.empty-file: '\($0)' is empty" }.sorted())
    #expect(
      try resolve(#"{"file": "a.png"}"#, in: folder).lines
        == ["warning files.empty-file: 'a.png' is empty"])
  }

  @Test func `source files are a note for each format, with the exclusion as a fix`() throws {
    let folder = try TemporaryFolder()
    for name in [
      "a.psd", "b/c.psd", "d.blend", "e.blend1", "f.PNG.meta", "g.xcf", "h.PSD", "i.uasset",
    ] {
      try folder.makeFile(name, "x")
    }
    try folder.makeFile("keep.png", "x")
    let result = try resolve(#"{"directory": "."}"#, in: folder)
    #expect(result.findings.allSatisfy { $0.severity == .note && $0.id == "files.working-file" })
    #expect(
      result.findings.map(\.message).contains(
        "'a.psd' and 1 more file are selected, but apps do not read this format"))
    #expect(
      Set(result.findings.flatMap(\.fixes).map(\.message))
        == Set(
          ["psd", "blend", "blend1", "meta", "xcf", "PSD", "uasset"].map {
            #"add {"fileExclusion":"*.\#($0)"}"#
          }))
    // With the exclusions there are no notes.
    let exclusions = result.findings.flatMap(\.fixes).flatMap(\.edits).map(\.replacement)
      .joined()
    let fixed = try resolve(#"{"directory": "."}"# + exclusions, in: folder)
    #expect(fixed.lines == [])
    #expect(fixed.paths == ["keep.png"])
    // Files that a selector names are not reported.
    #expect(try resolve(#"{"file": "a.psd"}"#, in: folder).lines == [])
  }
}

@Suite struct LocalizedManifestTests {
  private func findings(_ languages: [String: String?], primary: String?) -> [String] {
    let documents = languages.sorted { $0.key < $1.key }.map { id, language in
      document(
        #"{"file": "x"}"#, id: id, more: language.map { #""language": "\#($0)","# } ?? "")
    }
    return ManifestDocument.findings(
      together: documents, primaryLanguage: primary.flatMap { LanguageTag($0) }
    ).map { "\($0.severity.rawValue) \($0.id.name): \($0.message)" }
  }

  private static let systems =
    "warning language.systems: systems before version 27 do not support localized packs"

  @Test func `only localized packs have the warning, once`() {
    #expect(findings(["a": nil, "b": nil], primary: "en") == [])
    #expect(findings(["a-fr": "fr", "a-de": "de"], primary: nil) == [Self.systems])
  }

  @Test(arguments: ["en", "en-US", "en-Latn-US", "en-Latn"])
  func `a group without the primary language is a warning`(primary: String) {
    #expect(findings(["a-en": "en", "a-fr": "fr"], primary: primary) == [Self.systems])
    #expect(
      findings(["a-de": "de", "a-fr": "fr", "b-en": "en"], primary: primary) == [
        Self.systems,
        "warning packs.primary-language: no pack of 'a' has the primary language '\(primary)'",
      ])
    #expect(
      findings(["french": "fr"], primary: primary).last
        == "warning packs.primary-language: no localized pack has the primary language '\(primary)'"
    )
  }

  @Test func `scripts are distinguished`() {
    #expect(findings(["a-zh-hans": "zh-Hans"], primary: "zh-Hant").count == 2)
    #expect(findings(["a-zh-hant": "zh-Hant"], primary: "zh-TW").count == 1)
    #expect(findings(["a-hi": "hi"], primary: "hi-Latn").count == 2)
    #expect(findings(["a-bs": "bs"], primary: "bs-Cyrl").count == 2)
  }

  @Test func `a pack for another region does not match the primary language`() {
    #expect(findings(["a-en": "en"], primary: "en-GB").count == 2)
  }
}
