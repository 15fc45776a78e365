import Arguments
import TestSupport
import Testing

@testable import BAPackCommands

/// `why`: the pack of a path, and the selector or the exclusion that decides it.
@Suite final class WhyTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.makeFile(
      "ba-package.json", #"{"packs": ["Packs/*.json"], "output": "out", "sourceRoot": "Assets"}"#)
    try folder.makeFile(
      "Packs/core.json",
      """
      {"assetPackID": "core", "downloadPolicy": {"onDemand": {}}, "platforms": [],
       "fileSelectors": [
         {"directorySource": "Menu", "directoryDestination": "UI"},
         {"fileExclusion": "*.psd"}
       ]}
      """)
    try folder.makeFile("Assets/Menu/title.png", "title")
    try folder.makeFile("Assets/Menu/title.psd", "layers")
  }

  private func why(_ paths: String...) -> Captured {
    Captured(["why", "--project", folder.path("ba-package.json")] + paths)
  }

  @Test func `a path in the source root or in a pack has its pack and selector`() {
    let place = "\(folder.path("Packs/core.json")):3:4"
    let selector = #"{"directorySource": "Menu", "directoryDestination": "UI"}"#
    let source = why("Menu/title.png")
    #expect(source.ending == .status(.done))
    #expect(
      source.output == "Menu/title.png: in 'core', as 'UI/title.png': \(selector) (\(place))\n")
    #expect(why("UI/title.png").output == "UI/title.png: in 'core': \(selector) (\(place))\n")
    let file = folder.path("Assets/Menu/title.png")
    #expect(why(file).output.contains("in 'core', as 'UI/title.png'"))
  }

  @Test func `a path that no pack has names the exclusion or the nearest path`() {
    let excluded = why("Menu/title.psd")
    #expect(excluded.ending == .status(.failed))
    #expect(excluded.output.contains(#"left out of 'core' by {"fileExclusion": "*.psd"}"#))
    let misspelled = why("UI/titel.png")
    #expect(misspelled.ending == .status(.failed))
    #expect(misspelled.output.hasSuffix("; the nearest path of a pack is 'UI/title.png'\n"))
  }

  @Test func `a quoted pattern matches sources and paths in packs, selected or excluded`() throws {
    let sources = why("Menu/*")
    #expect(sources.ending == .status(.done), "\(sources.messages)")
    let lines = sources.output.split(separator: "\n")
    #expect(lines.count == 2, "\(sources.output)")
    #expect(lines.first?.hasPrefix("Menu/title.png: in 'core', as 'UI/title.png': ") == true)
    #expect(lines.last?.hasPrefix("Menu/title.psd: left out of 'core' by ") == true)
    #expect(why("**/*.png").output.hasPrefix("UI/title.png: in 'core': "))
    #expect(why(folder.path("Assets/Menu/*.png")).output.contains("in 'core', as 'UI/title.png'"))
    let json = why("UI/*", "--format", "json")
    #expect(json.output.hasPrefix(#"{"path":"UI/*","packs":[{"pack":"core","path":"UI/title.png""#))
    let none = why("Menu/*.wav")
    #expect(none.ending == .status(.failed))
    #expect(none.output == "Menu/*.wav: no manifest selects it\n")
  }
}
