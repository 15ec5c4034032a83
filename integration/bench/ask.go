//go:build linux

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"
)

// args are the members of a request.
type args map[string]any

// ask makes one request that is not worth the generator's care, and reads its
// answer into out, nil for nothing.
func (p *process) ask(ctx context.Context, action string, in args, out any) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	body, err := json.Marshal(in)
	if err != nil {
		return err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+p.Wire.Addr+"/", bytes.NewReader(body))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/x-amz-json-1.0")
	r.Header.Set("X-Amz-Target", "AmazonSQS."+action)
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return p.failed(err)
	}
	text, err := io.ReadAll(answer.Body)
	if err = errors.Join(err, answer.Body.Close()); err != nil {
		return err
	}
	if answer.StatusCode != http.StatusOK {
		return p.failed(fmt.Errorf("%s: status %d: %s", action, answer.StatusCode, text))
	}
	if out == nil {
		return nil
	}
	return json.Unmarshal(text, out)
}

// urls are those of queues by their names.
func (p *process) urls(ctx context.Context, names ...string) ([]string, error) {
	urls := make([]string, len(names))
	for i, name := range names {
		var found struct{ QueueUrl string } //nolint:revive // as SQS spells it
		if err := p.ask(ctx, "GetQueueUrl", args{"QueueName": name}, &found); err != nil {
			return nil, err
		}
		if urls[i] = found.QueueUrl; urls[i] == "" {
			return nil, fmt.Errorf("the answer names no queue %s", name)
		}
	}
	return urls, nil
}

// backup takes a copy of the whole store and gives its size.
func (p *process) backup(ctx context.Context) (size int64, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+p.admin+"/backup", nil)
	if err != nil {
		return 0, err
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, p.failed(err)
	}
	defer func() { err = errors.Join(err, answer.Body.Close()) }()
	if answer.StatusCode != http.StatusOK {
		return 0, p.failed(fmt.Errorf("a backup: %s", answer.Status))
	}
	size, err = io.Copy(io.Discard, answer.Body)
	if err == nil && size == 0 {
		err = errors.New("an empty backup")
	}
	return size, err
}
