package load

// Memory is what a process holds in RAM, in bytes.
type Memory struct {
	// Resident is VmRSS; Anonymous the part of it that is no file's.
	Resident, Anonymous int64
}
