import CCrypto
package import SystemIO

extension CryptoCall {
  /// Returns the content of a message with signatures (CMS), which are not verified.
  package static func contentOfSignedMessage(_ bytes: [UInt8]) throws(Failure) -> [UInt8] {
    try unsafe reading(bytes) { memory throws(Failure) in
      let message = unsafe try get("d2i_CMS_bio") { unsafe d2i_CMS_bio(memory, nil) }
      defer { unsafe CMS_ContentInfo_free(message) }
      let content = unsafe try get("CMS_get0_content") {
        unsafe CMS_get0_content(message).flatMap { unsafe $0.pointee }
      }
      let count = unsafe Int(ASN1_STRING_length(content))
      guard count > 0, let start = unsafe ASN1_STRING_get0_data(content) else { return [] }
      return unsafe Array(UnsafeBufferPointer(start: start, count: count))
    }
  }
}
