// The user's edits on their way to the server: stored first, sent in order for each item, never discarded.

import { randomUUID } from 'node:crypto';
import type { Hold } from '../../contract/work';
import type { Unfinished, WritingPlace } from '../../contract/writing';
import { t } from '../../language/texts';
import type { NoteJson } from '../model/resources';
import { Declined, Offline, type Session, Troubled } from '../server/session';
import type { Cache } from '../store/cache';
import { stored } from '../store/damage';
import { durably } from '../store/driver';
import type { UserStore } from '../store/user';
import { deliver, isOnce } from './deliver';
import { handIn } from './hand_in';
import {
  type ClosingBody,
  closingEntity,
  conversationEntity,
  type Deed,
  type EditBody,
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
  type NewLetterBody,
  type NoteBody,
  noteEntity,
  type ReplyBody,
  starEntity,
  type TopicBody,
  topicEntity,
  type WorkBody,
  type WorkFile,
  workEntity,
} from './intents';
import { carriesFiles, forgetFiles, isLetter, sendFiles } from './letter_files';
import { Held } from './may_hand_in';
import { bodyOf, changeOf, isEditedSince } from './note_edits';
import { finish, goOn, renumberNote, writtenAt } from './text_drafts';
import { dropDraft, keepDraft } from './work_drafts';

const mostAttempts = 8;
/** An edit on another device wins over a deletion that was made without knowing it. */
const isOverruled = ({ entity, attempts, body }: Extract<Intent, { verb: 'delete' }>, cache: Cache): boolean => {
  const there = cache.get<NoteJson>('planner_note', idOf(entity));
  return attempts === 0 && body !== null && there !== undefined && isEditedSince(bodyOf(there), body.before);
};
/** Never sent, or refused: another edit may replace it. */
const isUnheard = ({ attempts, state }: Intent): boolean => attempts === 0 || state === 'parked';

export class Outbox {
  constructor(
    private readonly user: UserStore,
    private readonly now: () => Date,
  ) {}

  pending(): readonly Intent[] {
    return this.user
      .prepare('SELECT seq, id, entity, verb, body, state, attempts, reason, hold, created_at FROM outbox ORDER BY seq')
      .all()
      .map((row) => ({ ...row, body: stored(row.body) }) as unknown as Intent);
  }

  /** A note that is created here has a negative id until the server gives it one. */
  createNote(body: NoteBody, finished?: WritingPlace): number {
    return durably(this.user.database, () => {
      const lowest = this.user.prepare('SELECT min(local_id) AS id FROM server_ids').get()?.id;
      const queued = this.pending().filter(({ verb }) => verb === 'create');
      const id = Math.min(0, Number(lowest ?? 0), ...queued.map(({ entity }) => idOf(entity))) - 1;
      this.#add(noteEntity(id), { verb: 'create', body }, finished);
      return id;
    });
  }

  /** @param known the note as the server had it when the user changed it */
  updateNote(id: number, body: NoteBody, { finished, known }: { finished?: WritingPlace; known?: NoteBody | undefined } = {}): void {
    const entity = noteEntity(this.serverId(id));
    durably(this.user.database, () => {
      const rows = this.#of(entity);
      // The new edit replaces those that were not sent or were refused; it gets a new key because its content differs.
      for (const row of rows) if (isUnheard(row)) this.#drop(row);
      if (rows.some((row) => row.verb === 'create' && isUnheard(row))) return this.#add(entity, { verb: 'create', body }, finished);
      const heard = rows.findLast((row) => !isUnheard(row) && (row.verb === 'create' || row.verb === 'update'));
      const edited = rows.find(({ verb }) => verb === 'update');
      // An edit that was sent from this desk does not count as a change by another device.
      const before = heard ? bodyOf(heard.body as NoteBody) : edited ? (edited.body as EditBody).before : known;
      this.#add(entity, { verb: 'update', body: { ...body, ...(before && { before }) } }, finished);
    });
  }

  deleteNote(given: number, known?: NoteBody): void {
    const id = this.serverId(given);
    durably(this.user.database, () => {
      const rows = this.#of(noteEntity(id));
      const isUnsent = id < 0 && rows.every(({ attempts }) => attempts === 0);
      // A note that was never sent needs no deletion on the server, and later edits of a deleted note are dropped.
      for (const row of rows) if (isUnsent || row.verb !== 'create') this.#drop(row);
      const edited = rows.find(({ verb, attempts }) => verb === 'update' && attempts === 0);
      const before = edited ? (edited.body as EditBody).before : rows.length === 0 ? known : undefined;
      if (!isUnsent) this.#add(noteEntity(id), { verb: 'delete', body: before ? { before } : null });
      else for (const row of this.#of(markEntity('planner_note', id))) this.#drop(row);
    });
  }

  mark(body: MarkBody): void {
    this.#say(markEntity(body.plannable_type, body.plannable_id), { verb: 'mark', body });
  }

  readTopic(body: TopicBody): void {
    this.#say(topicEntity(body.topic_id), { verb: 'read', body });
  }

  /** Adds to the read marks that were not sent yet. */
  readEntries(body: EntriesBody): void {
    const entity = entriesEntity(body.topic_id);
    const before = this.#of(entity).flatMap((row) => (row.verb === 'read entries' && isUnheard(row) ? row.body.entry_ids : []));
    this.#say(entity, { verb: 'read entries', body: { ...body, entry_ids: [...new Set([...before, ...body.entry_ids])] } });
  }

  /** Each reply is independent: a refused one does not delay others. */
  reply(body: ReplyBody, finished?: WritingPlace): void {
    durably(this.user.database, () => this.#add(`discussion_reply:${randomUUID()}`, { verb: 'reply', body }, finished));
  }

  write(body: LetterBody, finished?: WritingPlace): void {
    durably(this.user.database, () => this.#add(`message:${randomUUID()}`, { verb: 'write', body }, finished));
  }

  compose(body: NewLetterBody, finished?: WritingPlace): void {
    durably(this.user.database, () => this.#add(`message:${randomUUID()}`, { verb: 'compose', body }, finished));
  }

  /** The draft becomes an intent in one transaction, so that it is never in both places or in neither. */
  handIn(body: WorkBody): void {
    const entity = workEntity(body.assignment_id);
    durably(this.user.database, () => {
      if (this.#of(entity).length > 0) throw new Error(t('why.handedInWaits'));
      this.#add(entity, { verb: 'hand in', body });
      dropDraft(this.user, body.assignment_id);
    });
  }

  openConversation(id: number): void {
    this.#say(conversationEntity(id), { verb: 'open', body: { conversation_id: id } });
  }

  star(id: number, starred: boolean): void {
    this.#say(starEntity(id), { verb: 'star', body: { conversation_id: id, starred } });
  }

  /** Shares a queue with the read mark: an archived conversation counts as read. */
  archive(id: number, archived: boolean): void {
    this.#say(conversationEntity(id), { verb: 'archive', body: { conversation_id: id, archived } });
  }

  closeNotice(body: ClosingBody): void {
    this.#say(closingEntity(body.id), { verb: 'close', body });
  }

  /** Cancels an intent that was not sent, or was refused. Returns whether it was still here. */
  takeBack(id: string): boolean {
    const row = this.pending().find((intent) => intent.id === id);
    if (!row || !isUnheard(row)) return false;
    durably(this.user.database, () => {
      // Work and texts become drafts again.
      if (row.verb === 'hand in') keepDraft(this.user, row.body, this.now());
      const place = placeOf(row, this.user);
      if (place) goOn(this.user, place.at, place.words, this.now());
      this.#drop(row);
    });
    return true;
  }

  /** Tries a refused intent again; the user has seen the reason. */
  retry(id: string): boolean {
    const row = this.pending().find((intent) => intent.id === id && intent.state === 'parked');
    if (!row) return false;
    // A refused request had no effect; one that failed may have had one.
    const attempts = row.hold === 'trouble' ? 1 : 0;
    const body =
      row.verb === 'hand in' && row.hold === 'newer attempt' ? { ...row.body, known_attempt: Number.MAX_SAFE_INTEGER } : row.body;
    this.user
      .prepare("UPDATE outbox SET state = 'queued', reason = NULL, hold = NULL, attempts = ?, body = ? WHERE id = ?")
      .run(attempts, JSON.stringify(body), id);
    return true;
  }

  /** Moves an intent before another, or to the end. Refused if it would overtake another intent for the same item. */
  move(id: string, before: string | null): boolean {
    return durably(this.user.database, () => {
      const rows = this.pending();
      const from = rows.findIndex((row) => row.id === id);
      const moved = rows[from];
      const target = before === null ? rows.length : rows.findIndex((row) => row.id === before);
      if (!moved || target === -1) return false;
      const passed = from < target ? rows.slice(from + 1, target) : rows.slice(target, from);
      if (passed.some(({ entity }) => entity === moved.entity)) return false;
      const others = rows.filter((row) => row !== moved);
      const at = before === null ? others.length : others.findIndex((row) => row.id === before);
      const ordered = [...others.slice(0, at), moved, ...others.slice(at)];
      const place = this.user.prepare('UPDATE outbox SET seq = ? WHERE id = ?');
      const seqs = rows.map(({ seq }) => seq);
      // By way of unused negative positions.
      for (const [nth, row] of ordered.entries()) place.run(-1 - nth, row.id);
      for (const [nth, row] of ordered.entries()) place.run(seqs[nth] as number, row.id);
      return true;
    });
  }

  markItem(verb: 'view' | 'done' | 'undone', body: ItemBody): void {
    this.#say(itemEntity(body.item_id), { verb, body });
  }

  serverId(id: number): number {
    const row = id < 0 ? this.user.prepare('SELECT server_id FROM server_ids WHERE local_id = ?').get(id) : undefined;
    return row ? Number(row.server_id) : id;
  }

  /** Sends the queue. Returns whether anything was sent. A refused token or a lost connection ends it. */
  async send(session: Session, cache: Cache): Promise<boolean> {
    let isAnySent = false;
    const behind = new Set<string>();
    for (const queued of this.pending()) {
      // An earlier edit of the same item may just have received the server's id.
      const entity = this.#currentEntity(queued.entity);
      if (queued.state === 'parked') behind.add(entity);
      if (behind.has(entity)) continue;
      const intent = this.#asOfNow({ ...queued, entity }, cache);
      // The note that it marks is not sent yet.
      if (!intent) continue;
      if (session.isForgetful && intent.attempts > 0 && isOnce(intent)) {
        // It may have arrived, and its key cannot be used again: only the user can check.
        const { hold, message } = new Held('unsure');
        this.#keep(intent, 'parked', message, hold);
        behind.add(entity);
        continue;
      }
      const isHere = this.user
        .prepare("UPDATE outbox SET attempts = attempts + 1, body = ? WHERE id = ? AND state = 'queued'")
        .run(JSON.stringify(intent.body), intent.id).changes;
      // Taken back while others were sent.
      if (!isHere) continue;
      try {
        if (intent.verb === 'delete' && isOverruled(intent, cache)) this.#done(intent, undefined);
        else if (intent.verb === 'hand in') await handIn(intent, { session, cache, user: this.user, now: this.now });
        else if (carriesFiles(intent)) {
          await deliver(isLetter(intent) ? await sendFiles(intent, session, this.user) : intent, { session, cache, user: this.user });
          this.#done(intent, undefined);
          await forgetFiles(intent, this.user);
        } else this.#done(intent, await deliver(intent, { session, cache, user: this.user }));
        isAnySent = true;
      } catch (problem) {
        behind.add(entity);
        if ((problem instanceof Offline || problem instanceof Troubled) && problem.isUnheard && session.isForgetful)
          this.user.prepare('UPDATE outbox SET attempts = attempts - 1 WHERE id = ?').run(intent.id);
        if (!(problem instanceof Declined || problem instanceof Troubled || problem instanceof Held)) throw problem;
        const isFinal = !(problem instanceof Troubled) || intent.attempts + 1 >= mostAttempts;
        const hold = problem instanceof Held ? problem.hold : problem instanceof Declined ? 'declined' : 'trouble';
        if (isFinal && !isWord(intent)) this.#drop(intent);
        else this.#keep(intent, isFinal ? 'parked' : 'queued', problem.message, isFinal ? hold : null);
      }
    }
    return isAnySent;
  }

  /** Updates the intent with the server's id of a new note, and with changes by other devices. Undefined: it has to wait. */
  #asOfNow(intent: Intent, cache: Cache): Intent | undefined {
    if (intent.verb === 'mark' && intent.body.plannable_type === 'planner_note') {
      const plannable_id = this.serverId(intent.body.plannable_id);
      return plannable_id < 0 ? undefined : { ...intent, body: { ...intent.body, plannable_id } };
    }
    // An intent that was sent before is repeated unchanged: with its key it takes effect once.
    if (intent.verb !== 'update' || intent.attempts > 0 || !intent.body.before) return intent;
    const there = cache.get<NoteJson>('planner_note', idOf(intent.entity));
    const change = there && changeOf(intent.body, intent.body.before, bodyOf(there));
    return change ? { ...intent, body: { ...intent.body, ...change, change } } : intent;
  }

  /** Only the latest intent counts, unless the one before was sent. */
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
      renumberNote(this.user, idOf(intent.entity), serverId);
    });
  }

  #currentEntity = (entity: string): string => (isNoteEntity(entity) ? noteEntity(this.serverId(idOf(entity))) : entity);
  #of = (entity: string): Intent[] => this.pending().filter((intent) => intent.entity === entity);
  #drop = ({ id }: Pick<Intent, 'id'>): unknown => this.user.prepare('DELETE FROM outbox WHERE id = ?').run(id);
  #keep = ({ id }: Intent, state: Intent['state'], reason: string, hold: Hold | null): unknown =>
    this.user.prepare('UPDATE outbox SET state = ?, reason = ?, hold = ? WHERE id = ?').run(state, reason, hold, id);
  /** @param finished the draft that becomes this intent, removed in the same transaction */
  #add = (entity: string, { verb, body }: Deed, finished?: WritingPlace): void => {
    this.user
      .prepare('INSERT INTO outbox (id, entity, verb, body, created_at) VALUES (?, ?, ?, ?, ?)')
      .run(randomUUID(), entity, verb, JSON.stringify(body), this.now().toISOString());
    if (finished) finish(this.user, finished);
  };
}

/** The draft that a text returns to when it is taken back. */
function placeOf({ verb, body }: Intent, user: UserStore): { readonly at: WritingPlace; readonly words: Unfinished } | undefined {
  if (verb === 'reply') {
    const { course_id, topic_id: id, parent_id, text, files = [] } = body;
    return { at: { kind: 'reply', course_id, id, parent_id }, words: { text, files } };
  }
  if (verb === 'write') {
    const { conversation_id: id, text, files } = body;
    return { at: { kind: 'letter', id }, words: { text, files: unsentFiles(files) } };
  }
  if (verb !== 'compose') return undefined;
  const { recipients, subject, text, course_id, files } = body;
  const begun = { kind: 'new letter', to: [] } as const;
  // The user may have begun another text there.
  const at = writtenAt(user, begun) ? { ...begun, to: recipients.map(({ id }) => id) } : begun;
  return { at, words: { text, title: subject, to: recipients, course_id, files: unsentFiles(files) } };
}

/** Without the ids that the server gave: another message uploads them again. */
const unsentFiles = (files: readonly WorkFile[] = []): WorkFile[] => files.map(({ name, size, sha256 }) => ({ name, size, sha256 }));
