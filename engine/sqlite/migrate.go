package sqlite

import (
	"crypto/rand"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"queues/engine"
)

//go:embed migrations/*.sql
var migrationFiles embed.FS

// applicationID marks a file as ours: "QUEU".
const applicationID = 0x51554555

// Both cannot be changed later without rewriting the file.
const (
	pageSize = 4096
	// autoVacuum is INCREMENTAL: the file can be made smaller in small steps.
	autoVacuum = 2
)

// identify gives the schema version of a database, zero for an empty one. One
// that is not ours or too new is refused.
func identify(c *conn) (version int64, err error) {
	files, err := migrations()
	if err != nil {
		return 0, err
	}
	id, err := c.int("PRAGMA application_id")
	if err != nil {
		return 0, err
	}
	if version, err = c.int("PRAGMA user_version"); err != nil {
		return 0, err
	}
	tables, err := c.int("SELECT count(*) FROM sqlite_schema")
	if err != nil {
		return 0, err
	}
	switch {
	case id == 0 && version == 0 && tables == 0:
		return 0, nil
	case id != applicationID:
		return 0, unusable("the data file is a database of another program: give another folder", nil)
	case version > int64(len(files)):
		return 0, &engine.Error{
			Code: engine.DataNewer,
			Text: fmt.Sprintf("the data was written by a newer version (schema %d, this version knows %d): use that version, or another folder", version, len(files)),
		}
	case version < 1:
		return 0, unusable("the data has lost its schema version: "+adviceDamaged, nil)
	}
	return version, nil
}

// migrate brings the schema to this version, and makes it in a file that is
// empty. A file that is not ours or too new is left as it is.
func migrate(c *conn) error {
	files, err := migrations()
	if err != nil {
		return err
	}
	version, err := identify(c)
	if err != nil {
		return err
	}
	if version == 0 {
		return create(c, files)
	}
	for i := version; i < int64(len(files)); i++ {
		if err := inTransaction(c, files[i], fmt.Sprintf("PRAGMA user_version = %d", i+1)); err != nil {
			return err
		}
	}
	return nil
}

// create makes the whole store in one transaction, so that a crash leaves
// either a store or an empty file.
func create(c *conn, files []string) error {
	// These take effect only while the file is empty; WAL cannot be entered
	// inside a transaction.
	if err := c.exec(fmt.Sprintf("PRAGMA page_size = %d; PRAGMA auto_vacuum = %d", pageSize, autoVacuum)); err != nil {
		return err
	}
	if err := enterWAL(c); err != nil {
		return err
	}
	var secret [32]byte
	if _, err := rand.Read(secret[:]); err != nil {
		return err
	}
	// A lost file loses only an empty store, but a half-made one must not be.
	if err := c.exec("PRAGMA synchronous = FULL"); err != nil {
		return err
	}
	return inTransaction(c, append(slices.Clone(files),
		fmt.Sprintf("INSERT INTO meta VALUES ('secret', x'%x')", secret),
		fmt.Sprintf("PRAGMA application_id = %d", applicationID),
		fmt.Sprintf("PRAGMA user_version = %d", len(files)))...)
}

// enterWAL makes a file use a write-ahead log, which it remembers.
func enterWAL(c *conn) error {
	mode, err := c.text("PRAGMA journal_mode = WAL")
	if err != nil {
		return err
	}
	if mode != "wal" {
		return fmt.Errorf("the journal mode is %q, want wal: the file system may not support shared memory", mode)
	}
	return nil
}

// inTransaction runs the statements all or none.
func inTransaction(c *conn, statements ...string) error {
	if err := c.exec("BEGIN IMMEDIATE"); err != nil {
		return err
	}
	for _, statement := range append(slices.Clone(statements), "COMMIT") {
		if err := c.exec(statement); err != nil {
			if c.inTransaction() {
				return errors.Join(err, c.exec("ROLLBACK"))
			}
			return err
		}
	}
	return nil
}

// migrations gives the scripts in their order.
func migrations() ([]string, error) {
	names, err := fs.Glob(migrationFiles, "migrations/*.sql")
	if err != nil {
		return nil, err
	}
	slices.Sort(names)
	var files []string
	for _, name := range names {
		text, err := migrationFiles.ReadFile(name)
		if err != nil {
			return nil, err
		}
		files = append(files, string(text))
	}
	return files, nil
}
