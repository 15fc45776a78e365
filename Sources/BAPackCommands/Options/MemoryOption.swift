import Arguments
import BAPackKit

/// `--memory`: the most memory that one block may take, for all commands that read or write packs.
enum MemoryOption {
  static let option = DefaultedOption(
    "memory", .byteCount(in: 1 << 20...1 << 44), called: "size",
    default: Int(PackReader.defaultMemory), shownAs: "512M",
    "How much memory one block may take; packs whose blocks take more are refused.")
}
