"""An ONNX model whose weights stay in its file.

Read from bytes, a model's weights are the private memory of every process that uses it. Here the
graph is written anew with each large weight named by its place in the file it came from, so that
the runtime maps them and all processes share one copy. Only the few fields of the format that this
takes are known here: a model's graph, a graph's initializers, a tensor's bytes."""

from __future__ import annotations

from collections.abc import Iterator
from mmap import mmap
from typing import NamedTuple

LEAST_BYTES = 4096  # smaller weights are not worth a mapping
_GRAPH = 7  # of a model
_INITIALIZER, _OUTPUT = 5, 12  # of a graph
_OF_FLOATS = b"\x0a\x02\x08\x01"  # a type: tensor, whose elements are floats
_RAW_DATA, _EXTERNAL_DATA, _DATA_LOCATION = 9, 13, 14  # of a tensor
_MESSAGE = 2  # how a message, a text or bytes are marked on the wire
_EXTERNAL = 1


Bytes = bytes | mmap


class _Field(NamedTuple):
    """One field of a message: its number, where it is whole, and where its content is."""

    number: int
    begins: int
    content: int
    ends: int


def mapped_model(model: Bytes, file_name: str, also: str = "") -> bytes:
    """`model`, the content of the file of that name, with its large weights left in the file and
    its inner result `also` told as one more output. Raises ValueError for what is no ONNX model."""
    written = bytearray()
    for field in _fields(model, 0, len(model)):
        if field.number == _GRAPH:
            told = _message(1, also.encode()) + _message(2, _OF_FLOATS)
            output = _message(_OUTPUT, told) if also else b""
            written += _message(_GRAPH, _mapped_graph(model, field, file_name) + output)
        else:
            written += model[field.begins : field.ends]
    return bytes(written)


def _mapped_graph(model: Bytes, graph: _Field, file_name: str) -> bytes:
    written = bytearray()
    for field in _fields(model, graph.content, graph.ends):
        if field.number == _INITIALIZER:
            written += _message(_INITIALIZER, _mapped_tensor(model, field, file_name))
        else:
            written += model[field.begins : field.ends]
    return bytes(written)


def _mapped_tensor(model: Bytes, tensor: _Field, file_name: str) -> bytes:
    written, raw = bytearray(), None
    for field in _fields(model, tensor.content, tensor.ends):
        if field.number == _RAW_DATA and field.ends - field.content >= LEAST_BYTES:
            raw = field
        else:
            written += model[field.begins : field.ends]
    if raw is None:
        return bytes(written)
    place = {
        "location": file_name,
        "offset": str(raw.content),
        "length": str(raw.ends - raw.content),
    }
    for name, value in place.items():
        entry = _message(1, name.encode()) + _message(2, value.encode())
        written += _message(_EXTERNAL_DATA, entry)
    return bytes(written + _number(_DATA_LOCATION << 3) + _number(_EXTERNAL))


def _fields(model: Bytes, at: int, end: int) -> Iterator[_Field]:
    while at < end:
        begins = at
        tag, at = _read_number(model, at)
        match tag & 7:
            case 0:
                content, at = at, _read_number(model, at)[1]
            case 1:
                content, at = at, at + 8
            case 2:
                size, content = _read_number(model, at)
                at = content + size
            case 5:
                content, at = at, at + 4
            case other:
                raise ValueError(f"wire type {other} at byte {begins}")
        if at > end:
            raise ValueError(f"a field at byte {begins} is longer than its message")
        yield _Field(tag >> 3, begins, content, at)


def _read_number(model: Bytes, at: int) -> tuple[int, int]:
    number = shift = 0
    while True:
        if at >= len(model):
            raise ValueError("it ends within a number")
        byte = model[at]
        at += 1
        number |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return number, at


def _number(value: int) -> bytes:
    written = bytearray()
    while value > 0x7F:
        written.append(value & 0x7F | 0x80)
        value >>= 7
    written.append(value)
    return bytes(written)


def _message(number: int, content: bytes) -> bytes:
    return _number(number << 3 | _MESSAGE) + _number(len(content)) + content
