package staff

// TakeHashes takes all places at which passwords are hashed. release frees them.
func (s *Service) TakeHashes() (release func()) {
	for range hashesAtOnce {
		s.hashing <- struct{}{}
	}
	return func() {
		for range hashesAtOnce {
			<-s.hashing
		}
	}
}
