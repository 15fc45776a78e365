import Foundation

/// Another program, whose results are compared.
package enum Peer {
  /// Returns the path of an installed program; nil if it is not installed.
  package static func path(of program: String) -> String? {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    return folders.map { "\($0)/\(program)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  /// Runs a command line in a folder, in UTF-8 and UTC, without output, and returns its exit
  /// status.
  package static func run(_ command: String, in folder: String) throws -> Int32 {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", command]
    process.currentDirectoryURL = URL(filePath: folder)
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["LC_ALL": "C.UTF-8", "TZ": "UTC"]) { $1 }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return process.terminationStatus
  }

  /// The result of a program: its exit status and both streams as text.
  package struct Answer: Sendable {
    package let status: Int32
    package let output: String
    package let errors: String
  }

  /// Runs a program with arguments and an input.
  package static func ask(
    _ program: String, _ words: [String], input: [UInt8] = []
  ) throws -> Answer {
    let folder = try TemporaryFolder()
    for name in ["output", "errors"] { try folder.makeFile(name, []) }
    try folder.makeFile("input", input)
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [program] + words
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["LC_ALL": "C.UTF-8", "TZ": "UTC"]) { $1 }
    process.standardInput = FileHandle(forReadingAtPath: folder.path("input"))
    process.standardOutput = FileHandle(forWritingAtPath: folder.path("output"))
    process.standardError = FileHandle(forWritingAtPath: folder.path("errors"))
    try process.run()
    process.waitUntilExit()
    return Answer(
      status: process.terminationStatus,
      output: String(decoding: try folder.contents("output"), as: UTF8.self),
      errors: String(decoding: try folder.contents("errors"), as: UTF8.self))
  }
}
