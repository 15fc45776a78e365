/// Numbers with the least significant byte first.
extension [UInt8] {
  func word16(_ at: Int) -> UInt16 { UInt16(self[at]) | UInt16(self[at + 1]) << 8 }

  func word32(_ at: Int) -> UInt32 { UInt32(word16(at)) | UInt32(word16(at + 2)) << 16 }

  func word64(_ at: Int) -> Int {
    Int(truncatingIfNeeded: UInt64(word32(at)) | UInt64(word32(at + 4)) << 32)
  }
}
