// Says in a batch who makes its changes: triggers that keep an account of them look here. Outside of a batch nobody acts.

import { sql } from 'drizzle-orm';
import type { Viewer } from '../../contexts/viewer';
import type { Database, Statement } from '../../database/open';

export interface Actor {
  readonly user_id: number;
  /** By hand, in a browser's session; or by a token. */
  readonly source: 'manual' | 'api';
}

/** In another's name it is the other who acts; who was behind it stands among the masquerades. */
export const actorOf = ({ id, session }: Pick<Viewer, 'id' | 'session'>): Actor => ({
  user_id: id,
  source: session ? 'manual' : 'api',
});

export const actedBy = (db: Database, { user_id, source }: Actor, statements: readonly Statement[]): Statement[] => [
  db.build.run(sql`insert into acting (user_id, source) values (${user_id}, ${source})`),
  ...statements,
  db.build.run(sql`delete from acting`),
];
