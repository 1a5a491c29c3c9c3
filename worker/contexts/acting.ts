// Records in a batch who makes its changes, for the triggers that write audit logs. The table is empty outside of a batch.

import { sql } from 'drizzle-orm';
import type { Database, Statement } from '../database/open';
import type { Viewer } from './viewer';

interface Actor {
  readonly user_id: number;
  /** Through the browser session, or an access token. */
  readonly source: 'manual' | 'api';
  /** Whether a grader has graded without seeing names. */
  readonly graded_anonymously?: boolean | undefined;
}

/** Who makes a change; a queued job has no session. */
export type Acting = Pick<Viewer, 'id'> & Partial<Pick<Viewer, 'session'>>;

/** While masquerading, the impersonated user is the actor; the real user is recorded in `masquerades`. */
export const actorOf = ({ id, session }: Acting): Actor => ({
  user_id: id,
  source: session ? 'manual' : 'api',
});

export const actedBy = (db: Database, { user_id, source, graded_anonymously }: Actor, statements: readonly Statement[]): Statement[] => [
  db.build.run(
    sql`insert into acting (user_id, source, graded_anonymously) values (${user_id}, ${source}, ${graded_anonymously === undefined ? null : Number(graded_anonymously)})`,
  ),
  ...statements,
  db.build.run(sql`delete from acting`),
];
