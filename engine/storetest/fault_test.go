package storetest_test

import (
	"context"
	"errors"
	"reflect"
	"testing"
	"time"

	"queues/engine"
	"queues/engine/storetest"
)

// TestFaultWithoutHooks proves that a wrapped store is still a store.
func TestFaultWithoutHooks(t *testing.T) {
	t.Parallel()
	h := restarting()
	open := h.Open
	h.Open = func(t testing.TB, dir string, clock engine.Clock, report engine.ReportFunc) engine.Store {
		return storetest.NewFault(open(t, dir, clock, report))
	}
	storetest.Run(t, h)
}

func TestFaultBeforeAndAfter(t *testing.T) {
	t.Parallel()
	model := storetest.NewModel(storetest.NewManualClock(time.Time{}), nil)
	store := storetest.NewFault(model)
	create := func(name string) error {
		_, err := store.CreateQueue(t.Context(), engine.CreateQueueParams{
			Name: engine.QueueName{Name: name}, Settings: engine.Settings{Retention: time.Hour},
		})
		return err
	}
	there := func(name string) bool {
		_, err := model.FindQueue(t.Context(), engine.QueueName{Name: name})
		return err == nil
	}

	store.Before(storetest.FailOnce("CreateQueue", engine.Unavailable))
	if err := create("before"); err == nil || engine.ErrorCode(err) != engine.Unavailable || there("before") {
		t.Errorf("a hook before: %v, queue there: %v", err, there("before"))
	}
	if err := create("before"); err != nil || !there("before") {
		t.Errorf("the second call: %v, queue there: %v", err, there("before"))
	}
	store.After(storetest.FailAll(engine.OutcomeUnknown, "CreateQueue"))
	if err := create("after"); err == nil || engine.ErrorCode(err) != engine.OutcomeUnknown || !there("after") {
		t.Errorf("a hook after: %v, queue there: %v", err, there("after"))
	}
	if err := store.Health(t.Context()); err != nil {
		t.Errorf("an operation that was not named: %v", err)
	}
	store.Before(nil)
	store.After(nil)
	if err := create("none"); err != nil {
		t.Errorf("without hooks: %v", err)
	}
}

// TestFaultNamesEveryCall calls every method of the interface that can fail and
// wants the hook to hear its name and its error to come back.
func TestFaultNamesEveryCall(t *testing.T) {
	t.Parallel()
	store := storetest.NewFault(storetest.NewModel(storetest.NewManualClock(time.Time{}), nil))
	refusal := errors.New("refused")
	var heard string
	store.Before(func(_ context.Context, op string) error {
		heard = op
		return refusal
	})
	methods := reflect.TypeFor[engine.Store]()
	for i := range methods.NumMethod() {
		name := methods.Method(i).Name
		if name == "Secret" {
			continue
		}
		method := reflect.ValueOf(store).MethodByName(name)
		var args []reflect.Value
		for j := range method.Type().NumIn() {
			args = append(args, reflect.Zero(method.Type().In(j)))
		}
		results := method.Call(args)
		err, _ := results[len(results)-1].Interface().(error)
		if heard != name || !errors.Is(err, refusal) {
			t.Errorf("%s: the hook heard %q, the answer was %v", name, heard, err)
		}
	}
}
