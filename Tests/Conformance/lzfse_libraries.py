"""Our LZFSE and the reference C codec with a common interface, through ctypes."""
import ctypes
import importlib.util
import os

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
EFFORTS = ["fast", "default", "better", "best"]


def _pointer(buffer):
    return ctypes.cast(buffer, ctypes.c_void_p)


class Codec:
    """A codec for ctypes buffers. Sizes are in bytes; 0 or less: the output is too small."""

    def encode_bytes(self, data):
        source = ctypes.create_string_buffer(bytes(data), len(data) or 1)
        target = ctypes.create_string_buffer(len(data) + 64)
        size = self.encode(target, len(target), source, len(data))
        return target.raw[:size]

    def decode_bytes(self, stream, size):
        """Returns the bytes of the stream, exactly `size`; None after an error."""
        source = ctypes.create_string_buffer(bytes(stream), len(stream))
        target = ctypes.create_string_buffer(size + 1)
        count = self.decode(target, size + 1, source, len(stream))
        return target.raw[:count] if count == size else None


class Ours(Codec):
    """The library of `swift build -c release --package-path Benchmarks`."""

    def __init__(self, effort):
        path = os.environ.get(
            "LZFSE_LIBRARY", os.path.join(ROOT, "Benchmarks", ".build", "release", "libLZFSECalls.so"))
        library = ctypes.CDLL(path)
        self.name = effort
        for function, result, arguments in [
            ("ba_lzfse_new", ctypes.c_void_p, [ctypes.c_int]),
            ("ba_lzfse_free", None, [ctypes.c_void_p]),
            ("ba_lzfse_encode", ctypes.c_ssize_t, None),
            ("ba_lzfse_decode", ctypes.c_ssize_t, None),
        ]:
            call = getattr(library, function)
            call.restype = result
            call.argtypes = arguments or [
                ctypes.c_void_p, ctypes.c_void_p, ctypes.c_ssize_t, ctypes.c_void_p, ctypes.c_ssize_t]
        self._library = library
        self._codec = library.ba_lzfse_new(EFFORTS.index(effort))

    def __del__(self):
        if hasattr(self, "_codec"):
            self._library.ba_lzfse_free(self._codec)

    def encode(self, target, capacity, source, count):
        return self._library.ba_lzfse_encode(
            self._codec, _pointer(target), capacity, _pointer(source), count)

    def decode(self, target, capacity, source, count):
        return self._library.ba_lzfse_decode(
            self._codec, _pointer(target), capacity, _pointer(source), count)


class Reference(Codec):
    """The reference codec of PyPI's pyliblzfse.

    It is called directly, because the functions of the module decode repeatedly to determine sizes.
    Raises ImportError if it is not installed.
    """

    name = "reference"

    def __init__(self):
        spec = importlib.util.find_spec("liblzfse")
        if spec is None:
            raise ImportError("pyliblzfse is not installed")
        library = ctypes.CDLL(spec.origin)
        for function in ("lzfse_encode_buffer", "lzfse_decode_buffer"):
            call = getattr(library, function)
            call.restype = ctypes.c_size_t
            call.argtypes = [
                ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p]
        for function in ("lzfse_encode_scratch_size", "lzfse_decode_scratch_size"):
            getattr(library, function).restype = ctypes.c_size_t
        self._library = library
        size = max(library.lzfse_encode_scratch_size(), library.lzfse_decode_scratch_size())
        self._scratch = ctypes.create_string_buffer(size)

    def encode(self, target, capacity, source, count):
        return self._library.lzfse_encode_buffer(
            _pointer(target), capacity, _pointer(source), count, _pointer(self._scratch))

    def decode(self, target, capacity, source, count):
        return self._library.lzfse_decode_buffer(
            _pointer(target), capacity, _pointer(source), count, _pointer(self._scratch))
