import Glibc

/// The path of the file itself behind symbolic links.
///
/// Whoever replaces a file by renaming needs it: under the name of a link only the link would go.
package func realPath(of path: String) throws(SystemError) -> String {
  guard let resolved = unsafe realpath(path, nil) else {
    throw SystemError("find", path, code: errno)
  }
  defer { unsafe free(resolved) }
  return unsafe String(cString: resolved)
}
