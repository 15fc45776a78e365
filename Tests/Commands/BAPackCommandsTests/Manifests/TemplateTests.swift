import Arguments
import BAPackCommands
import BAPackKit
import Foundation
import SourceDiagnostics
import SystemIO
import TestSupport
import Testing

@Suite("template")
struct TemplateTests {
  @Test
  func `a template without options has every key, and is valid with its placeholders replaced`() {
    let run = Captured("template")
    #expect(run.ending == .status(.done))
    #expect(run.messages == "")
    let keys = ["assetPackID", "downloadPolicy", "fileSelectors", "platforms", "sourceRoot"]
    for key in keys + ["language", "userInfo", "fileExclusion", "filePattern", "directorySource"] {
      #expect(run.output.contains("\"\(key)\""))
    }
    let raw = Captured("validate", "--no-files", "-", input: run.output)
    #expect(raw.ending == .status(.failed))
    let filled = run.output.replacing("[Asset-Pack ID]", with: "Tutorial")
      .replacing("[Path to File]", with: "a.txt").replacing("[Path to Directory]", with: "b")
    #expect(
      Captured("validate", "--no-files", "-", input: filled).messages
        == "1 manifest: no problems\n")
  }

  @Test
  func `--strict-json omits the comments`() throws {
    let run = Captured("template", "--strict-json")
    _ = try JSONSerialization.jsonObject(with: Data(run.output.utf8))
    #expect(run.output.hasPrefix("{\n  \"assetPackID\": \"[Asset-Pack ID]\",\n"))
  }

  @Test
  func `a template with options is valid, and has the values of the options`() throws {
    let run = Captured(
      "template", "--asset-pack-id", "Tutorial", "--prefetch", "--installation-event-types",
      "firstInstallation", "--platforms", "iOS", "macOS", "--language", "zh-Hant", "--file",
      "a.txt", "--directory", "b", "--file-pattern", "c/*.wav", "--file", "d.txt")
    #expect(run.ending == .status(.done))
    #expect(run.messages == "")
    let document = ManifestDocument(parsing: Array(run.output.utf8), named: "run")
    #expect(
      document.manifest
        == Manifest(
          assetPackID: "Tutorial", downloadPolicy: .prefetch([.firstInstallation]),
          fileSelectors: [
            .file("a.txt"), .file("d.txt"), .renamedDirectory(source: "b", destination: "b"),
            .filePattern("c/*.wav"),
          ],
          platforms: [.iOS, .macOS], language: LanguageTag("zh-Hant")))
    let strict = Captured(
      "template", "--strict-json", "--asset-pack-id", "T", "--on-demand", "--file", "a")
    _ = try JSONSerialization.jsonObject(with: Data(strict.output.utf8))
  }

  @Test(arguments: [
    ("es", "Assets/Voices/es", "Assets/Voices"), ("es-MX", "Voices/es/", "Voices"),
    ("zh-TW", "Voices/zh-Hant", "Voices"), ("pt-BR", "pt_BR", "."), ("en", "es/en/x", "es/x"),
    ("fr", "fr.lproj/Sounds", "Sounds"), ("es", "Voices/Spanish", "Voices/Spanish"),
  ])
  func `with a language, a folder has the same path in the pack in every language`(
    language: String, folder: String, destination: String
  ) {
    let run = Captured(
      "template", "-l", language, "--asset-pack-id", "V", "--on-demand", "--directory", folder)
    let document = ManifestDocument(parsing: Array(run.output.utf8), named: "run")
    let selectors =
      document.manifest?.fileSelectors.map { JSONWriter.string($0.jsonValue, .compact) } ?? []
    #expect(selectors.count == 1)
    #expect(selectors.allSatisfy { $0.hasSuffix(#""directoryDestination":"\#(destination)"}"#) })
  }

  @Test
  func `with a language, a pattern that contains it has a note about the folder to map`() {
    func run(_ pattern: String) -> Captured {
      Captured(
        "template", "-l", "es", "--asset-pack-id", "V", "--on-demand", "--file-pattern", pattern)
    }
    let named = run("Voices/es/*.wav")
    #expect(named.ending == .status(.done))
    #expect(
      named.messages == """
        The files of 'Voices/es/*.wav' keep the path of one language, because a pattern has no \
        destination. '--directory' with their folder gives them the same path in every language.

        """)
    for pattern in ["Voices/*.wav", "Voices/*/es/*.wav"] {
      #expect(run(pattern).messages == "", "\(pattern)")
    }
  }

  @Test
  func `by default a policy applies to all installations, and a pack to all platforms`() {
    let run = Captured("template", "--asset-pack-id", "T", "--essential", "--file", "a")
    let manifest = ManifestDocument(parsing: Array(run.output.utf8), named: "run").manifest
    #expect(manifest?.downloadPolicy == .essential([.firstInstallation, .subsequentUpdate]))
    #expect(manifest?.platforms == Platform.allCases)
  }

  @Test(arguments: [
    ("--essential --prefetch", "'--essential' and '--prefetch' cannot be used together"),
    (
      "--on-demand --installation-event-types firstInstallation",
      "'--installation-event-types' requires '--essential' or '--prefetch'"
    ),
    (
      "--asset-pack-id T",
      "A complete manifest also needs '--essential', '--prefetch' or '--on-demand', and '--file',"
        + " '--directory' or '--file-pattern'"
    ),
    ("--on-demand --file a", "A complete manifest also needs '--asset-pack-id'"),
    (
      "--asset-pack-id a/b --on-demand --file a",
      "The manifest would not be valid: the ID contains a '/'"
    ),
    (
      "--asset-pack-id a --on-demand --file /a",
      "The manifest would not be valid: the path '/a' is absolute"
    ),
    (
      "--platforms ios",
      "The value 'ios' is invalid for '--platforms <platform> ...'. Did you mean 'iOS'?\n"
        + "hint: use one of 'iOS', 'macOS', 'tvOS' or 'visionOS'"
    ),
    (
      "--language de_DE",
      "The value 'de_DE' is invalid for '--language <tag>': expected a language with an optional "
        + "script and region, such as 'zh-Hant-TW'"
    ),
    ("Manifest.json", "Unexpected argument 'Manifest.json'"),
  ])
  func `conflicting options are a usage error`(_ options: String, _ message: String) {
    let output = TextStream()
    let messages = TextStream()
    let arguments = ["template"] + options.split(separator: " ").map(String.init)
    let ending = run(arguments, Console(output: output, messages: messages, .unstoppable))
    #expect(ending == .status(.usage))
    #expect(output.captured == "")
    #expect(
      messages.captured == """
        Error: \(message)
        Usage: ba-package template [<options>]
          See 'ba-package template -h' for all options.

        """)
  }

  @Test
  func `notes are printed in addition to the manifest`() {
    let run = Captured("template", "--asset-pack-id", "a.b", "--on-demand", "--file", "a")
    #expect(run.ending == .status(.done))
    #expect(run.output.contains("\"a.b\""))
    #expect(run.messages.contains("warning: App Store Connect accepts"))
  }
}
