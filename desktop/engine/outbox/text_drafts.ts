// Drafts of the user: saved at every keystroke, until they are sent or discarded.

import type { AuthoredKind } from '../../contract/authoring';
import type { Unfinished, WritingPlace } from '../../contract/writing';
import { stored } from '../store/damage';
import { transaction } from '../store/driver';
import type { UserStore } from '../store/user';
import { forgetBytes } from './work_drafts';

interface Kept {
  readonly place: WritingPlace;
  readonly words: Unfinished;
  readonly changed_at: string;
}

/** One for each place, independent of the order of its fields. */
function keyOf(place: WritingPlace): string {
  if (place.kind === 'reply') return JSON.stringify([place.kind, place.course_id, place.id, place.parent_id]);
  if (place.kind === 'comment') return JSON.stringify([place.kind, place.course_id, place.assignment_id, place.user_id]);
  if (place.kind === 'announcement') return JSON.stringify([place.kind, place.course_id]);
  if (place.kind === 'authored') return JSON.stringify([place.kind, place.course_id, place.id, place.of]);
  if (place.kind === 'new letter') return JSON.stringify([place.kind, ...place.to]);
  return JSON.stringify([place.kind, place.id]);
}

function placeOf(key: string): WritingPlace {
  const parts = JSON.parse(key) as [WritingPlace['kind'], number, number, AuthoredKind];
  if (parts[0] === 'authored') return { kind: parts[0], course_id: parts[1], id: parts[2], of: parts[3] };
  const [kind, ...of] = JSON.parse(key) as [Exclude<WritingPlace['kind'], 'authored'>, ...number[]];
  const [id = 0, second = 0, third = null] = of;
  if (kind === 'reply') return { kind, course_id: id, id: second, parent_id: third };
  if (kind === 'comment') return { kind, course_id: id, assignment_id: second, user_id: third ?? 0 };
  if (kind === 'announcement') return { kind, course_id: id };
  if (kind === 'new letter') return { kind, to: of };
  return kind === 'letter' ? { kind, id } : { kind, id: of[0] ?? null };
}

const keptOf = ({ place, words, changed_at }: Record<string, unknown>): Kept => ({
  place: placeOf(String(place)),
  words: stored<Unfinished>(words),
  changed_at: String(changed_at),
});

export function textDraftAt(user: UserStore, place: WritingPlace): Kept | undefined {
  const row = user.prepare('SELECT place, words, changed_at FROM written WHERE place = ?').get(keyOf(place));
  return row && keptOf(row);
}

/** The last edited first. */
export const allTextDrafts = (user: UserStore): Kept[] =>
  user.prepare('SELECT place, words, changed_at FROM written ORDER BY changed_at DESC').all().map(keptOf);

/** Within a transaction of the caller. */
function write(user: UserStore, place: WritingPlace, words: Unfinished, now: Date): void {
  const insert = user.prepare('INSERT OR REPLACE INTO written (place, words, changed_at) VALUES (?, ?, ?)');
  insert.run(keyOf(place), JSON.stringify(words), now.toISOString());
}

/** Within a transaction of the caller: the draft is removed and the intent added in one step. */
export const deleteTextDraft = (user: UserStore, place: WritingPlace): unknown =>
  user.prepare('DELETE FROM written WHERE place = ?').run(keyOf(place));

/** Text that was taken back from the outbox returns to its draft, after anything that was written there since. */
export function goOn(user: UserStore, place: WritingPlace, words: Unfinished, now: Date): void {
  const there = textDraftAt(user, place)?.words;
  const text = there?.text ? `${there.text}\n\n${words.text}` : words.text;
  write(user, place, { ...words, ...there, text, files: there?.files?.length ? there.files : (words.files ?? []) }, now);
}

/** For a note that was changed here before the server had given it an id. */
export function renumberNote(user: UserStore, from: number, to: number): void {
  const kept = textDraftAt(user, { kind: 'note', id: from });
  if (!kept) return;
  deleteTextDraft(user, kept.place);
  user
    .prepare('INSERT OR REPLACE INTO written (place, words, changed_at) VALUES (?, ?, ?)')
    .run(keyOf({ kind: 'note', id: to }), JSON.stringify(kept.words), kept.changed_at);
}

/**
 * @param words null: there is nothing to save
 * @returns whether a draft was added or removed
 */
export async function keepTextDraft(user: UserStore, place: WritingPlace, words: Unfinished | null, now: Date): Promise<boolean> {
  const before = textDraftAt(user, place);
  transaction(user.database, () => (words === null ? deleteTextDraft(user, place) : write(user, place, words, now)));
  const left = new Set(words?.files?.map(({ sha256 }) => sha256));
  for (const { sha256 } of before?.words.files ?? []) if (!left.has(sha256)) await forgetBytes(user, sha256);
  return (before === undefined) !== (words === null);
}
