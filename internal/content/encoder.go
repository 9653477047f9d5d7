package content

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

const (
	// jpegQuality and webpQuality are of 100.
	jpegQuality, webpQuality = 82, 82
	// avifQuality is of 100; avifLeast and avifMost are the quantizers that stand for it with an avifenc
	// that has no such scale.
	avifQuality, avifLeast, avifMost = 60, 21, 29
	// packVersion changes when the same picture would be packed in another way.
	packVersion = "1"
	// maxFailures is after how many pictures an encoder that has packed none is not tried again.
	maxFailures = 3
)

// pictureFormat is one that pictures are packed in. JPEG is encoded here; the others are optional
// and encoded by programs where they are installed.
type pictureFormat struct {
	ending  string
	quality int
	// name is the program's; empty for JPEG.
	name string
	args func(ctx context.Context, program, in, out string) []string

	program string
	packed  int // pictures
	failed  []failure
}

// failure is a picture that an encoder could not pack.
type failure struct {
	path string
	err  error
}

// newFormats returns the formats, JPEG first. find returns the path of a program by its name; a format whose
// program it does not find has none.
func newFormats(find func(name string) (string, error)) []*pictureFormat {
	formats := []*pictureFormat{
		{ending: "jpg", quality: jpegQuality},
		{ending: "webp", quality: webpQuality, name: "cwebp", args: webpArgs},
		{ending: "avif", quality: avifQuality, name: "avifenc", args: newAVIFArgs()},
	}
	for _, f := range formats {
		if !f.isExtra() {
			continue
		}
		if program, err := find(f.name); err == nil {
			f.program = program
		}
	}
	return formats
}

// isExtra reports whether the format is one beside JPEG, which every picture has.
func (f *pictureFormat) isExtra() bool { return f.name != "" }

// isUsable reports whether pictures can be packed in the format.
func (f *pictureFormat) isUsable() bool {
	return !f.isExtra() || f.program != "" && (f.packed > 0 || len(f.failed) < maxFailures)
}

// recipe returns all that determines the bytes of a variant, besides its picture.
func (f *pictureFormat) recipe(width int) string {
	return fmt.Sprintf("%s %d q%d v%s", f.ending, width, f.quality, packVersion)
}

// warning returns the warning that the encoder failed, and for how many of the total of pictures.
func (f *pictureFormat) warning(total int) Fault {
	first := f.failed[0]
	message := fmt.Sprintf("%s failed for %d of %d pictures, which go without %s: %v", f.name, len(f.failed), total, strings.ToUpper(f.ending), first.err)
	if !f.isUsable() {
		message = fmt.Sprintf("%s fails, and no picture was packed as %s: %v", f.name, strings.ToUpper(f.ending), first.err)
	}
	return Fault{File: first.path, Message: message, Warning: true}
}

// webpArgs returns the arguments of cwebp.
func webpArgs(_ context.Context, _, in, out string) []string {
	return []string{"-quiet", "-q", strconv.Itoa(webpQuality), in, "-o", out}
}

// newAVIFArgs returns the function that makes the arguments of avifenc. Before version 1 that program
// has no scale of quality, so the function reads its version, once.
func newAVIFArgs() func(ctx context.Context, program, in, out string) []string {
	var quality []string
	return func(ctx context.Context, program, in, out string) []string {
		if quality == nil {
			quality = []string{"-q", strconv.Itoa(avifQuality)}
			if isBeforeVersion1(ctx, program) {
				quality = []string{"--min", strconv.Itoa(avifLeast), "--max", strconv.Itoa(avifMost)}
			}
		}
		return append(append([]string{"--speed", "6"}, quality...), in, out)
	}
}

var avifVersion = regexp.MustCompile(`(?m)^Version: ([0-9]+)\.`)

// isBeforeVersion1 asks avifenc for its version. It returns false when the program does not say it.
func isBeforeVersion1(ctx context.Context, program string) bool {
	output, err := exec.CommandContext(ctx, program, "--version").Output()
	if err != nil {
		return false
	}
	m := avifVersion.FindSubmatch(output)
	return m != nil && string(m[1]) == "0"
}

// encodePicture runs the program on a JPEG and returns the file that it makes. The error has the
// first line of the output: some programs print pages about their options.
func (f *pictureFormat) encodePicture(ctx context.Context, body []byte) (packed []byte, err error) {
	dir, err := os.MkdirTemp("", "picture")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	in, out := filepath.Join(dir, "in.jpg"), filepath.Join(dir, "out."+f.ending)
	if err := os.WriteFile(in, body, 0o600); err != nil {
		return nil, err
	}
	//nolint:gosec // the program is one of two that are named above, the paths are our own
	output, err := exec.CommandContext(ctx, f.program, f.args(ctx, f.program, in, out)...).CombinedOutput()
	if err != nil {
		if first, _, _ := strings.Cut(strings.TrimSpace(string(output)), "\n"); first != "" {
			err = fmt.Errorf("%w: %s", err, first)
		}
		return nil, err
	}
	return os.ReadFile(out)
}
