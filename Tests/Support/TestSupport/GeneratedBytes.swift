/// Returns bytes that are functions of their indices.
///
/// In unoptimized code, `map` over a range makes the Swift runtime look up a type for each element.
/// That takes a lock, for which threads wait while they generate large inputs.
package func generatedBytes(_ count: Int, _ byte: (Int) -> UInt8) -> [UInt8] {
  var bytes = [UInt8](repeating: 0, count: count)
  var index = 0
  while index < count {
    bytes[index] = byte(index)
    index += 1
  }
  return bytes
}
