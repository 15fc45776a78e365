@testable import BAPackKit
import Glibc
@testable import SourceDiagnostics

// Reads generated manifests and prints the time and the memory. Each process runs one scenario,
// because the peak memory of a process does not decrease:
//
//   for s in many selectors paths strings numbers errors; do ManifestBenchmark $s; done

let size = 16 << 20

func manifest(_ selectors: String, _ more: String = "") -> String {
  #"{"assetPackID": "A", "downloadPolicy": {"onDemand": {}}, "platforms": ["iOS"], "#
    + #""language": "en", "fileSelectors": [\#(selectors)]\#(more)}"#
}

/// Returns a text of nearly 16 MiB with the maximum number of pieces.
func large(_ piece: (Int) -> String, in frame: (String) -> String) -> [UInt8] {
  var text = ""
  text.reserveCapacity(size)
  let room = size - frame("").utf8.count - 64
  var number = 0
  while true {
    let next = piece(number)
    guard text.utf8.count + next.utf8.count < room else { break }
    text += next
    number += 1
  }
  return Array(frame(text).utf8)
}

/// Returns the peak memory of the process in bytes.
func peakMemory() -> Int {
  var usage = rusage()
  getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
  return usage.ru_maxrss << 10
}

let scenario = CommandLine.arguments.dropFirst().first ?? "many"
let inputs: [[UInt8]]
switch scenario {
case "many":
  inputs = (0..<1000).map { number in
    Array(
      manifest(
        (0..<100).map { #"{"file": "Level \#(number)/Textures/rock-\#($0).png"}, "# }.joined()
      )
      .utf8)
  }
case "selectors":
  inputs = [large({ #"{"file":"a\#($0)"},"# }, in: { manifest($0) })]
case "paths":
  inputs = [
    large({ #"{"file": "Levels/Level \#($0)/Textures/rock.png"},\#n"# }, in: { manifest($0) })
  ]
case "strings":
  inputs = [
    large(
      { #""\#($0) \u00e4 and some more words","# },
      in: { manifest(#"{"file": "a"}"#, #", "userInfo": {"a": [\#($0)]}"#) })
  ]
case "numbers":
  inputs = [
    large({ "\($0)," }, in: { manifest(#"{"file": "a"}"#, #", "userInfo": {"a": [\#($0)]}"#) })
  ]
case "digits":
  inputs = [
    large({ "\($0 % 10)," }, in: { manifest(#"{"file": "a"}"#, #", "userInfo": {"a": [\#($0)]}"#) })
  ]
case "brackets":
  inputs = [
    large({ _ in "[]," }, in: { manifest(#"{"file": "a"}"#, #", "userInfo": {"a": [\#($0)]}"#) })
  ]
case "keys":
  inputs = [
    large({ "a\($0):0," }, in: { manifest(#"{"file": "a"}"#, #", "userInfo": {\#($0)}"#) })
  ]
case "errors":
  inputs = [large({ _ in "@ ," }, in: { manifest($0) })]
case "quotes":
  inputs = [large({ _ in "\"\\" }, in: { manifest($0) })]
default: fatalError("no scenario '\(scenario)'")
}

let bytes = inputs.reduce(0) { $0 + $1.count }
let clock = ContinuousClock()
var findings = 0
let time = clock.measure {
  for input in inputs {
    findings += ManifestDocument(parsing: input, named: "m").findings.count
  }
}
let seconds = Double(time.components.attoseconds) / 1e18 + Double(time.components.seconds)
let peak = peakMemory()
print(
  "\(scenario): \(inputs.count) manifests, \(bytes) bytes, \(findings) findings,",
  "\(Int(seconds * 1000)) ms, peak \(peak >> 20) MiB = "
    + "\(peak * 10 / bytes / 10).\(peak * 10 / bytes % 10)",
  "times the text")
