import BAPackKit
import SourceDiagnostics
import SystemIO
import TestSupport
import Testing

@testable import DeviceSimulator

struct KeptDeviceTests {
  @Test func `each member of a kept device is written and read`() throws {
    let pack = { (member: String) in
      """
      {"id": "a", "version": 2, "bytes": 5, "unpacked": 6, "policy": "prefetch", "events":
       ["subsequentUpdate"], "platforms": ["tvOS"], \(member), "language": "es"
      """
    }
    let text = """
      {"format": "1", "device": {"platform": "macOS", "os": 26, "languages": ["es-MX"], "primary":
       "en", "free": 7, "rate": 8, "model": 1}, "app": true, "clock": 9, "poll": 10, "files": 11,
       "refused": ["b"], "missed": ["a", "c"], "made": ["files-2"], "launch": 12, "language": "fr",
       "packs": [\(pack(#""archive": "pack-61-2.aar""#)), "asked": true, "files": 0, "pinned": 3},
        {"id": "b", "version": 1, "bytes": 1, "unpacked": 1, "policy": "onDemand", "events": [],
         "platforms": [], "place": "b.aar", "asked": false}],
       "manifest": {"name": "n", "packs": [\(pack(#""place": "a.aar""#))}]},
       "versions": [{"id": "a", "version": 13, "bytes": 14, "sha256": "ab"}], "later": [null]}
      """
    let root = try #require(JSONDocument(parsing: SourceText(Array(text.utf8), named: "s")).root)
    let kept = try KeptDevice.read(Array(text.utf8), named: "s").document
    let format = JSONValue.Member("format", .string("1"))
    #expect([format] + kept.members == members(of: root.value))
    try expectRoundTrip(kept)
    let device = try kept.device(downloadingTo: "packs", [])
    #expect(device.installed["a"]?.pack.place == "packs/pack-61-2.aar")
    #expect(device.installed["b"]?.pack.place == "b.aar")
    #expect(device.installed["a"]?.pack.contents?.count == 0)
    #expect(device.installed["b"]?.pack.contents == nil)
    #expect(device.missed == ["a", "c"])
  }

  private func members(of value: JSONValue) -> [JSONValue.Member] {
    if case .object(let members) = value { members } else { [] }
  }

  @Test func `each pack reads its paths, also from an inconsistent list`() throws {
    for count in ["-1", "99999999999999", "1e9", "4"] {
      let pack = """
        {"id": "a", "version": 1, "bytes": 5, "unpacked": 1, "policy": "onDemand", "events": [],
         "platforms": [], "place": "", "asked": true, "files": \(count)}
        """
      let text = """
        {"format": "1", "device": {"platform": "iOS", "os": 27, "languages": []}, "app": true,
         "clock": 0, "poll": 0, "files": 1, "refused": [], "packs": [\(pack)], "versions": []}
        """
      #expect(throws: StateFault.self) {
        let kept = try KeptDevice.read(Array(text.utf8), named: "s").document
        _ = try kept.device(
          downloadingTo: "packs", Array("1 a\u{0}1 b\u{0}x c\u{0}".utf8))
      }
    }
  }
}
