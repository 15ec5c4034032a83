package app

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What an older release wrote is served by this one.
func TestUpgrade(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../../../engine/sqlite/testdata/schema-*.db")
	if err != nil || len(files) == 0 {
		t.Fatalf("there is no older data: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".db"), func(t *testing.T) {
			t.Parallel()
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			c := onFreePorts(t)
			if err := os.MkdirAll(c.Data, 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(c.Data, "queues.db"), data, 0o600); err != nil {
				t.Fatal(err)
			}
			r := run(t, c)
			r.want(t, "ReceiveMessage", `{"QueueUrl":"purged","MaxNumberOfMessages":10}`, 200, `"Body":"after"`)
			r.want(t, "SendMessage", `{"QueueUrl":"standard","MessageBody":"new"}`, 200, "MessageId")
			if err := r.end(t); err != nil {
				t.Fatal(err)
			}
			wantExit(t, 0, "nothing wrong", "check", c.Data)
			// A copy of that time can be restored too.
			restored := filepath.Join(t.TempDir(), "restored")
			wantExit(t, 0, "restored", "restore", file, "--data", restored)
			wantExit(t, 0, "nothing wrong", "check", restored)
		})
	}
}
