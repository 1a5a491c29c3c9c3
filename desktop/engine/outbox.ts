// The person's own edits on their way to the server: stored first, sent in order per entity, never discarded.

import { randomUUID } from 'node:crypto';
import { Declined, type Session, Troubled } from './remote';
import type { NoteJson, OverrideJson } from './resources';
import type { Cache } from './store/cache';
import { durably } from './store/driver';
import type { UserStore } from './store/user';

export type Verb = 'create' | 'update' | 'delete' | 'mark';

export interface NoteBody {
  readonly title: string;
  readonly details: string | null;
  readonly todo_date: string;
  readonly course_id: number | null;
}

export interface MarkBody {
  readonly plannable_type: string;
  readonly plannable_id: number;
  readonly marked_complete: boolean;
}

export interface Intent {
  readonly seq: number;
  /** Also its idempotency key: sent twice it happens once. */
  readonly id: string;
  readonly entity: string;
  readonly verb: Verb;
  readonly body: NoteBody | MarkBody | null;
  /** `parked`: the server said no, or has failed too often. The text stays here, with the reason. */
  readonly state: 'queued' | 'parked';
  readonly attempts: number;
  readonly reason: string | null;
}

const mostAttempts = 8;
export const noteEntity = (id: number): string => `planner_note:${id}`;
export const markEntity = (type: string, id: number): string => `planner_override:${type}:${id}`;

export class Outbox {
  constructor(
    private readonly user: UserStore,
    private readonly now: () => Date,
  ) {}

  pending(): readonly Intent[] {
    return this.user
      .prepare('SELECT seq, id, entity, verb, body, state, attempts, reason FROM outbox ORDER BY seq')
      .all()
      .map((row) => ({ ...row, body: JSON.parse(String(row.body)) }) as unknown as Intent);
  }

  /** A note made here has a negative id until the server has given it one. */
  createNote(body: NoteBody): number {
    return durably(this.user.database, () => {
      const lowest = this.user.prepare('SELECT min(local_id) AS id FROM server_ids').get()?.id;
      const queued = this.pending().filter(({ verb }) => verb === 'create');
      const id = Math.min(0, Number(lowest ?? 0), ...queued.map(({ entity }) => idOf(entity))) - 1;
      this.#add(noteEntity(id), 'create', body);
      return id;
    });
  }

  updateNote(id: number, body: NoteBody): void {
    const entity = noteEntity(this.serverId(id));
    durably(this.user.database, () => {
      const rows = this.#of(entity);
      const isUnheard = ({ attempts, state }: Intent) => attempts === 0 || state === 'parked';
      // The new words replace those the server has not heard, or did not take; with a new key, since they are others.
      for (const row of rows) if (isUnheard(row)) this.#drop(row);
      this.#add(entity, rows.some((row) => row.verb === 'create' && isUnheard(row)) ? 'create' : 'update', body);
    });
  }

  deleteNote(given: number): void {
    const id = this.serverId(given);
    durably(this.user.database, () => {
      const rows = this.#of(noteEntity(id));
      const isUnsent = id < 0 && rows.every(({ attempts }) => attempts === 0);
      // What the server never heard of needs no deletion there; later edits of a deleted note are void.
      for (const row of rows) if (isUnsent || row.verb !== 'create') this.#drop(row);
      if (!isUnsent) this.#add(noteEntity(id), 'delete', null);
    });
  }

  /** Only the last word counts, as long as the server has not heard the one before. */
  mark(body: MarkBody): void {
    const entity = markEntity(body.plannable_type, body.plannable_id);
    durably(this.user.database, () => {
      for (const row of this.#of(entity)) if (row.attempts === 0 || row.state === 'parked') this.#drop(row);
      this.#add(entity, 'mark', body);
    });
  }

  serverId(id: number): number {
    const row = id < 0 ? this.user.prepare('SELECT server_id FROM server_ids WHERE local_id = ?').get(id) : undefined;
    return row ? Number(row.server_id) : id;
  }

  /** Sends what is queued. Returns whether anything was sent. A refused token or a lost network ends it. */
  async send(session: Session, cache: Cache): Promise<boolean> {
    let isAnySent = false;
    const behind = new Set<string>();
    for (const queued of this.pending()) {
      // An earlier edit of the same thing may just have got the server's id.
      const entity = this.#currentEntity(queued.entity);
      if (queued.state === 'parked') behind.add(entity);
      if (behind.has(entity)) continue;
      const intent = { ...queued, entity };
      this.user.prepare('UPDATE outbox SET attempts = attempts + 1 WHERE seq = ?').run(intent.seq);
      try {
        await this.#sendOne(intent, session, cache);
        isAnySent = true;
      } catch (problem) {
        behind.add(entity);
        if (!(problem instanceof Declined || problem instanceof Troubled)) throw problem;
        const isFinal = problem instanceof Declined || intent.attempts + 1 >= mostAttempts;
        this.user
          .prepare('UPDATE outbox SET state = ?, reason = ? WHERE seq = ?')
          .run(isFinal ? 'parked' : 'queued', problem.message, intent.seq);
      }
    }
    return isAnySent;
  }

  async #sendOne(intent: Intent, session: Session, cache: Cache): Promise<void> {
    const headers = { 'idempotency-key': intent.id };
    if (intent.verb === 'mark') {
      const { plannable_type, plannable_id, marked_complete } = intent.body as MarkBody;
      const known = cache.all<OverrideJson>('planner_override').find(isOf(plannable_type, plannable_id));
      const override = known
        ? await session.json<OverrideJson>(`/api/v1/planner/overrides/${known.id}`, {
            method: 'PUT',
            headers,
            json: { marked_complete, dismissed: known.dismissed ?? false },
          })
        : await session.json<OverrideJson>('/api/v1/planner/overrides', { method: 'POST', headers, json: intent.body });
      cache.put('planner_override', override.id, { ...override });
      return this.#done(intent);
    }
    const id = idOf(intent.entity);
    if (intent.verb === 'create') {
      const note = await session.json<NoteJson>('/api/v1/planner_notes', { method: 'POST', headers, json: given(intent.body) });
      cache.put('planner_note', note.id, { ...note });
      return this.#done(intent, { localId: id, serverId: note.id });
    }
    const path = `/api/v1/planner_notes/${id}`;
    if (intent.verb === 'update') {
      const note = await session.json<NoteJson>(path, { method: 'PUT', headers, json: { ...(intent.body as NoteBody) } });
      cache.put('planner_note', note.id, { ...note });
    } else {
      await session.ask(path, { method: 'DELETE', headers }).catch((problem: unknown) => {
        // Gone already: that is what was asked for.
        if (!(problem instanceof Declined && problem.status === 404)) throw problem;
      });
      cache.put('planner_note', id, undefined);
    }
    this.#done(intent);
  }

  #done(intent: Intent, ids?: { readonly localId: number; readonly serverId: number }): void {
    durably(this.user.database, () => {
      this.#drop(intent);
      if (!ids) return;
      this.user.prepare('INSERT OR REPLACE INTO server_ids (local_id, server_id) VALUES (?, ?)').run(ids.localId, ids.serverId);
      this.user.prepare('UPDATE outbox SET entity = ? WHERE entity = ?').run(noteEntity(ids.serverId), noteEntity(ids.localId));
    });
  }

  #currentEntity(entity: string): string {
    return entity.startsWith('planner_note:') ? noteEntity(this.serverId(idOf(entity))) : entity;
  }

  #of = (entity: string): Intent[] => this.pending().filter((intent) => intent.entity === entity);
  #drop = ({ seq }: Pick<Intent, 'seq'>): unknown => this.user.prepare('DELETE FROM outbox WHERE seq = ?').run(seq);
  #add(entity: string, verb: Verb, body: NoteBody | MarkBody | null): void {
    this.user
      .prepare('INSERT INTO outbox (id, entity, verb, body, created_at) VALUES (?, ?, ?, ?, ?)')
      .run(randomUUID(), entity, verb, JSON.stringify(body), this.now().toISOString());
  }
}

export const isOf =
  (type: string, id: number) =>
  (override: OverrideJson): boolean =>
    override.plannable_type === type && override.plannable_id === id && override.workflow_state !== 'deleted';

const idOf = (entity: string): number => Number(entity.split(':')[1]);

/** An absent course is left out: the server reads null as a course that does not exist. */
const given = (body: Intent['body']): unknown => Object.fromEntries(Object.entries(body ?? {}).filter(([, value]) => value !== null));
