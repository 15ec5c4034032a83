package engine

import "testing"

// BenchmarkHandle makes and opens a receipt handle as long as the store's.
func BenchmarkHandle(b *testing.B) {
	s := newSealer([32]byte{1})
	ref := Ref("queue-epoch-sequence-and-stamp..")
	handle := s.seal(ref)
	forged := handle[:len(handle)-4] + "AAAA"
	b.Run("Mint", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			s.seal(ref)
		}
	})
	b.Run("Open", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := s.open(handle); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("Refuse", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := s.open(forged); err == nil {
				b.Fatal("a forged handle is taken")
			}
		}
	})
}
