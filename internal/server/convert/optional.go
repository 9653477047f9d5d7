package convert

// OrNil returns nil for the zero value, so that the field stays out of the answer.
func OrNil[T comparable](v T) *T {
	var zero T
	if v == zero {
		return nil
	}
	return &v
}

// ValueOf returns the value of an optional field of a request, the zero value where it is absent.
func ValueOf[T any](p *T) (value T) {
	if p != nil {
		value = *p
	}
	return value
}

// OrOne returns the count, or one when it is absent.
func OrOne(count *int) int {
	if count == nil {
		return 1
	}
	return *count
}
