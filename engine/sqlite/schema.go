package sqlite

import (
	"errors"
	"fmt"
	"maps"
	"slices"
)

const readSchemaSQL = `SELECT type || ' ' || name, coalesce(sql, '') FROM sqlite_schema WHERE name NOT LIKE 'sqlite_stat%'`

// checkSchema compares the tables, indexes and whatever else is in a database
// with what its schema version has.
func checkSchema(c *conn, version int64) error {
	files, err := migrations()
	if err != nil {
		return err
	}
	pattern, err := openMemory()
	if err != nil {
		return err
	}
	defer func() { _ = pattern.close() }()
	for _, file := range files[:version] {
		if err := pattern.exec(file); err != nil {
			return err
		}
	}
	want, err := readSchema(pattern)
	if err != nil {
		return err
	}
	got, err := readSchema(c)
	if err != nil {
		return err
	}
	var findings []error
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if text, ok := got[name]; !ok {
			findings = append(findings, fmt.Errorf("schema: no %q", name))
		} else if text != want[name] {
			findings = append(findings, fmt.Errorf("schema: %q is not ours", name))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(got)) {
		if _, ok := want[name]; !ok {
			findings = append(findings, fmt.Errorf("schema: %q is not ours", name))
		}
	}
	return errors.Join(findings...)
}

// readSchema gives the text of everything in a schema.
func readSchema(c *conn) (map[string]string, error) {
	schema := make(map[string]string)
	err := c.query(readSchemaSQL, func(r row) error { schema[r.text(0)] = r.text(1); return nil })
	return schema, err
}

// checkMeta checks what a store needs beside its tables.
func checkMeta(c *conn) error {
	_, err := readSecret(c)
	for _, key := range []string{metaCopied, metaRenewed} {
		_, wrong := readNumber(c, key)
		err = errors.Join(err, wrong)
	}
	// Far beyond what can be counted up to, and no time after the year 9999.
	n, wrong := c.int("SELECT count(*) FROM queue_state WHERE number = 0 AND epoch BETWEEN 1 AND 1 << 62 AND cursor BETWEEN 1 AND 1 << 62 AND cut BETWEEN 0 AND 253402300799999")
	if wrong == nil && n != 1 {
		wrong = errors.New("the state of the store is missing or cannot be")
	}
	return errors.Join(err, wrong)
}
