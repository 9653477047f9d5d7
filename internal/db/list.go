package db

import (
	"strconv"
	"strings"
)

// ListOf returns ids as a text with a space before and behind each, empty for none. A query finds one in it
// by LIKE on both engines, which have no common array.
func ListOf(ids []int64) string {
	if len(ids) == 0 {
		return ""
	}
	var list strings.Builder
	for _, id := range ids {
		list.WriteByte(' ')
		list.WriteString(strconv.FormatInt(id, 10))
	}
	list.WriteByte(' ')
	return list.String()
}
