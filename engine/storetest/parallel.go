package storetest

import "sync"

// parallel runs work in n goroutines, started together, and fails the test with
// each error that one of them gives.
func (e *env) parallel(n int, work func(worker int) error) {
	e.t.Helper()
	var wg sync.WaitGroup
	start := make(chan struct{})
	errs := make([]error, n)
	for i := range n {
		wg.Go(func() {
			<-start
			errs[i] = work(i)
		})
	}
	close(start)
	wg.Wait()
	for i, err := range errs {
		if err != nil {
			e.t.Errorf("goroutine %d: %v", i, err)
		}
	}
}
