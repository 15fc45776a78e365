import Foundation
import Glibc

/// A terminal without a window: a test types into it, and reads what programs write to it.
package struct PseudoTerminal: ~Copyable {
  private let master: Int32
  /// Open for the whole test, so that typed text waits for the program.
  private let terminal: Int32
  /// The path by which a program opens the terminal.
  package let path: String

  /// The requests of `ioctl` that `unlockpt` and `ptsname` of the C library use.
  private static let (unlock, number): (UInt, UInt) = (0x4004_5431, 0x8004_5430)

  package init() throws {
    let master = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    var (isLocked, number) = (Int32(0), UInt32(0))
    guard master >= 0, unsafe ioctl(master, Self.unlock, &isLocked) == 0,
      unsafe ioctl(master, Self.number, &number) == 0
    else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    let path = "/dev/pts/\(number)"
    let terminal = unsafe open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard terminal >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    self.master = master
    self.terminal = terminal
    self.path = path
  }

  deinit {
    close(terminal)
    close(master)
  }

  /// Types text, which programs read line by line.
  package func type(_ text: String) {
    let bytes = Array(text.utf8)
    _ = unsafe bytes.withUnsafeBytes { unsafe write(master, $0.baseAddress, $0.count) }
  }

  /// Returns the text that programs have written since the last call, and the typed text.
  package func shown() -> String {
    var shown: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = unsafe piece.withUnsafeMutableBytes {
        unsafe read(master, $0.baseAddress, $0.count)
      }
      guard count > 0 else { return String(decoding: shown, as: UTF8.self) }
      shown += piece.prefix(count)
    }
  }
}
