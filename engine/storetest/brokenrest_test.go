package storetest

import (
	"context"
	"time"

	"queues/engine"
)

// restFaults are faults in purges, expiry, counts, reports, sweeps and
// concurrency.
func restFaults() []brokenStore {
	// spare keeps some messages over a purge.
	spare := func(kept func(msg *modelMessage) bool) func(*bent) {
		return func(b *bent) {
			b.purge = func(ctx context.Context, p engine.PurgeQueueParams) error {
				var spared []*modelMessage
				b.inside(p.Queue, func(q *modelQueue) {
					for _, msg := range q.messages {
						if kept(msg) {
							spared = append(spared, msg)
						}
					}
				})
				err := b.Model.PurgeQueue(ctx, p)
				if err == nil {
					b.inside(p.Queue, func(q *modelQueue) { q.messages = append(q.messages, spared...) })
				}
				return err
			}
		}
	}
	report := func(bend func(r *engine.Report)) func(*bent) {
		return func(b *bent) {
			b.reports = func(r engine.Report) engine.Report {
				bend(&r)
				return r
			}
		}
	}
	// silent takes the promise out of the reports of one kind of call.
	silent := func(b *bent, call func() error) error {
		b.mu.Lock()
		b.quiet = true
		b.mu.Unlock()
		defer func() {
			b.mu.Lock()
			b.quiet = false
			b.mu.Unlock()
		}()
		return call()
	}
	hush := func(b *bent) {
		b.reports = func(r engine.Report) engine.Report {
			b.mu.Lock()
			defer b.mu.Unlock()
			if b.quiet {
				r.Ready = 0
			}
			return r
		}
	}
	return []brokenStore{
		{"PurgeSparesInFlight", "Purge", true, spare(func(msg *modelMessage) bool { return msg.place == inFlight })},
		{"PurgeSparesDelayed", "Purge", true, spare(func(msg *modelMessage) bool { return msg.place == delayed })},
		{"PurgeSparesReturned", "Purge", true, spare(func(msg *modelMessage) bool { return msg.place == visible && msg.receives > 0 })},
		{"PurgeTakesLaterSends", "Purge", true, func(b *bent) {
			purged := make(map[engine.QueueID]time.Time)
			b.purge = func(ctx context.Context, p engine.PurgeQueueParams) error {
				err := b.Model.PurgeQueue(ctx, p)
				b.mu.Lock()
				defer b.mu.Unlock()
				if err == nil {
					purged[p.Queue] = b.clock.Now()
				}
				return err
			}
			b.sweep = func(ctx context.Context) (engine.SweepResult, error) {
				b.mu.Lock()
				defer b.mu.Unlock()
				for id, at := range purged {
					b.inside(id, func(q *modelQueue) {
						for len(q.messages) > 0 && !q.messages[0].sent.After(at) {
							q.messages = q.messages[1:]
						}
					})
					delete(purged, id)
				}
				return b.Model.Sweep(ctx)
			}
		}},
		{"PurgeIgnoresTheCooldown", "Purge", true, func(b *bent) {
			b.purge = func(ctx context.Context, p engine.PurgeQueueParams) error {
				p.Cooldown = 0
				return b.Model.PurgeQueue(ctx, p)
			}
		}},
		{"RefusedPurgePurges", "Purge", true, func(b *bent) {
			b.purge = func(ctx context.Context, p engine.PurgeQueueParams) error {
				err := b.Model.PurgeQueue(ctx, p)
				b.inside(p.Queue, func(q *modelQueue) { q.messages = nil })
				return err
			}
		}},
		{"InFlightDoesNotExpire", "Expiry", true, func(b *bent) {
			b.receive = func(ctx context.Context, p engine.ReceiveParams) (engine.ReceiveResult, error) {
				r, err := b.Model.Receive(ctx, p)
				b.inside(p.Queue, func(q *modelQueue) {
					for _, msg := range q.messages {
						if end := msg.sent.Add(q.Retention); msg.place == inFlight && msg.due.After(end) {
							msg.sent = msg.sent.Add(msg.due.Sub(end))
						}
					}
				})
				return r, err
			}
		}},
		{"ReceiveProlongsTheRetention", "Expiry", true, func(b *bent) {
			b.receive = func(ctx context.Context, p engine.ReceiveParams) (engine.ReceiveResult, error) {
				r, err := b.Model.Receive(ctx, p)
				b.inside(p.Queue, func(q *modelQueue) {
					for _, d := range r.Messages {
						if msg := b.message(q, d.Ref); msg != nil {
							msg.sent = b.clock.Now()
						}
					}
				})
				return r, err
			}
		}},
		{"HidesUnderAnUntrustedClock", "Expiry", false, func(b *bent) {
			b.receiving(func(q *modelQueue, _ *engine.ReceiveParams) func(*engine.ReceiveResult) {
				for _, msg := range q.messages {
					if !b.clock.Now().Before(msg.sent.Add(q.Retention)) && msg.place == visible {
						msg.place, msg.due = inFlight, b.clock.Now().Add(time.Minute)
					}
				}
				return nil
			})
		}},
		{"ExpiresUnderAnUntrustedClock", "Expiry", false, func(b *bent) {
			b.sweep = func(ctx context.Context) (engine.SweepResult, error) {
				b.world.mu.Lock()
				for _, q := range b.world.queues {
					var kept []*modelMessage
					for _, msg := range q.messages {
						if !q.over(msg, b.clock.Now()) {
							kept = append(kept, msg)
						}
					}
					q.messages = kept
				}
				b.world.mu.Unlock()
				return b.Model.Sweep(ctx)
			}
		}},
		{"CountsHeldAsVisible", "Counts", true, func(b *bent) {
			b.counts = func(ctx context.Context, id engine.QueueID) (engine.Counts, error) {
				c, err := b.Model.Counts(ctx, id)
				c.Visible += c.InFlight
				return c, err
			}
		}},
		{"OldestIsTheOldestVisible", "Counts", true, func(b *bent) {
			b.counts = func(ctx context.Context, id engine.QueueID) (engine.Counts, error) {
				c, err := b.Model.Counts(ctx, id)
				if c.Visible == 0 {
					c.Oldest = time.Time{}
				}
				return c, err
			}
		}},
		{"CountsForgetExpiry", "Expiry", true, func(b *bent) {
			b.counts = func(ctx context.Context, id engine.QueueID) (engine.Counts, error) {
				var retention time.Duration
				b.inside(id, func(q *modelQueue) { retention, q.Retention = q.Retention, 1e6*time.Hour })
				c, err := b.Model.Counts(ctx, id)
				b.inside(id, func(q *modelQueue) { q.Retention = retention })
				return c, err
			}
		}},
		{"NothingReportedReady", "Reports", true, report(func(r *engine.Report) { r.Ready = 0 })},
		{"OneReportedReady", "Reports", false, report(func(r *engine.Report) { r.Ready = min(r.Ready, 1) })},
		{"NothingReportedDue", "Reports", true, report(func(r *engine.Report) { r.Due = time.Time{} })},
		{"ReportedDueTooLate", "Reports", true, report(func(r *engine.Report) {
			if !r.Due.IsZero() {
				r.Due = r.Due.Add(time.Millisecond)
			}
		})},
		{"DeletionNotReported", "Reports", true, report(func(r *engine.Report) { r.Deleted = false })},
		{"SweepReportsNothing", "Reports", false, func(b *bent) {
			hush(b)
			b.sweep = func(ctx context.Context) (r engine.SweepResult, err error) {
				err = silent(b, func() error { r, err = b.Model.Sweep(ctx); return err })
				return r, err
			}
		}},
		{"ReleaseReportsNothing", "Reports", true, func(b *bent) {
			hush(b)
			b.release = func(ctx context.Context, id engine.QueueID, refs []engine.Ref) error {
				return silent(b, func() error { return b.Model.Release(ctx, id, refs) })
			}
		}},
		{"AckReportsNoRoom", "Reports", false, func(b *bent) {
			hush(b)
			b.ack = func(ctx context.Context, p engine.AcknowledgeParams) (results []error, err error) {
				err = silent(b, func() error { results, err = b.Model.Acknowledge(ctx, p); return err })
				return results, err
			}
		}},
		{"ChangeReportsNothing", "Reports", true, func(b *bent) {
			hush(b)
			b.change = func(ctx context.Context, p engine.ChangeVisibilityParams) (results []error, err error) {
				err = silent(b, func() error { results, err = b.Model.ChangeVisibility(ctx, p); return err })
				return results, err
			}
		}},
		{"PurgeReportsNoRoom", "Reports", false, func(b *bent) {
			hush(b)
			b.purge = func(ctx context.Context, p engine.PurgeQueueParams) error {
				return silent(b, func() error { return b.Model.PurgeQueue(ctx, p) })
			}
		}},
		{"SweepNeverAnnouncesNext", "Sweep", false, func(b *bent) {
			b.sweep = func(ctx context.Context) (engine.SweepResult, error) {
				r, err := b.Model.Sweep(ctx)
				r.Next = time.Time{}
				return r, err
			}
		}},
		{"SweepAnnouncesNow", "Sweep", false, func(b *bent) {
			b.sweep = func(ctx context.Context) (engine.SweepResult, error) {
				r, err := b.Model.Sweep(ctx)
				r.Next = b.clock.Now()
				return r, err
			}
		}},
		{"SweepNeverDone", "Sweep", true, func(b *bent) {
			b.sweep = func(ctx context.Context) (engine.SweepResult, error) {
				r, err := b.Model.Sweep(ctx)
				r.More = true
				return r, err
			}
		}},
		{"TwoHolders", "Concurrent", false, func(b *bent) {
			calls := 0
			var last []engine.Delivery
			b.receive = func(ctx context.Context, p engine.ReceiveParams) (engine.ReceiveResult, error) {
				r, err := b.Model.Receive(ctx, p)
				b.mu.Lock()
				defer b.mu.Unlock()
				if calls++; calls > 25 && calls%10 == 0 && len(r.Messages) == 0 && err == nil {
					r.Messages = last[:min(len(last), p.Max)]
				}
				if len(r.Messages) > 0 {
					last = r.Messages
				}
				return r, err
			}
		}},
		{"FailureTakesItsNeighbourAlong", "Concurrent", false, func(b *bent) {
			var last *modelMessage
			b.send = func(ctx context.Context, p engine.SendParams) ([]engine.Sent, error) {
				sent, err := b.Model.Send(ctx, p)
				b.inside(p.Queue, func(q *modelQueue) {
					if n := len(q.messages); n > 0 {
						last = q.messages[n-1]
					}
				})
				return sent, err
			}
			b.update = func(ctx context.Context, p engine.UpdateQueueParams) (*engine.Queue, error) {
				q, err := b.Model.UpdateQueue(ctx, p)
				if err != nil {
					b.inside(p.Queue, func(q *modelQueue) {
						if n := len(q.messages); n > 0 && q.messages[n-1] == last {
							q.messages = q.messages[:n-1]
						}
					})
				}
				return q, err
			}
		}},
		{"EndedContextDoesTheWork", "Context", false, func(b *bent) {
			b.send = func(ctx context.Context, p engine.SendParams) ([]engine.Sent, error) {
				sent, err := b.Model.Send(context.WithoutCancel(ctx), p)
				if ctx.Err() != nil {
					return nil, ctx.Err()
				}
				return sent, err
			}
		}},
		{"EndedContextLosesTheWork", "Context", false, func(b *bent) {
			b.ack = func(ctx context.Context, p engine.AcknowledgeParams) ([]error, error) {
				if ctx.Err() != nil {
					return make([]error, len(p.Refs)), nil
				}
				return b.Model.Acknowledge(ctx, p)
			}
		}},
	}
}
