/// A search for paths that occur several times, or that may be one file on a device.
///
/// It is approximate: it finds all of these paths, and rarely another one. It uses 16 to 32 bytes
/// for each path, and less time than a dictionary. Most projects contain no such path.
struct RepeatedPaths {
  private let forms: PathForms
  /// The fingerprints of the paths, in an open-addressed table; 0 is a free slot.
  private var slots: [UInt64]
  private let shift: UInt64
  /// A random factor, so that names cannot be chosen to collide.
  private let factor = UInt64.random(in: .min ... .max) | 1
  private var repeated: Set<UInt64> = []

  /// Creates a search for at most `count` paths.
  init(_ forms: PathForms, among count: Int) {
    self.forms = forms
    let bits = max(4, Int.bitWidth - count.leadingZeroBitCount + 1)
    slots = Array(repeating: 0, count: 1 << bits)
    shift = UInt64(64 - bits)
  }

  /// Whether no path occurred several times.
  var isEmpty: Bool { repeated.isEmpty }

  mutating func add(_ path: AssetPath) {
    let hash = hash(path)
    var slot = Int((hash &* factor) >> shift)
    while slots[slot] != 0 {
      if slots[slot] == hash {
        repeated.insert(hash)
        return
      }
      slot = (slot + 1) & (slots.count - 1)
    }
    slots[slot] = hash
  }

  /// Returns whether a path, or one that may be the same file, was added several times.
  func contains(_ path: AssetPath) -> Bool {
    !repeated.isEmpty && repeated.contains(hash(path))
  }

  /// Removes all paths that occurred once, to save memory.
  mutating func finish() { slots = [] }

  private func hash(_ path: AssetPath) -> UInt64 { max(1, forms.fingerprint(of: path)) }
}
