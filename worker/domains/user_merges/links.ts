// Observer links between the two users of a merge are removed, because users cannot observe themselves.

import type { Database, Statement } from '../../database/open';
import { type MergeDirection, type MergePair, noteMerge, runSql, underWay } from './passing';

const kind = 'observers';

export const noteOwnLinks = (db: Database, pair: MergePair): Statement[] => [
  noteMerge(db, pair, kind, {
    key: 'json_array(t.observer_id, t.student_id)',
    before: 't.created_at',
    from: `observers t where (t.observer_id, t.student_id) in (values (${pair.source}, ${pair.destination}), (${pair.destination}, ${pair.source}))`,
  }),
];

export const passOwnLinks = (db: Database, pair: MergePair, way: MergeDirection): Statement[] => {
  const links = `select row_key ->> '$[0]', row_key ->> '$[1]'`;
  const notes = `from user_merge_items where ${underWay(pair, kind, way)}`;
  return [
    runSql(
      db,
      way === 'over'
        ? `delete from observers where (observer_id, student_id) in (${links} ${notes})`
        : `insert or ignore into observers (observer_id, student_id, created_at) ${links}, before ${notes}`,
    ),
  ];
};
