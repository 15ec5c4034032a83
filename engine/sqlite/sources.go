package sqlite

import (
	"context"

	"queues/engine"
)

// listSourcesSQL finds queues by what their settings say, which is indexed.
const listSourcesSQL = `SELECT ` + queueColumns + ` FROM queues INDEXED BY queues_redrive
	WHERE settings ->> '$.redrive.name' IS NOT NULL AND settings ->> '$.redrive.account' = ?1
		AND settings ->> '$.redrive.region' = ?2 AND settings ->> '$.redrive.name' = ?3
		AND account = ?1 AND region = ?2 AND name > ?4 ORDER BY name LIMIT ?5`

// ListSources gives one page of the queues whose redrive names the target.
func (s *Store) ListSources(ctx context.Context, p engine.ListSourcesParams) (engine.ListQueuesResult, error) {
	if err := s.enter(ctx); err != nil {
		return engine.ListQueuesResult{}, err
	}
	defer s.calls.Done()
	limit := max(1, p.Limit)
	return s.listPage(limit, func(rd *reader) *stmt { return rd.sources },
		p.Target.Account, p.Target.Region, p.Target.Name, p.After, int64(limit)+1)
}
