// The outbox as it is stored: intents in their order, and the ids that the server gave to new notes.

import { randomUUID } from 'node:crypto';
import type { Hold } from '../../contract/work';
import type { WritingPlace } from '../../contract/writing';
import { stored } from '../store/damage';
import { durably } from '../store/driver';
import type { UserStore } from '../store/user';
import { entityIdOf, type Intent, type IntentAction, isNoteEntity, noteEntity } from './intents';
import { deleteTextDraft, renumberNote } from './text_drafts';

const columns = 'SELECT seq, id, entity, verb, body, state, attempts, reason, hold, created_at FROM outbox';
const intentOf = (row: Record<string, unknown>): Intent => ({ ...row, body: stored(row.body) }) as unknown as Intent;

export class IntentQueue {
  constructor(
    readonly user: UserStore,
    readonly now: () => Date,
  ) {}

  pending(): readonly Intent[] {
    return this.user.prepare(`${columns} ORDER BY seq`).all().map(intentOf);
  }

  of(entity: string): Intent[] {
    return this.user.prepare(`${columns} WHERE entity = ? ORDER BY seq`).all(entity).map(intentOf);
  }

  /** @param finished the draft that becomes this intent, removed in the same transaction */
  add(entity: string, { verb, body }: IntentAction, finished?: WritingPlace): string {
    const id = randomUUID();
    this.user
      .prepare('INSERT INTO outbox (id, entity, verb, body, created_at) VALUES (?, ?, ?, ?, ?)')
      .run(id, entity, verb, JSON.stringify(body), this.now().toISOString());
    if (finished) deleteTextDraft(this.user, finished);
    return id;
  }

  drop({ id }: Pick<Intent, 'id'>): void {
    this.user.prepare('DELETE FROM outbox WHERE id = ?').run(id);
  }

  keep({ id }: Intent, state: Intent['state'], reason: string, hold: Hold | null): void {
    this.user.prepare('UPDATE outbox SET state = ?, reason = ?, hold = ? WHERE id = ?').run(state, reason, hold, id);
  }

  /** Stores what is sent before it is sent. False: it was taken back. */
  beginAttempt({ id, body }: Intent): boolean {
    const begin = this.user.prepare("UPDATE outbox SET attempts = attempts + 1, body = ? WHERE id = ? AND state = 'queued'");
    return begin.run(JSON.stringify(body), id).changes > 0;
  }

  /** The request did not reach the server. */
  undoAttempt({ id }: Intent): void {
    this.user.prepare('UPDATE outbox SET attempts = attempts - 1 WHERE id = ?').run(id);
  }

  /** @param serverId of a new note: everything else that concerns it gets this id */
  done(intent: Intent, serverId: number | undefined): void {
    durably(this.user.database, () => {
      this.drop(intent);
      if (serverId === undefined) return;
      this.user.prepare('INSERT OR REPLACE INTO server_ids (local_id, server_id) VALUES (?, ?)').run(entityIdOf(intent.entity), serverId);
      this.user.prepare('UPDATE outbox SET entity = ? WHERE entity = ?').run(noteEntity(serverId), intent.entity);
      renumberNote(this.user, entityIdOf(intent.entity), serverId);
    });
  }

  serverId(id: number): number {
    const row = id < 0 ? this.user.prepare('SELECT server_id FROM server_ids WHERE local_id = ?').get(id) : undefined;
    return row ? Number(row.server_id) : id;
  }

  currentEntity(entity: string): string {
    return isNoteEntity(entity) ? noteEntity(this.serverId(entityIdOf(entity))) : entity;
  }
}
