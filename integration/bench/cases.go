//go:build linux

package main

import (
	"context"
	"regexp"
	"slices"
)

// The names of the rows, for -run.
const (
	rowSendRate     = "send-rate"
	rowSendCPU      = "send-cpu"
	rowSendInstant  = "send-instant"
	rowSendOne      = "send-one"
	rowSigned       = "signed"
	rowSendBatch    = "send-batch"
	rowReceiveBatch = "receive-batch"
	rowDeleteBatch  = "delete-batch"
	rowLatency      = "latency"
	rowDepth        = "depth"
	rowMemory       = "memory"
	rowQueues       = "queues"
	rowFIFO         = "fifo"
	rowGrouped      = "grouped"
	rowLocked       = "locked"
	rowPollCPU      = "poll-cpu"
	rowPollMemory   = "poll-memory"
	rowWakeUp       = "wake-up"
	rowStart        = "start"
	rowIdle         = "idle"

	rowDeepSend     = "deep-send"
	rowDeepReceive  = "deep-receive"
	rowDeepDelete   = "deep-delete"
	rowDeepMemory   = "deep-memory"
	rowDeepStart    = "deep-start"
	rowManyQueues   = "many-queues"
	rowManyCounts   = "many-counts"
	rowManyList     = "many-list"
	rowManyMemory   = "many-memory"
	rowManyFIFO     = "many-fifo-groups"
	rowManyFair     = "many-fair-groups"
	rowManyDelayed  = "many-delayed"
	rowManyInFlight = "many-in-flight"
	rowManyHeld     = "many-held-memory"
	rowCheckpoint   = "checkpoint"
	rowBesideBackup = "beside-backup"
	rowBesidePurge  = "beside-purge"
	rowBesideDelete = "beside-delete"
	rowBesideExpiry = "beside-expiry"
	rowBesideDrain  = "beside-drain"
)

// benchCase measures one or several rows with the same servers.
type benchCase struct {
	title string
	rows  []string
	run   func(b *bench, ctx context.Context) error
}

// cases are in the order of the table.
var cases = []benchCase{
	{"single sends under load", []string{rowSendRate, rowSendCPU, rowSendInstant}, (*bench).sendLoad},
	{"single sends on one connection", []string{rowSendOne}, (*bench).sendOne},
	{"signed sends", []string{rowSigned}, (*bench).signedSends},
	{"sends by ten", []string{rowSendBatch}, (*bench).sendBatches},
	{"receives and deletes by ten", []string{rowReceiveBatch, rowDeleteBatch}, (*bench).settleBatches},
	{"latencies", []string{rowLatency}, (*bench).latency},
	{"backlog", []string{rowDepth, rowMemory}, (*bench).backlog},
	{"the deepest backlog", []string{rowDeepSend, rowDeepReceive, rowDeepDelete, rowDeepMemory, rowDeepStart}, (*bench).veryDeep},
	{"many busy queues", []string{rowQueues}, (*bench).busyQueues},
	{"very many queues", []string{rowManyQueues, rowManyCounts, rowManyList, rowManyMemory}, (*bench).veryManyQueues},
	{"groups", []string{rowFIFO, rowGrouped}, (*bench).groups},
	{"a locked group", []string{rowLocked}, (*bench).lockedGroup},
	{
		"groups, delayed messages and messages in flight that stand",
		[]string{rowManyFIFO, rowManyFair, rowManyDelayed, rowManyInFlight, rowManyHeld},
		(*bench).standingState,
	},
	{"checkpoints", []string{rowCheckpoint}, (*bench).checkpoints},
	{"a neighbour of big jobs", []string{rowBesideBackup, rowBesidePurge, rowBesideDelete, rowBesideExpiry, rowBesideDrain}, (*bench).neighbours},
	{"idle long polls", []string{rowPollCPU, rowPollMemory}, (*bench).idlePolls},
	{"wake-up of a long poll", []string{rowWakeUp}, (*bench).wakeUp},
	{"start", []string{rowStart}, (*bench).start},
	{"idle server", []string{rowIdle}, (*bench).idle},
}

// chosen says whether run matches one of the rows.
func (c benchCase) chosen(run *regexp.Regexp) bool {
	return run == nil || slices.ContainsFunc(c.rows, run.MatchString)
}
