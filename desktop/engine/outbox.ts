// The person's own edits on their way to the server: stored first, sent in order per entity, never discarded.

import { randomUUID } from 'node:crypto';
import { deliver } from './deliver';
import {
  conversationEntity,
  type Deed,
  type EntriesBody,
  entriesEntity,
  type Intent,
  type ItemBody,
  idOf,
  isNoteEntity,
  isWord,
  itemEntity,
  type LetterBody,
  type MarkBody,
  markEntity,
  type NoteBody,
  noteEntity,
  type ReplyBody,
  type TopicBody,
  topicEntity,
} from './intents';
import { Declined, type Session, Troubled } from './remote';
import type { Cache } from './store/cache';
import { durably } from './store/driver';
import type { UserStore } from './store/user';

const mostAttempts = 8;
/** The server has not heard it, or did not take it: another word may take its place. */
const isUnheard = ({ attempts, state }: Intent): boolean => attempts === 0 || state === 'parked';

export class Outbox {
  constructor(
    private readonly user: UserStore,
    private readonly now: () => Date,
  ) {}

  pending(): readonly Intent[] {
    return this.user
      .prepare('SELECT seq, id, entity, verb, body, state, attempts, reason, created_at FROM outbox ORDER BY seq')
      .all()
      .map((row) => ({ ...row, body: JSON.parse(String(row.body)) }) as unknown as Intent);
  }

  /** A note made here has a negative id until the server has given it one. */
  createNote(body: NoteBody): number {
    return durably(this.user.database, () => {
      const lowest = this.user.prepare('SELECT min(local_id) AS id FROM server_ids').get()?.id;
      const queued = this.pending().filter(({ verb }) => verb === 'create');
      const id = Math.min(0, Number(lowest ?? 0), ...queued.map(({ entity }) => idOf(entity))) - 1;
      this.#add(noteEntity(id), { verb: 'create', body });
      return id;
    });
  }

  updateNote(id: number, body: NoteBody): void {
    const entity = noteEntity(this.serverId(id));
    durably(this.user.database, () => {
      const rows = this.#of(entity);
      // The new words replace those the server has not heard, or did not take; with a new key, since they are others.
      for (const row of rows) if (isUnheard(row)) this.#drop(row);
      this.#add(entity, { verb: rows.some((row) => row.verb === 'create' && isUnheard(row)) ? 'create' : 'update', body });
    });
  }

  deleteNote(given: number): void {
    const id = this.serverId(given);
    durably(this.user.database, () => {
      const rows = this.#of(noteEntity(id));
      const isUnsent = id < 0 && rows.every(({ attempts }) => attempts === 0);
      // What the server never heard of needs no deletion there; later edits of a deleted note are void.
      for (const row of rows) if (isUnsent || row.verb !== 'create') this.#drop(row);
      if (!isUnsent) this.#add(noteEntity(id), { verb: 'delete', body: null });
    });
  }

  mark(body: MarkBody): void {
    this.#say(markEntity(body.plannable_type, body.plannable_id), { verb: 'mark', body });
  }

  readTopic(body: TopicBody): void {
    this.#say(topicEntity(body.topic_id), { verb: 'read', body });
  }

  /** Joins what was read before and not sent yet. */
  readEntries(body: EntriesBody): void {
    const entity = entriesEntity(body.topic_id);
    const before = this.#of(entity).flatMap((row) => (row.verb === 'read entries' && isUnheard(row) ? row.body.entry_ids : []));
    this.#say(entity, { verb: 'read entries', body: { ...body, entry_ids: [...new Set([...before, ...body.entry_ids])] } });
  }

  /** Each stands by itself: one that is refused holds up no other. */
  reply(body: ReplyBody): void {
    durably(this.user.database, () => this.#add(`discussion_reply:${randomUUID()}`, { verb: 'reply', body }));
  }

  write(body: LetterBody): void {
    durably(this.user.database, () => this.#add(`message:${randomUUID()}`, { verb: 'write', body }));
  }

  openConversation(id: number): void {
    this.#say(conversationEntity(id), { verb: 'open', body: { conversation_id: id } });
  }

  /** Takes back what the server has not heard, or has refused. Returns whether it was still here. */
  takeBack(id: string): boolean {
    const row = this.pending().find((intent) => intent.id === id);
    if (!row || !isUnheard(row)) return false;
    durably(this.user.database, () => this.#drop(row));
    return true;
  }

  markItem(verb: 'view' | 'done' | 'undone', body: ItemBody): void {
    this.#say(itemEntity(body.item_id), { verb, body });
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
        this.#done(intent, await deliver(intent, session, cache));
        isAnySent = true;
      } catch (problem) {
        behind.add(entity);
        if (!(problem instanceof Declined || problem instanceof Troubled)) throw problem;
        const isFinal = problem instanceof Declined || intent.attempts + 1 >= mostAttempts;
        if (isFinal && !isWord(intent)) this.#drop(intent);
        else this.#keep(intent, isFinal ? 'parked' : 'queued', problem.message);
      }
    }
    return isAnySent;
  }

  /** Only the last word counts, as long as the server has not heard the one before. */
  #say(entity: string, deed: Deed): void {
    durably(this.user.database, () => {
      for (const row of this.#of(entity)) if (isUnheard(row)) this.#drop(row);
      this.#add(entity, deed);
    });
  }

  #done(intent: Intent, serverId: number | undefined): void {
    durably(this.user.database, () => {
      this.#drop(intent);
      if (serverId === undefined) return;
      this.user.prepare('INSERT OR REPLACE INTO server_ids (local_id, server_id) VALUES (?, ?)').run(idOf(intent.entity), serverId);
      this.user.prepare('UPDATE outbox SET entity = ? WHERE entity = ?').run(noteEntity(serverId), intent.entity);
    });
  }

  #currentEntity = (entity: string): string => (isNoteEntity(entity) ? noteEntity(this.serverId(idOf(entity))) : entity);
  #of = (entity: string): Intent[] => this.pending().filter((intent) => intent.entity === entity);
  #drop = ({ seq }: Pick<Intent, 'seq'>): unknown => this.user.prepare('DELETE FROM outbox WHERE seq = ?').run(seq);
  #keep = ({ seq }: Intent, state: Intent['state'], reason: string): unknown =>
    this.user.prepare('UPDATE outbox SET state = ?, reason = ? WHERE seq = ?').run(state, reason, seq);
  #add = (entity: string, { verb, body }: Deed): unknown =>
    this.user
      .prepare('INSERT INTO outbox (id, entity, verb, body, created_at) VALUES (?, ?, ?, ?, ?)')
      .run(randomUUID(), entity, verb, JSON.stringify(body), this.now().toISOString());
}
