package load

import (
	"fmt"
	"sync/atomic"
)

// Ask is a request and what its answer must be.
type Ask struct {
	Request *Request
	judges  []Judge
}

// Judged is a request whose answer all judges must find right.
func (r *Request) Judged(judges ...Judge) Ask { return Ask{r, judges} }

// do makes the request. An answer that is not right is ErrWrong. The body is
// valid until the next exchange.
func (a Ask) do(c *Conn) (body []byte, err error) {
	body, err = c.Do(a.Request.Action, a.Request.Bytes())
	if err != nil {
		return nil, err
	}
	for _, right := range a.judges {
		if !right(a.Request, body) {
			return nil, fmt.Errorf("%w: %s: %s", ErrWrong, a.Request.Action, clip(body))
		}
	}
	return body, nil
}

// Cycles makes the asks of a cycle one after the other, again and again. A job
// is a whole cycle, so that each one is left as it was begun. The i-th connection
// has the cycle i, or shares one where there are fewer. An answer counts as one
// message.
func Cycles(cycles ...[]Ask) func(int) Job {
	return func(i int) Job {
		cycle := cycles[i%len(cycles)]
		return func(c *Conn) (int, error) {
			for _, a := range cycle {
				if _, err := a.do(c); err != nil {
					return 0, err
				}
			}
			return len(cycle), nil
		}
	}
}

// InTurn makes each ask once; a job that finds none left is ErrEmpty. What took
// does with an answer, given with the number of its ask, is done on the
// connection's time; nil for nothing.
func InTurn(asks []Ask, took func(i int, body []byte)) func(int) Job {
	var next atomic.Int64
	return func(int) Job {
		return func(c *Conn) (int, error) {
			i := int(next.Add(1)) - 1
			if i >= len(asks) {
				return 0, ErrEmpty
			}
			body, err := asks[i].do(c)
			if err != nil {
				return 0, err
			}
			if took != nil {
				took(i, body)
			}
			return 1, nil
		}
	}
}
