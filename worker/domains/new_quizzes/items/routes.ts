// Items of New Quizzes: every endpoint, in the order of the API reference.

import { and, eq, sql } from 'drizzle-orm';
import type { CourseContext } from '../../../contexts/course';
import type { Database } from '../../../database/open';
import { absolute, del, get, patch, post } from '../../../http/endpoint';
import { ascending, rows } from '../../../http/listing';
import { badParameter, found } from '../../../http/problem';
import { judged, list, one, write } from '../../../http/reply';
import { refuseLockedNewQuiz } from '../../../rules/blueprint_locks';
import { assignments } from '../../assignments/table';
import { usableBank, usableBankQuestion } from '../../question_banks/policy';
import { question_banks } from '../../question_banks/table';
import { quiz_questions } from '../../quiz_questions/table';
import { presentNewQuiz } from '../policy';
import { entryTypes, type NewQuizEntryType, new_quiz_items } from '../table';
import { contentOfItem } from './entry';
import { itemParams, type NewQuizItemGiven } from './input';
import { newQuizItem } from './json';
import { itemsOfNewQuiz, presentNewQuizItem, presentStimulus } from './policy';
import { afterLastItem, renumberNewQuizItems } from './positions';

export const about = { title: 'New Quiz items', description: 'Questions of New Quizzes, with their keys, and stimuli and banks.' };

const all = '/api/quiz/v1/courses/:course_id/quizzes/:assignment_id/items';
const single = `${all}/:item_id` as const;

const newest = sql`(select max(id) from new_quiz_items)`;
type Path = { readonly assignment_id: string };

const selectQuiz = (db: Database, course: CourseContext, path: Path) =>
  db.build.select({ id: assignments.id }).from(assignments).where(presentNewQuiz(course, path));

/** What an item refers to: its stimulus, its bank, and its question of a bank. */
const selectReferences = (db: Database, course: CourseContext, path: Path, given: NewQuizItemGiven) =>
  [
    db.build
      .select({ id: new_quiz_items.id })
      .from(new_quiz_items)
      .where(presentStimulus(course, path, given.stimulus_quiz_entry_id ?? 0)),
    db.build
      .select({ id: question_banks.id })
      .from(question_banks)
      .where(usableBank(course, given.entry?.id ?? 0)),
    db.build
      .select({ id: quiz_questions.id })
      .from(quiz_questions)
      .where(usableBankQuestion(course, given.entry?.bank_entry_id ?? 0)),
  ] as const;

type Named = readonly { readonly id: number }[];

/** The bank or question that an item draws from; both null for others. @throws Problem 400 for what is not usable in the course */
function sourceAfter(
  type: NewQuizEntryType,
  { entry }: NewQuizItemGiven,
  [banks, questions]: readonly [Named, Named],
  before?: { readonly question_bank_id: number | null; readonly bank_question_id: number | null },
) {
  const chosen = (wanted: NewQuizEntryType, sent: number | null | undefined, usable: Named, now: number | null | undefined) => {
    if (type !== wanted) return null;
    return sent == null && now != null ? now : (usable[0]?.id ?? undefined);
  };
  const question_bank_id = chosen('Bank', entry?.id, banks, before?.question_bank_id);
  if (question_bank_id === undefined) throw badParameter('item[entry][id]', 'names no question bank of the course or an account above it');
  const bank_question_id = chosen('BankEntry', entry?.bank_entry_id, questions, before?.bank_question_id);
  if (bank_question_id === undefined)
    throw badParameter('item[entry][bank_entry_id]', 'names no question of a bank of the course or an account above it');
  return { question_bank_id, bank_question_id };
}

/** @throws Problem 400 for a stimulus that is none of this quiz */
function checkStimulus(given: NewQuizItemGiven, type: string, there: readonly unknown[]): void {
  if (given.stimulus_quiz_entry_id == null) return;
  if (type === 'Stimulus' || there.length === 0) throw badParameter('item[stimulus_quiz_entry_id]', 'names no stimulus of the quiz');
}

/** @throws Problem 400 */
function typeOfEntry({ entry_type }: NewQuizItemGiven): NewQuizEntryType {
  if (entry_type === undefined) throw badParameter('item[entry_type]', 'is missing');
  const known = entryTypes.find((type) => type === entry_type);
  if (known === undefined) throw badParameter('item[entry_type]', `is not one of ${entryTypes.join(', ')}`);
  return known;
}

export const newQuizItemRoutes = absolute(
  get(all, { can: 'manage_assignments_edit', returns: [newQuizItem], summary: 'List the items of a New Quiz' }, ({ db, course, path }) =>
    judged(
      selectQuiz(db, course, path),
      (there) => void found(there[0]),
      list(rows(new_quiz_items, { where: itemsOfNewQuiz(course, path), order: ascending(new_quiz_items.position, new_quiz_items.id) })),
    ),
  ),

  get(single, { can: 'manage_assignments_edit', returns: newQuizItem, summary: 'Get an item of a New Quiz' }, ({ course, path }) =>
    one(rows(new_quiz_items, { where: presentNewQuizItem(course, path) })),
  ),

  post(
    all,
    { can: 'manage_assignments_edit', params: itemParams, returns: newQuizItem, summary: 'Create an item of a New Quiz' },
    async ({ db, course, path, params, now, origin }) => {
      const given = params.item;
      if (given === undefined) throw badParameter('item', 'is missing');
      const [quizRows, stimuli, banks, questions] = await db.perform([
        selectQuiz(db, course, path),
        ...selectReferences(db, course, path, given),
      ]);
      const { id } = found(quizRows[0]);
      const type = typeOfEntry(given);
      checkStimulus(given, type, stimuli);
      const source = sourceAfter(type, given, [banks, questions]);
      const position = given.position ?? undefined;
      const content = contentOfItem(type, given, undefined, origin);
      return write(
        [
          ...refuseLockedNewQuiz(db, id, content.points_possible !== 0),
          db.build.insert(new_quiz_items).values({
            ...content,
            new_quiz_id: id,
            position: afterLastItem(id),
            entry_type: type,
            ...source,
            stimulus_quiz_entry_id: given.stimulus_quiz_entry_id ?? null,
            created_at: now,
            updated_at: now,
          }),
          ...(position === undefined ? [] : [renumberNewQuizItems(db, id, { id: newest, position })]),
        ],
        one(rows(new_quiz_items, { where: sql`new_quiz_items.id = ${newest}` })),
      );
    },
  ),

  patch(
    single,
    { can: 'manage_assignments_edit', params: itemParams, returns: newQuizItem, summary: 'Update an item of a New Quiz' },
    async ({ db, course, path, params, now, origin }) => {
      const given = params.item ?? {};
      const [there, stimuli, banks, questions] = await db.perform([
        db.build.select().from(new_quiz_items).where(presentNewQuizItem(course, path)),
        ...selectReferences(db, course, path, given),
      ]);
      const before = found(there[0]);
      const { id, entry_type: type, new_quiz_id } = before;
      if (given.entry_type !== undefined && given.entry_type !== type) throw badParameter('item[entry_type]', 'cannot change');
      checkStimulus(given, type, stimuli);
      const source = sourceAfter(type, given, [banks, questions], before);
      const position = given.position ?? undefined;
      const content = contentOfItem(type, given, before, origin);
      return write(
        [
          ...refuseLockedNewQuiz(db, new_quiz_id, content.points_possible !== before.points_possible),
          db.build
            .update(new_quiz_items)
            .set({
              ...content,
              ...source,
              version: sql`version + 1`,
              stimulus_quiz_entry_id:
                given.stimulus_quiz_entry_id === undefined ? before.stimulus_quiz_entry_id : given.stimulus_quiz_entry_id,
              updated_at: now,
            })
            .where(eq(new_quiz_items.id, id)),
          ...(position === undefined || position === before.position
            ? []
            : [renumberNewQuizItems(db, new_quiz_id, { id: sql`${id}`, position })]),
        ],
        one(rows(new_quiz_items, { where: eq(new_quiz_items.id, id) })),
      );
    },
  ),

  del(
    single,
    { can: 'manage_assignments_edit', returns: newQuizItem, summary: 'Delete an item of a New Quiz' },
    async ({ db, course, path, now }) => {
      const [there] = await db.perform([
        db.build
          .select({ id: new_quiz_items.id, new_quiz_id: new_quiz_items.new_quiz_id, points_possible: new_quiz_items.points_possible })
          .from(new_quiz_items)
          .where(presentNewQuizItem(course, path)),
      ]);
      const { id, new_quiz_id, points_possible } = found(there[0]);
      return write(
        [
          ...refuseLockedNewQuiz(db, new_quiz_id, points_possible !== 0),
          db.build.update(new_quiz_items).set({ workflow_state: 'deleted', updated_at: now }).where(eq(new_quiz_items.id, id)),
          db.build
            .update(new_quiz_items)
            .set({ stimulus_quiz_entry_id: null, updated_at: now })
            .where(and(eq(new_quiz_items.stimulus_quiz_entry_id, id), sql`new_quiz_items.stimulus_quiz_entry_id is not null`)),
          renumberNewQuizItems(db, new_quiz_id),
        ],
        one(rows(new_quiz_items, { where: eq(new_quiz_items.id, id) })),
      );
    },
  ),
);
