import CFuzzer
import Glibc
import Properties

if CommandLine.arguments.dropFirst().first == "--list" {
  for property in Property.all { print(property.name) }
} else {
  exit(Fuzzing.run())
}

/// Runs the property that the environment variable FUZZ_TARGET names, with libFuzzer.
enum Fuzzing {
  private static let property: Property = {
    let name = unsafe getenv("FUZZ_TARGET").map { unsafe String(cString: $0) } ?? ""
    guard let property = Property.all.first(where: { $0.name == name }) else {
      fatalError("FUZZ_TARGET must be one of \(Property.all.map(\.name))")
    }
    return property
  }()

  /// Calls libFuzzer, which tests the property with every input that it finds.
  ///
  /// The process ends at a violation, so that libFuzzer keeps the input.
  static func run() -> Int32 {
    var count = CommandLine.argc
    var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? =
      unsafe CommandLine.unsafeArgv
    return unsafe LLVMFuzzerRunDriver(&count, &arguments) { data, size in
      let bytes = unsafe [UInt8](UnsafeBufferPointer(start: data, count: size))
      if let violation = Fuzzing.property.violation(bytes) {
        fatalError("violated: \(violation)")
      }
      return 0
    }
  }
}
