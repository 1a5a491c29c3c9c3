// The rows of `live_users` of one object. One batch is sent at a time, so that rows follow the sockets in order; users who come or go meanwhile share
// the next batch: after a deployment thousands of clients reconnect at once.

import { wireTime } from '@carrel/shared/wire/fields';
import { sql } from 'drizzle-orm';
import { afterResponses, type Database, open, type Statement } from '../database/open';

const insert = (db: Database, users: readonly number[], object: number): Statement =>
  db.build.run(sql`insert into live_users (user_id, object, connected_at)
    select value, ${object}, ${wireTime(Date.now())} from json_each(${JSON.stringify(users)}) where true
    on conflict (user_id) do update set object = excluded.object, connected_at = excluded.connected_at where object <> excluded.object`);

const removeListed = (db: Database, users: readonly number[], object: number): Statement =>
  db.build.run(sql`delete from live_users where user_id in (select value from json_each(${JSON.stringify(users)})) and object = ${object}`);

const removeOthers = (db: Database, users: readonly number[], object: number): Statement =>
  db.build.run(
    sql`delete from live_users where object = ${object} and user_id not in (select value from json_each(${JSON.stringify(users)}))`,
  );

export class ConnectedUsers {
  readonly #changed = new Set<number>();
  #last: Promise<unknown> = Promise.resolve();
  #next: Promise<void> | undefined;

  constructor(
    private readonly d1: D1Database,
    private readonly isConnected: (user: number) => boolean,
  ) {}

  /** Writes whether the user is connected. */
  changed(user: number, object: number): Promise<void> {
    this.#changed.add(user);
    this.#next ??= this.#inOrder(() => this.#write(object));
    return this.#next;
  }

  /** Makes these users the only ones of the object. */
  replaceAll(users: readonly number[], object: number): Promise<void> {
    return this.#inOrder(async () => {
      const db = this.#open();
      await db.perform([insert(db, users, object), removeOthers(db, users, object)]);
    });
  }

  #inOrder(work: () => Promise<void>): Promise<void> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  async #write(object: number): Promise<void> {
    this.#next = undefined;
    const users = [...this.#changed];
    this.#changed.clear();
    const [here, gone] = [users.filter((user) => this.isConnected(user)), users.filter((user) => !this.isConnected(user))];
    const db = this.#open();
    await db.perform([
      ...(here.length > 0 ? [insert(db, here, object)] : []),
      ...(gone.length > 0 ? [removeListed(db, gone, object)] : []),
    ]);
  }

  readonly #open = (): Database => open(this.d1, afterResponses, 'first-primary');
}
