package main

import (
	"fmt"
	"os"
	"reflect"
	"strings"
)

var (
	endpoint = os.Getenv("QUEUES_ENDPOINT")
	body     = os.Getenv("QUEUES_BODY")
)

// exit is the exit status of the script.
var exit = 0

// step runs one step: its error, or a panic with one, is its failure, and the
// next step runs.
func step(name string, run func()) {
	defer func() {
		switch why := recover().(type) {
		case nil:
			fmt.Println("ok", name)
		case skip:
			fmt.Printf("skip %s: %s\n", name, string(why))
		default:
			exit = 1
			fmt.Printf("not ok %s: %s\n", name, strings.Join(strings.Fields(fmt.Sprint(why)), " "))
		}
	}()
	run()
}

// skip is what a step panics with that the client cannot say.
type skip string

// must gives a value, and ends the step if there is an error.
func must[T any](v T, err error) T {
	check(err)
	return v
}

// check ends the step if there is an error.
func check(err error) {
	if err != nil {
		panic(err)
	}
}

// same ends the step unless both are equal.
func same(what string, got, want any) {
	if !reflect.DeepEqual(got, want) {
		panic(fmt.Sprintf("%s: got %#v, want %#v", what, got, want))
	}
}

// bytes256 has every byte once.
func bytes256() []byte {
	b := make([]byte, 256)
	for i := range b {
		b[i] = byte(i)
	}
	return b
}
