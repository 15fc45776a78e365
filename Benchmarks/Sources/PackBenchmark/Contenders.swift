import Foundation

/// The programs of a comparison: `ba-package` and the alternatives.
struct Field {
  var program: String
  var scratch: String
  /// The packer with the reference codec, if its Python module is installed.
  var reference: String?
  /// The script that removes a folder from the page cache.
  var evicting: String

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

  /// Returns the installed peers; the time of each includes writing its output to the disk.
  func peers(_ folder: String) -> [Contender] {
    let tar = "tar -C '\(folder)' -cf - ."
    var peers: [Peer] = [
      Peer("tar", "tar") { "\(tar) > '\($0)'" },
      Peer("tar-zstd-3", "zstd") { "\(tar) | zstd -q -T0 -3 > '\($0)'" },
      Peer("bsdtar-zstd", "bsdtar") { "bsdtar -C '\(folder)' --zstd -cf '\($0)' ." },
      Peer("tar-pigz", "pigz") { "\(tar) | pigz > '\($0)'" },
    ]
    if let reference {
      peers.append(Peer("reference-lzfse", "python3") { "\(reference) pack '\(folder)' '\($0)'" })
    }
    return contenders(peers)
  }

  /// Returns packing after a change of one MB in the middle of a file, and the fastest packing.
  func afterChange(in corpus: Corpus) throws -> [Contender] {
    let copy = "\(scratch)/changing"
    let cache = "\(scratch)/changing-cache"
    try run("rm -rf '\(copy)' '\(cache)' && cp -a '\(corpus.folder)' '\(copy)'")
    let name = "best-from-cache"
    var cached = ours(name, copy, "--level best --cache '\(cache)'")
    try run(cached.command + " && rm '\(cached.output)'")
    // The largest file changes, with different bytes each time.
    cached.preparation = """
      file=$(find '\(copy)' -type f -printf '%s %p\\n' | sort -n | tail -n 1 | cut -d ' ' -f 2-)
      size=$(stat -c %s "$file")
      half=$((size > 2000000 ? (size - 1000000) / 2 : 0))
      head -c 1000000 /dev/urandom |
        dd of="$file" bs=64K seek=$half oflag=seek_bytes conv=notrunc status=none
      cat "$file" > /dev/null
      """
    return [cached, ours("fast", copy, "--level fast")]
  }

  /// Returns the readers: verifying and extracting a pack, and the reference decoder for its
  /// blocks.
  ///
  /// Extracted files are kept until the end: a file system such as ext4 creates files slowly after
  /// many were removed, which would affect the measurement. Only their memory is released.
  func readers(_ corpus: Corpus) throws -> [Contender] {
    let pack = "\(scratch)/read.aar"
    let unpacked = "\(scratch)/unpacked"
    try run(
      """
      mkdir -p '\(unpacked)'
      '\(program)' pack '\(manifest)' --source-root '\(corpus.folder)' -o '\(pack)' -q --force
      """)
    let nowhere = "\(scratch)/nothing"
    let place = "\"$(mktemp -u -p '\(unpacked)')\""
    var readers = [
      Contender(name: "verify", command: "'\(program)' verify '\(pack)' -q", output: nowhere),
      Contender(
        name: "extract", command: "'\(program)' extract '\(pack)' -o \(place) -q", output: nowhere,
        preparation: "python3 '\(evicting)' '\(unpacked)'"),
      Contender(
        name: "verify-1-thread", command: "'\(program)' verify '\(pack)' -q --threads 1",
        output: nowhere),
    ]
    guard let reference else { return readers }
    let packed = "\(scratch)/read.reference"
    let seconds = "\(scratch)/seconds"
    try run("\(reference) pack '\(corpus.folder)' '\(packed)'")
    for (name, command) in [("reference-read", "read"), ("reference-unpack", "unpack")] {
      readers.append(
        Contender(
          name: name, command: "\(reference) \(command) '\(packed)' '\(seconds)'",
          output: "\(packed).raw", ownSeconds: seconds))
    }
    return readers
  }

  /// Returns the slow peers.
  func slowPeers(_ folder: String) -> [Contender] {
    contenders([
      Peer("zip", "zip") { "cd '\(folder)' && zip -q -r - . > '\($0)'" },
      Peer("7z", "7z") { output in
        "7z a -t7z -bso0 -bsp0 '\(output).7z' '\(folder)/.' && mv '\(output).7z' '\(output)'"
      },
    ])
  }

  private func contenders(_ peers: [Peer]) -> [Contender] {
    peers.filter { isInstalled($0.tool) }.map { peer in
      let output = "\(scratch)/\(peer.name).out"
      return Contender(
        name: peer.name, command: "\(peer.command(output)) && sync '\(output)'", output: output)
    }
  }
}

/// An alternative to `ba-package`.
struct Peer {
  var name: String
  /// The required program.
  var tool: String
  /// The command that writes to a path.
  var command: (String) -> String

  init(_ name: String, _ tool: String, _ command: @escaping (String) -> String) {
    self.name = name
    self.tool = tool
    self.command = command
  }
}

func isInstalled(_ tool: String) -> Bool {
  let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
  return folders.contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(tool)") }
}
