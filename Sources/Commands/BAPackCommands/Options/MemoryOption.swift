import Arguments
import BAPackKit

/// `--memory`: the memory limit for one block, for all commands that read or write packs.
enum MemoryOption {
  static let option = option(in: .performance)
  /// The same option among the options for compression.
  static let ofPacking = option(in: .compression)

  private static func option(in group: OptionGroup) -> DefaultedOption<Int> {
    DefaultedOption(
      "memory", .byteCount(in: 1 << 20...1 << 44), called: "size", in: group,
      default: Int(PackReader.defaultMemory), shownAs: "512M",
      "Limit the memory for one block.", details: "Packs with larger blocks are errors.")
  }
}
