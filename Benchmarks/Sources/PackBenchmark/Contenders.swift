import Foundation

/// What takes part in a comparison: the program, and what people would use instead.
struct Field {
  var program: String
  var scratch: String
  /// The reference codec's packer, when its Python module is there.
  var reference: String?

  /// The manifest that selects a whole folder.
  var manifest: String { "\(scratch)/whole-folder.json" }

  func prepare() throws {
    try FileManager.default.createDirectory(atPath: scratch, withIntermediateDirectories: true)
    let text = """
      {
        "assetPackID": "benchmark",
        "downloadPolicy": { "onDemand": {} },
        "fileSelectors": [{ "directory": "." }],
        "platforms": ["iOS"]
      }
      """
    try Data(text.utf8).write(to: URL(filePath: manifest))
  }

  func ours(
    _ name: String, _ folder: String, _ options: String = ""
  ) -> Contender {
    let output = "\(scratch)/\(name).aar"
    return Contender(
      name: name,
      command: "'\(program)' pack '\(manifest)' --source-root '\(folder)' -o '\(output)' -q "
        + options,
      output: output)
  }

  /// The peers that are installed; each one's time includes bringing its output to the disk.
  func peers(_ folder: String) -> [Contender] {
    let tar = "tar -C '\(folder)' -cf -"
    var peers: [(name: String, tool: String, command: (String) -> String)] = [
      ("tar", "tar", { "\(tar) . > '\($0)'" }),
      ("tar-zstd-3", "zstd", { "\(tar) . | zstd -q -T0 -3 > '\($0)'" }),
      ("bsdtar-zstd", "bsdtar", { "bsdtar -C '\(folder)' --zstd -cf '\($0)' ." }),
      ("tar-pigz", "pigz", { "\(tar) . | pigz > '\($0)'" }),
      ("zip", "zip", { "cd '\(folder)' && zip -q -r - . > '\($0)'" }),
      (
        "7z", "7z",
        { "7z a -t7z -bso0 -bsp0 '\($0).7z' '\(folder)/.' && mv '\($0).7z' '\($0)'" }
      ),
    ]
    if let reference {
      peers.append(("reference-lzfse", "python3", { "\(reference) pack '\(folder)' '\($0)'" }))
    }
    return peers.filter { isInstalled($0.tool) }.map { peer in
      let output = "\(scratch)/\(peer.name).out"
      return Contender(
        name: peer.name, command: "\(peer.command(output)) && sync '\(output)'", output: output)
    }
  }
}

func isInstalled(_ tool: String) -> Bool {
  let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
  return folders.contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(tool)") }
}
