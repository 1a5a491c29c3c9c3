// Files in a user merge: the source's files become a folder among the destination's own; a split moves that folder back, including files added since.

import { sql } from 'drizzle-orm';
import type { Database, Statement } from '../../database/open';
import { rootNames } from '../files/place';
import { type MergeDirection, type MergePair, noteMerge, runSql, underWay } from './passing';

const kind = 'folders.root';
const root = rootNames.User;

const rootOf = (person: number) =>
  `(select r.id from folders r where r.context_type = 'User' and r.context_id = ${person} and r.parent_folder_id is null and r.workflow_state = 'visible')`;

export const noteFiles = (db: Database, pair: MergePair): Statement[] => [
  noteMerge(db, pair, kind, { key: 'json_array(t.id)', from: `folders t where t.id = ${rootOf(pair.source)}` }),
];

/** The folder name for the source's root; unique per source. */
const nameThere = ({ source }: MergePair) =>
  `(select 'Files of ' || substr(replace(u.name, '/', '_'), 1, 200) || ' (' || u.id || ')' from users u where u.id = ${source})`;

export function passFiles(db: Database, pair: MergePair, way: MergeDirection, now: string): Statement[] {
  const { source, destination } = pair;
  const moving = `(select row_key ->> '$[0]' from user_merge_items where ${underWay(pair, kind, way)})`;
  const of = (person: number) => `context_type = 'User' and context_id = ${person}`;
  if (way === 'over') {
    const isThere = `exists (select 1 from folders m where m.id in ${moving} and m.context_id = ${destination})`;
    return [
      runSql(
        db,
        sql`insert or ignore into folders (context_type, context_id, name, full_name, unique_type, created_at, updated_at)
          select 'User', ${destination}, ${root}, ${root}, 'root', ${now}, ${now} where exists ${sql.raw(moving)}`,
      ),
      runSql(
        db,
        `update or ignore folders set context_id = ${destination}, parent_folder_id = ${rootOf(destination)}, name = ${nameThere(pair)},
          full_name = '${root}/' || ${nameThere(pair)}, unique_type = null where id in ${moving}`,
      ),
      runSql(
        db,
        `update folders set context_id = ${destination}, unique_type = null, full_name = '${root}/' || ${nameThere(pair)} || substr(full_name, ${root.length + 1})
          where ${of(source)} and ${isThere}`,
      ),
      runSql(db, `update files set context_id = ${destination} where ${of(source)} and ${isThere}`),
    ];
  }
  const below = `with recursive below(id) as (select f.id from folders f where f.id in ${moving} and f.context_id = ${destination}
    union select f.id from folders f join below b on f.parent_folder_id = b.id) select id from below`;
  return [
    runSql(db, `update files set context_id = ${source} where ${of(destination)} and folder_id in (${below})`),
    runSql(
      db,
      `update folders set context_id = ${source}, full_name = '${root}' || substr(full_name, length((select f.full_name from folders f where f.id in ${moving})) + 1)
        where id in (${below}) and id not in ${moving}`,
    ),
    runSql(
      db,
      `update or ignore folders set context_id = ${source}, parent_folder_id = null, name = '${root}', full_name = '${root}', unique_type = 'root'
        where id in ${moving} and context_id = ${destination}`,
    ),
  ];
}
