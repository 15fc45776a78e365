import AssetServer
import BAPackKit
import Faults

/// The properties of faults that users write, and of paths that clients request.
package enum ServingProperty {
  package static func violation(in bytes: [UInt8]) -> String? {
    if let text = String(validating: bytes, as: UTF8.self) {
      do throws(FaultMistake) {
        let fault = try DownloadFault(parsing: text)
        guard (try? DownloadFault(parsing: fault.description)) == fault else {
          return "a written fault is read as the same fault: \(fault)"
        }
        _ = fault.applies(to: .pack(text))
      } catch {
        if error.reason.isEmpty { return "an error has a reason" }
      }
    }
    // A pack is found only by a path with its ID.
    for packs in [["a", "cave", "a.aar", "manifest"], [String(decoding: bytes, as: UTF8.self)]] {
      guard case .pack(let id) = Route(bytes, among: { packs.contains($0.text) }) else { continue }
      guard packs.contains(id.text), bytes.count > id.text.utf8.count,
        String(decoding: bytes, as: UTF8.self).contains(id.text)
      else { return "a path leads to an existing pack: \(id)" }
    }
    return nil
  }
}
