package content

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	_ "image/jpeg" // formats that a master may have
	_ "image/png"
	"strconv"

	_ "golang.org/x/image/webp"
)

// measureBody returns the size of a picture. why is empty unless the picture is refused. The pixels are
// not decoded, which would take seconds for a folder: the structure of the file shows whether it is
// whole.
func measureBody(body []byte) (width, height int, why string) {
	config, format, err := image.DecodeConfig(bytes.NewReader(body))
	switch {
	case err != nil:
		return 0, 0, "not a JPEG, PNG or WebP picture"
	case config.Width < 1 || config.Height < 1 || config.Width > maxPixels/config.Height:
		return 0, 0, "more than " + strconv.Itoa(maxPixels/1_000_000) + " million pixels"
	case !isWhole(format, body):
		return 0, 0, "the file is cut short or damaged: copy it again"
	}
	return config.Width, config.Height, ""
}

// isWhole reports whether a picture has its end. What follows the end has no meaning.
func isWhole(format string, body []byte) bool {
	switch format {
	case "jpeg":
		return isWholeJPEG(body)
	case "png":
		return isWholePNG(body)
	case "webp":
		return isWholeWebP(body)
	}
	return false
}

// The markers of a JPEG file that stand alone.
const jpegTemporary, jpegRestart0, jpegStart, jpegEnd = 0x01, 0xd0, 0xd8, 0xd9

// isWholeJPEG reports whether a JPEG has the end of its picture. It walks from marker to marker,
// because an end within a segment belongs to a small picture that is stored there.
func isWholeJPEG(body []byte) bool {
	for {
		next := bytes.IndexByte(body, 0xff)
		if next < 0 || next+1 >= len(body) {
			return false
		}
		marker := body[next+1]
		switch {
		case marker == 0xff: // filling
			body = body[next+1:]
			continue
		case marker == jpegEnd:
			return true
		case marker == 0, // a byte 0xff of the pixels
			marker == jpegTemporary, marker >= jpegRestart0 && marker <= jpegStart: // markers that stand alone
			body = body[next+2:]
			continue
		}
		body = body[next+2:]
		if len(body) < 2 {
			return false
		}
		size := int(binary.BigEndian.Uint16(body))
		if size < 2 || size > len(body) {
			return false
		}
		body = body[size:] // pixels, which may follow, have no other markers than restarts
	}
}

// isWholePNG reports whether a PNG has all chunks up to the last one, each with the right sum.
func isWholePNG(body []byte) bool {
	const signature, frame = 8, 12 // a frame is length, type and sum
	body = body[min(signature, len(body)):]
	for len(body) >= frame {
		size := uint64(binary.BigEndian.Uint32(body))
		if size+frame > uint64(len(body)) {
			return false
		}
		covered, sum := body[4:8+size], binary.BigEndian.Uint32(body[8+size:])
		if crc32.ChecksumIEEE(covered) != sum {
			return false
		}
		if string(covered[:4]) == "IEND" {
			return true
		}
		body = body[frame+size:]
	}
	return false
}

// isWholeWebP reports whether the file is as long as its head says, or longer.
func isWholeWebP(body []byte) bool {
	const head = 8
	return len(body) >= head && uint64(binary.LittleEndian.Uint32(body[4:]))+head <= uint64(len(body))
}
