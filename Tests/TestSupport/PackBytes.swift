/// A pack put together by hand from the format's sheet, so that it can also be wrong.
package struct PackBytes {
  /// The entries, one after the other.
  package private(set) var stream: [UInt8] = []

  package init() {}

  /// What every pack begins with: the root and `Contents`.
  package static var beginning: PackBytes {
    var pack = PackBytes()
    pack.addFolder("")
    pack.addFolder("Contents")
    return pack
  }

  /// A whole small pack.
  package static var sample: PackBytes {
    var pack = PackBytes.beginning
    pack.addFolder("Contents/Levels")
    pack.addFile("Contents/Levels/one.json", Array("{\"name\": \"one\", \"name2\": \"one\"}".utf8))
    pack.addFile("Contents/Levels/two.json", Array("{\"name\": \"two\", \"name2\": \"two\"}".utf8))
    pack.addFolder("Contents/empty")
    pack.addFile("Contents/run.sh", Array("#!/bin/sh\n".utf8), mode: 0o755)
    pack.addFile("Contents/日本.txt", [])
    pack.addManifest(selecting: ["{\"directory\": \".\"}"])
    return pack
  }

  /// A manifest whose selectors are given as JSON.
  package static func manifest(selecting selectors: [String]) -> [UInt8] {
    Array(
      """
      {
        "assetPackID": "sample",
        "downloadPolicy": {"onDemand": {}},
        "fileSelectors": [\(selectors.joined(separator: ", "))],
        "platforms": []
      }

      """.utf8)
  }

  package mutating func addManifest(selecting selectors: [String]) {
    addFile("Manifest.json", Self.manifest(selecting: selectors))
  }

  package mutating func addFolder(_ path: String, mode: Int = 0o755) {
    add(type: "D", [Self.path(path), Self.attributes(mode)])
  }

  package mutating func addFile(_ path: String, _ contents: [UInt8] = [], mode: Int = 0o644) {
    let data = Array("DATB".utf8) + Self.little(contents.count, 4)
    add(type: "F", [Self.path(path), Self.attributes(mode), data], contents)
  }

  /// Adds any entry: its fields behind `TYP`, and its data.
  package mutating func add(type: Character, _ fields: [[UInt8]], _ data: [UInt8] = []) {
    let body = Array("TYP1\(type)".utf8) + fields.flatMap(\.self)
    stream += Array("AA01".utf8) + Self.little(body.count + 6, 2) + body + data
  }

  package static func path(_ path: String) -> [UInt8] { self.path(Array(path.utf8)) }

  package static func path(_ path: [UInt8]) -> [UInt8] {
    Array("PATP".utf8) + little(path.count, 2) + path
  }

  package static func attributes(_ mode: Int) -> [UInt8] {
    Array("UID2".utf8) + little(501, 2) + Array("GID1".utf8) + [20] + Array("MOD2".utf8)
      + little(mode, 2) + Array("FLG1".utf8) + [0] + Array("CTMS".utf8) + little(978_307_200, 8)
      + Array("MTMS".utf8) + little(978_307_200, 8)
  }

  /// A number with the least significant byte first.
  package static func little(_ value: Int, _ width: Int) -> [UInt8] {
    (0..<width).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }

  /// The entries in a container; a block that `encode` gives nothing for is stored.
  package func container(
    _ letter: Character = "e", blockSize: Int = 1 << 20,
    encode: ([UInt8]) -> [UInt8]? = { _ in nil }
  ) -> [UInt8] {
    func big(_ value: Int) -> [UInt8] { Self.little(value, 8).reversed() }
    var bytes = Array("pbz\(letter)".utf8) + big(blockSize)
    for start in stride(from: 0, to: stream.count, by: blockSize) {
      let block = Array(stream[start..<min(start + blockSize, stream.count)])
      var payload = encode(block) ?? block
      if payload.count >= block.count { payload = block }
      bytes += big(block.count) + big(payload.count) + payload
    }
    return bytes
  }
}
