import CFuzzer
import Glibc

/// Something that is fed with arbitrary bytes and stops the process when a property does not hold.
struct FuzzTarget: Sendable {
  /// What `Fuzz/run` and the folder of found inputs, Tests/Corpus/NAME, call it.
  let name: String
  let run: @Sendable ([UInt8]) -> Void

  static let all: [FuzzTarget] = [
    json,
    manifest,
    language,
    lzfseDecode,
    lzfseRoundTrip,
    packRead,
    packBlock,
    packExtract,
    packWalk,
    names,
    downloadManifest,
    infoPlist,
    publicationRecord,
    requestHead,
    faultText,
    hostName,
    certificate,
    keyValues,
    steamScript,
    propertyList,
    onDemandProject,
    scenario,
    appStoreDocument,
    appStoreText,
  ]

  /// The one that FUZZ_TARGET names.
  static let chosen: FuzzTarget = {
    let name = unsafe getenv("FUZZ_TARGET").map { unsafe String(cString: $0) } ?? ""
    guard let target = all.first(where: { $0.name == name }) else {
      fatalError("FUZZ_TARGET is none of \(all.map(\.name))")
    }
    return target
  }()

  /// Hands over to libFuzzer.
  static func main() -> Int32 {
    var count = CommandLine.argc
    var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? =
      unsafe CommandLine.unsafeArgv
    return unsafe LLVMFuzzerRunDriver(&count, &arguments) { data, size in
      let bytes = unsafe [UInt8](UnsafeBufferPointer(start: data, count: size))
      FuzzTarget.chosen.run(bytes)
      return 0
    }
  }
}

/// Stops the process, so that libFuzzer keeps the input.
func require(_ condition: Bool, _ property: @autoclosure () -> String) {
  if !condition { fatalError("does not hold: \(property())") }
}
