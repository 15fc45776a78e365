// Reports contain findings, paths and times, so clients of the library can use these types without
// another import.
@_exported public import SourceDiagnostics
@_exported public import struct SystemIO.FilePath
@_exported public import struct SystemIO.Moment
