"""The functions of include/franking_json.h, as a program of another language binds them."""

import json
import pathlib

import cffi

HEADER = pathlib.Path(__file__).resolve().parents[3] / "include" / "franking_json.h"


class LibraryError(Exception):
    """A function has failed. It has its status."""

    def __init__(self, status, message):
        super().__init__(message)
        self.status = status


class Library:
    """A shared library. Each function takes and returns JSON as Python's values, and raises when it fails."""

    def __init__(self, path):
        self._ffi = cffi.FFI()
        self._ffi.cdef(HEADER.read_text(encoding="utf-8"))
        self._c = self._ffi.dlopen(str(pathlib.Path(path).resolve()))

    def json(self, request):
        """Answers a request, which is the text of a JSON object."""
        return self._text(self._c.franking_json, request, len(request))

    def call_new_json(self, options, body):
        options = json.dumps(options).encode()
        call = self._ffi.new("franking_call **")
        self._run(self._c.franking_call_new_json, options, len(options), body, len(body), call)
        return call[0]

    def call_step_json(self, call):
        return self._text(self._c.franking_call_step_json, call)

    def call_answer_json(self, call, answer):
        """Gives an answer, and returns the status. A failure is not an exception: the call goes on, or has ended."""
        text = json.dumps(answer).encode()
        return self._c.franking_call_answer_json(call, text, len(text), self._ffi.NULL)

    def call_http_json(self, call, status):
        return self._text(self._c.franking_call_http_json, call, status)

    def call_free(self, call):
        self._c.franking_call_free(call)

    def _run(self, function, *arguments):
        error = self._ffi.new("franking_error **")
        status = function(*arguments, error)
        if status == 0:
            return
        message = self._ffi.string(self._c.franking_error_message(error[0])).decode()
        assert status == self._c.franking_error_status(error[0])
        self._c.franking_error_free(error[0])
        raise LibraryError(status, message)

    def _text(self, function, *arguments):
        """Runs a function that writes JSON, and reads what it has written."""
        string = self._ffi.new("franking_string **")
        self._run(function, *arguments, string)
        length = self._c.franking_string_len(string[0])
        written = self._ffi.buffer(self._c.franking_string_data(string[0]), length)[:]
        self._c.franking_string_free(string[0])
        return json.loads(written)
