package render

import (
	"bytes"
	"errors"
	"fmt"
	"runtime"
	"unsafe"

	"modernc.org/libc"
	"modernc.org/libquickjs"
)

// scriptName is what errors call the script, as C has its texts.
var scriptName = [...]byte{'<', 'p', 'a', 'g', 'e', '>', 0}

// errEngineMemory is returned when the engine has got no memory from the system.
var errEngineMemory = errors.New("the JavaScript engine is out of memory")

// compileScript returns the bytecode of the script. It leaves out the source that the engine otherwise stores with each
// function, and again with each function around it: that would be three fifths of the bytecode, which is held for as
// long as the program runs. Errors have their lines without it. The engine's Go package has no setting for
// that, so its C interface is called.
func compileScript(script string) ([]byte, error) {
	tls := libc.NewTLS()
	defer tls.Close()
	engine := libquickjs.XJS_NewRuntime(tls)
	if engine == 0 {
		return nil, errEngineMemory
	}
	defer libquickjs.XJS_FreeRuntime(tls, engine)
	libquickjs.XJS_SetStripInfo(tls, engine, libquickjs.MJS_STRIP_SOURCE)
	context := libquickjs.XJS_NewContext(tls, engine)
	if context == 0 {
		return nil, errEngineMemory
	}
	defer libquickjs.XJS_FreeContext(tls, context)
	source, err := libc.CString(script)
	if err != nil {
		return nil, fmt.Errorf("compile page script: %w", err)
	}
	defer libc.Xfree(tls, source)

	name := uintptr(unsafe.Pointer(&scriptName))
	compiled := libquickjs.XJS_Eval(tls, context, source, libc.Tsize_t(len(script)), name, libquickjs.MJS_EVAL_TYPE_GLOBAL|libquickjs.MJS_EVAL_FLAG_COMPILE_ONLY)
	defer libquickjs.XFreeValue(tls, context, compiled)
	if libquickjs.XJS_HasException(tls, context) != 0 {
		return nil, fmt.Errorf("compile page script: %w", takeException(tls, context))
	}
	size := new(libc.Tsize_t)
	var pinned runtime.Pinner // the engine writes to its address
	pinned.Pin(size)
	defer pinned.Unpin()
	code := libquickjs.XJS_WriteObject(tls, context, uintptr(unsafe.Pointer(size)), compiled, libquickjs.MJS_WRITE_OBJ_BYTECODE)
	if code == 0 {
		return nil, fmt.Errorf("write page script: %w", takeException(tls, context))
	}
	defer libquickjs.Xjs_free(tls, context, code)
	return bytes.Clone(libc.GoBytes(code, int(*size))), nil
}

// takeException removes the exception that the engine has raised and returns it as an error.
func takeException(tls *libc.TLS, context uintptr) error {
	exception := libquickjs.XJS_GetException(tls, context)
	defer libquickjs.XFreeValue(tls, context, exception)
	text := libquickjs.XJS_ToCStringLen2(tls, context, 0, exception, 0)
	if text == 0 {
		return errEngineMemory
	}
	defer libquickjs.XJS_FreeCString(tls, context, text)
	return errors.New(libc.GoString(text))
}
