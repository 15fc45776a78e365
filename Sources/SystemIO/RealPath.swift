import Glibc

/// The path of the file itself behind symbolic links.
///
/// Whoever replaces a file by renaming needs it: under the name of a link only the link would go.
package func realPath(of path: String) throws(Failure) -> String {
  var resolved: UnsafeMutablePointer<CChar>?
  let found = unsafe FilePath(path).withCString { path in
    unsafe resolved = realpath(path, nil)
    return unsafe resolved == nil ? Int32(-1) : 0
  }
  defer { unsafe free(resolved) }
  guard found == 0, let resolved = unsafe resolved else {
    throw Failure(.find, path, code: errno)
  }
  return unsafe FilePath(UnsafeRawBufferPointer(start: resolved, count: strlen(resolved))).text
}
