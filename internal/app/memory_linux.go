package app

import (
	"bufio"
	"fmt"
	"os"
	"strings"
	"syscall"
)

// dropFilePages has the system forget the pages of the program's code and constant data, which are in the file of
// the program and are read again when they are needed: most of them only the start needs, such as all pictures of
// the demo. A part of which any page differs from the file stays as it is, because that page would be lost.
func dropFilePages() error {
	path, err := os.Executable()
	if err != nil {
		return err
	}
	parts, err := os.Open("/proc/self/smaps")
	if err != nil {
		return err
	}
	defer parts.Close()  //nolint:errcheck // only read
	var from, to uintptr // of a part of the program's file that nothing can write to; zero for any other part
	lines := bufio.NewScanner(parts)
	for lines.Scan() {
		fields := strings.Fields(lines.Text())
		const permissions, file = 1, 5
		switch {
		case len(fields) > permissions && strings.Contains(fields[0], "-"): // the next part begins
			from, to = 0, 0
			if len(fields) <= file || strings.Contains(fields[permissions], "w") || fields[file] != path {
				continue
			}
			if _, err := fmt.Sscanf(fields[0], "%x-%x", &from, &to); err != nil {
				return fmt.Errorf("read the memory map: %w", err)
			}
		case to != 0 && len(fields) > 1 && fields[0] == "Anonymous:" && fields[1] == "0":
			if _, _, failed := syscall.Syscall(syscall.SYS_MADVISE, from, to-from, syscall.MADV_DONTNEED); failed != 0 {
				return fmt.Errorf("drop pages: %w", failed)
			}
		}
	}
	return lines.Err()
}
