// The user's edits on their way to the server: stored first, sent in order for each item, never discarded.

import { randomUUID } from 'node:crypto';
import type { AuthoredPlace, AuthoredText } from '../../contract/authoring';
import type { Unfinished, WritingPlace } from '../../contract/writing';
import { t } from '../../language/texts';
import type { GradeBody } from '../grading/grade_entry';
import type { Session } from '../server/session';
import type { Cache } from '../store/cache';
import { durably } from '../store/driver';
import type { UserStore } from '../store/user';
import {
  type AuthoredIntent,
  authorText,
  createAgain,
  decideText,
  draftOfText,
  isAuthored,
  redraftText,
  waitingTextOf,
  waitsForMerge,
} from './authored_texts';
import {
  backToFolder,
  draftOfGrade,
  type EnteredWith,
  enterGrades,
  type GradeIntent,
  giveUp,
  isConflict,
  isGrade,
  sendAnyway,
} from './grades';
import { IntentQueue } from './intent_queue';
import {
  type AnnouncementBody,
  type AuthoredBody,
  type ClosingBody,
  closingEntity,
  conversationEntity,
  type EditBody,
  type EntriesBody,
  entityIdOf,
  entriesEntity,
  type Intent,
  type IntentAction,
  type ItemBody,
  isUnheard,
  itemEntity,
  type MarkBody,
  type MessageBody,
  markEntity,
  type NewMessageBody,
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
import { noteBodyOf } from './note_edits';
import { sendIntents } from './send_intents';
import { goOn, textDraftAt } from './text_drafts';
import { dropDraft, forgetBytes, keepDraft } from './work_drafts';

export class Outbox {
  readonly #queue: IntentQueue;

  constructor(
    private readonly user: UserStore,
    private readonly now: () => Date,
  ) {
    this.#queue = new IntentQueue(user, now);
  }

  pending(): readonly Intent[] {
    return this.#queue.pending();
  }

  /** A note that is created here has a negative id until the server gives it one. */
  createNote(body: NoteBody, finished?: WritingPlace): number {
    return durably(this.user.database, () => {
      const lowest = this.user.prepare('SELECT min(local_id) AS id FROM server_ids').get()?.id;
      const queued = this.pending().filter(({ verb }) => verb === 'create');
      const id = Math.min(0, Number(lowest ?? 0), ...queued.map(({ entity }) => entityIdOf(entity))) - 1;
      this.#queue.add(noteEntity(id), { verb: 'create', body }, finished);
      return id;
    });
  }

  /** @param known the note as the server had it when the user changed it */
  updateNote(id: number, body: NoteBody, { finished, known }: { finished?: WritingPlace; known?: NoteBody | undefined } = {}): void {
    const entity = noteEntity(this.serverId(id));
    durably(this.user.database, () => {
      const rows = this.#queue.of(entity);
      // The new edit replaces those that were not sent or were refused; it gets a new key because its content differs.
      this.#dropAll(rows.filter(isUnheard));
      if (rows.some((row) => row.verb === 'create' && isUnheard(row))) return this.#queue.add(entity, { verb: 'create', body }, finished);
      const heard = rows.findLast((row) => !isUnheard(row) && (row.verb === 'create' || row.verb === 'update'));
      const edited = rows.find(({ verb }) => verb === 'update');
      // An edit that was sent from this desk does not count as a change by another device.
      const before = heard ? noteBodyOf(heard.body as NoteBody) : edited ? (edited.body as EditBody).before : known;
      this.#queue.add(entity, { verb: 'update', body: { ...body, ...(before && { before }) } }, finished);
    });
  }

  deleteNote(given: number, known?: NoteBody): void {
    const id = this.serverId(given);
    durably(this.user.database, () => {
      const rows = this.#queue.of(noteEntity(id));
      // A note that was never sent needs no deletion on the server.
      const isUnsent = id < 0 && rows.every(({ attempts }) => attempts === 0);
      if (isUnsent) return this.#dropAll([...rows, ...this.#queue.of(markEntity('planner_note', id))]);
      // Later edits of a deleted note are not sent.
      this.#dropAll(rows.filter(({ verb }) => verb !== 'create'));
      const before = rows.length === 0 ? known : beforeUnsent(rows);
      this.#queue.add(noteEntity(id), { verb: 'delete', body: before ? { before } : null });
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
    const before = this.#queue.of(entity).flatMap((row) => (row.verb === 'read entries' && isUnheard(row) ? row.body.entry_ids : []));
    this.#say(entity, { verb: 'read entries', body: { ...body, entry_ids: [...new Set([...before, ...body.entry_ids])] } });
  }

  /** Each reply is independent: a refused one does not delay others. */
  reply(body: ReplyBody, finished?: WritingPlace): void {
    durably(this.user.database, () => this.#queue.add(`discussion_reply:${randomUUID()}`, { verb: 'reply', body }, finished));
  }

  write(body: MessageBody, finished?: WritingPlace): void {
    durably(this.user.database, () => this.#queue.add(`message:${randomUUID()}`, { verb: 'write', body }, finished));
  }

  compose(body: NewMessageBody, finished?: WritingPlace): void {
    durably(this.user.database, () => this.#queue.add(`message:${randomUUID()}`, { verb: 'compose', body }, finished));
  }

  announce(body: AnnouncementBody, finished?: WritingPlace): void {
    durably(this.user.database, () => this.#queue.add(`announcement:${randomUUID()}`, { verb: 'announce', body }, finished));
  }

  author(body: AuthoredBody, finished?: WritingPlace): void {
    authorText(this.#queue, body, finished);
  }

  waitingText(place: AuthoredPlace): AuthoredIntent | undefined {
    return waitingTextOf(this.#queue, place);
  }

  /** A new text has a negative id until the server gives it one. @returns whether it was still here */
  resolveText(id: string, { as, text }: { readonly as: 'text' | 'draft' | 'new'; readonly text?: AuthoredText | undefined }): boolean {
    const row = this.pending().find((intent) => intent.id === id);
    if (!row || !isAuthored(row) || row.state !== 'parked') return false;
    if (as === 'new') createAgain(this.#queue, row, -this.now().getTime());
    else if (as === 'draft') redraftText(this.#queue, row, text);
    else decideText(this.#queue, row, text ?? row.body.text);
    return true;
  }

  /** The draft becomes an intent in one transaction, so that it is never in both places or in neither. */
  handIn(body: WorkBody): void {
    const entity = workEntity(body.assignment_id);
    durably(this.user.database, () => {
      if (this.#queue.of(entity).length > 0) throw new Error(t('why.handedInWaits'));
      this.#queue.add(entity, { verb: 'hand in', body });
      dropDraft(this.user, body.assignment_id);
    });
  }

  /** Returns their ids. */
  enterGrades(bodies: readonly GradeBody[], besides?: EnteredWith): string[] {
    return enterGrades(this.#queue, bodies, besides);
  }

  /** Ends a conflict: `mine` is sent for what the user has seen now, `theirs` keeps what the server has. False: it is decided already. */
  resolveGrade(id: string, side: 'mine' | 'theirs'): boolean {
    const row = this.pending().find((intent) => intent.id === id);
    if (!row || !isGrade(row) || !isConflict(row)) return false;
    if (side === 'mine') sendAnyway(this.#queue, row);
    else {
      giveUp(this.#queue, row);
      forgetGradeFiles(this.user, row);
    }
    return true;
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
      if (row.verb === 'grade') backToFolder(this.user, row.body);
      this.#queue.drop(row);
    });
    if (isGrade(row)) forgetGradeFiles(this.user, row);
    return true;
  }

  /** Tries a refused intent again; the user has seen the reason. */
  retry(id: string): boolean {
    const row = this.pending().find((intent) => intent.id === id && intent.state === 'parked');
    if (!row) return false;
    if (isGrade(row) && isConflict(row)) return this.resolveGrade(id, 'mine');
    // Both texts have to be seen first.
    if (waitsForMerge(row)) return false;
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
    return this.#queue.serverId(id);
  }

  /** Returns whether anything was sent. A refused token or a lost connection ends it. */
  send(session: Session, cache: Cache): Promise<boolean> {
    return sendIntents({ queue: this.#queue, session, cache });
  }

  /** Only the latest intent counts, unless the one before was sent. */
  #say(entity: string, deed: IntentAction): void {
    durably(this.user.database, () => {
      this.#dropAll(this.#queue.of(entity).filter(isUnheard));
      this.#queue.add(entity, deed);
    });
  }

  #dropAll(rows: readonly Intent[]): void {
    for (const row of rows) this.#queue.drop(row);
  }
}

/** The user has the files of feedback in a folder. */
function forgetGradeFiles(user: UserStore, { body }: GradeIntent): void {
  for (const { sha256 } of body.files ?? []) void forgetBytes(user, sha256);
}

/** The note before an edit that was not sent. */
const beforeUnsent = (rows: readonly Intent[]): NoteBody | undefined => {
  const edited = rows.find(({ verb, attempts }) => verb === 'update' && attempts === 0);
  return edited && (edited.body as EditBody).before;
};

/** The draft that a text returns to when it is taken back. */
function placeOf({ verb, body }: Intent, user: UserStore): { readonly at: WritingPlace; readonly words: Unfinished } | undefined {
  if (verb === 'reply') {
    const { course_id, topic_id: id, parent_id, text, files = [] } = body;
    return { at: { kind: 'reply', course_id, id, parent_id }, words: { text, files } };
  }
  if (verb === 'grade') return draftOfGrade(body);
  if (verb === 'author') return draftOfText(body);
  if (verb === 'announce') {
    const { course_id, title, text } = body;
    return { at: { kind: 'announcement', course_id }, words: { text, title } };
  }
  if (verb === 'write') {
    const { conversation_id: id, text, files } = body;
    return { at: { kind: 'letter', id }, words: { text, files: unsentFiles(files) } };
  }
  if (verb !== 'compose') return undefined;
  const { recipients, subject, text, course_id, files } = body;
  const begun = { kind: 'new letter', to: [] } as const;
  // The user may have begun another text there.
  const at = textDraftAt(user, begun) ? { ...begun, to: recipients.map(({ id }) => id) } : begun;
  return { at, words: { text, title: subject, to: recipients, course_id, files: unsentFiles(files) } };
}

/** Without the ids that the server gave: another message uploads them again. */
const unsentFiles = (files: readonly WorkFile[] = []): WorkFile[] => files.map(({ name, size, sha256 }) => ({ name, size, sha256 }));
