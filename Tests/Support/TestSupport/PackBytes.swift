/// A pack written byte by byte from the format description, which can also be invalid.
package struct PackBytes {
  /// The entries, in order.
  package private(set) var stream: [UInt8]

  package init(stream: [UInt8] = []) { self.stream = stream }

  /// The beginning of every pack: the root and `Contents`.
  package static var beginning: PackBytes {
    var pack = PackBytes()
    pack.addFolder("")
    pack.addFolder("Contents")
    return pack
  }

  /// A small valid pack.
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

  /// Returns a manifest with selectors as JSON.
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
    add(
      type: "F", [Self.path(path), Self.attributes(mode), Self.data(contents.count)], contents)
  }

  /// Adds any entry: its fields after `TYP`, and its data.
  package mutating func add(type: Character, _ fields: [[UInt8]], _ data: [UInt8] = []) {
    stream += Self.header([Self.type(type)] + fields) + data
  }

  /// Returns the header of an entry with any fields, in any order.
  package static func header(_ fields: [[UInt8]], magic: String = "AA01") -> [UInt8] {
    let body = fields.flatMap(\.self)
    return Array(magic.utf8) + little(body.count + 6, 2) + body
  }

  /// Returns a field: three letters of its key, one of its type, and its value.
  package static func field(_ name: String, _ value: [UInt8] = []) -> [UInt8] {
    Array(name.utf8) + value
  }

  package static func type(_ type: Character) -> [UInt8] { field("TYP1", Array("\(type)".utf8)) }

  /// Returns the field with the number of bytes of contents after the header.
  package static func data(_ count: Int) -> [UInt8] { field("DATB", little(count, 4)) }

  package static func path(_ path: String) -> [UInt8] { self.path(Array(path.utf8)) }

  package static func path(_ path: [UInt8]) -> [UInt8] {
    field("PATP", little(path.count, 2) + path)
  }

  package static func attributes(_ mode: Int) -> [UInt8] {
    Array("UID2".utf8) + little(501, 2) + Array("GID1".utf8) + [20] + Array("MOD2".utf8)
      + little(mode, 2) + Array("FLG1".utf8) + [0] + Array("CTMS".utf8) + little(978_307_200, 8)
      + Array("MTMS".utf8) + little(978_307_200, 8)
  }

  /// Returns a little-endian number.
  package static func little(_ value: Int, _ width: Int) -> [UInt8] {
    generatedBytes(width) { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }

  /// Returns a big-endian number of eight bytes, as in containers.
  package static func big(_ value: Int) -> [UInt8] { little(value, 8).reversed() }

  /// Returns the beginning of a container.
  package static func containerStart(_ letter: Character = "e", blockSize: Int) -> [UInt8] {
    Array("pbz\(letter)".utf8) + big(blockSize)
  }

  /// Returns a block whose header can be inconsistent with its bytes.
  package static func block(raw: Int, stored: Int, _ payload: [UInt8] = []) -> [UInt8] {
    big(raw) + big(stored) + payload
  }

  /// Returns a container of stored blocks with the lengths of the pieces.
  package static func container(of pieces: [ArraySlice<UInt8>], blockSize: Int) -> [UInt8] {
    pieces.reduce(into: containerStart(blockSize: blockSize)) {
      $0 += block(raw: $1.count, stored: $1.count, Array($1))
    }
  }

  /// Returns the entries in a container; a block is stored if `encode` returns nil.
  package func container(
    _ letter: Character = "e", blockSize: Int = 1 << 20,
    encode: ([UInt8]) -> [UInt8]? = { _ in nil }
  ) -> [UInt8] {
    var bytes = Self.containerStart(letter, blockSize: blockSize)
    for start in stride(from: 0, to: stream.count, by: blockSize) {
      let block = Array(stream[start..<min(start + blockSize, stream.count)])
      var payload = encode(block) ?? block
      if payload.count >= block.count { payload = block }
      bytes += Self.block(raw: block.count, stored: payload.count, payload)
    }
    return bytes
  }
}
