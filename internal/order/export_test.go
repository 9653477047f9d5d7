package order

// UseNumbers gives the next orders these numbers instead of random ones.
func (s *Service) UseNumbers(numbers ...int64) {
	s.number = func() int64 {
		n := numbers[0]
		numbers = numbers[1:]
		return n
	}
}
