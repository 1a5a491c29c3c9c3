// group_categories.csv, and sets of differentiation tags: group categories that only instructors see.

import { sql } from 'drizzle-orm';
import { insertMany, inTexts, updateMany } from '../../../database/many_rows';
import { by, firstReason, hasAll, type ParsedRow, type RowKind, statusOf, tooLong, valuesIn } from '../row_rules';
import { madeBy, noteState } from '../state_changes';
import type { ImportOptions } from '../table';
import type { Notes } from '../work';
import { type GroupHome, groupMembersIn, type Member, placeIn, placesNamed, rootHome, samePlace } from './group_contexts';

const states = ['active', 'deleted'] as const;

interface SetFacts extends GroupHome {
  readonly id: number;
  readonly name: string;
  readonly sis_group_category_id: string | null;
  readonly non_collaborative: number;
  readonly workflow_state: 'available' | 'deleted';
}

const columns = sql.raw('id, name, context_type, context_id, sis_group_category_id, non_collaborative, workflow_state');

/** The names of the two kinds in files. */
interface Words {
  readonly id: 'group_category_id' | 'tag_set_id';
  readonly name: 'category_name' | 'set_name';
  readonly called: string;
  readonly areTags: boolean;
}

const nameIn = (place: GroupHome, name: string) => `${place.context_type}\n${place.context_id}\n${name.toLowerCase()}`;

interface Drafts {
  readonly made: { readonly sis: string }[];
  readonly changed: SetFacts[];
}

interface Facts {
  readonly found: ReadonlyMap<string, SetFacts>;
  readonly placeOf: ReturnType<typeof placeIn>;
  /** The set that has each name, as its SIS id or its id; changes with the rows. */
  readonly owners: Map<string, string | number>;
  readonly groups: readonly { readonly id: number; readonly group_category_id: number }[];
  readonly members: readonly Member[];
  readonly options: ImportOptions;
  readonly words: Words;
}

/** Triggers end the groups of a deleted set and their memberships; the import notes them. */
function noteInside(category: number, { groups, members }: Facts, notes: Notes): void {
  const its = new Set(groups.filter(({ group_category_id }) => group_category_id === category).map(({ id }) => id));
  for (const id of its) notes.changed('Group', 'deleted', id, 'available', 'deleted');
  for (const { id, group_id, workflow_state } of members)
    if (its.has(group_id)) notes.changed('GroupMembership', 'deleted', id, workflow_state, 'deleted');
}

function refusalOf(
  { cells }: ParsedRow,
  status: (typeof states)[number],
  place: GroupHome,
  { found, owners, words }: Facts,
): string | undefined {
  const [sis, name] = [cells[words.id] ?? '', cells[words.name] ?? ''];
  const it = found.get(sis);
  const owner = owners.get(nameIn(place, name));
  return firstReason(
    [it !== undefined && Boolean(it.non_collaborative) !== words.areTags, `"${sis}" is not a set of ${words.called}`],
    [tooLong(name), 'the name is longer than 255 characters'],
    [it !== undefined && !samePlace(it, place), 'a set cannot be moved to another course or account'],
    [status === 'active' && owner !== undefined && owner !== sis, `a set "${name}" already exists in the same course or account`],
  );
}

function change(it: SetFacts, name: string, workflow_state: SetFacts['workflow_state'], facts: Facts, { changed }: Drafts, notes: Notes) {
  if (it.name === name && it.workflow_state === workflow_state) return;
  facts.owners.delete(nameIn(it, it.name));
  changed.push({ ...it, name, workflow_state });
  noteState(notes, 'GroupCategory', it.id, it.workflow_state, workflow_state);
  if (workflow_state === 'deleted' && it.workflow_state !== 'deleted') noteInside(it.id, facts, notes);
}

function plan(row: ParsedRow, facts: Facts, drafts: Drafts, notes: Notes) {
  const { at, cells } = row;
  const { words, options } = facts;
  if (!hasAll(row, words.areTags ? [words.id, 'course_id', words.name] : [words.id, words.name], notes)) return;
  const status = statusOf(row, states, notes);
  if (!status) return;
  const [sis, name] = [cells[words.id] ?? '', cells[words.name] ?? ''];
  const it = facts.found.get(sis);
  const named = facts.placeOf(row);
  if (typeof named === 'string') return notes.warn(at, named);
  const place = named ?? (it ? { context_type: it.context_type, context_id: it.context_id } : rootHome);
  const refusal = refusalOf(row, status, place, facts);
  if (refusal) return notes.warn(at, refusal);
  notes.applied += 1;
  if (status === 'deleted' && (options.skip_deletes || !it)) return;
  const workflow_state = status === 'deleted' ? 'deleted' : 'available';
  if (it) change(it, name, workflow_state, facts, drafts, notes);
  else {
    drafts.made.push({ sis, ...{ ...place, name } });
    notes.tally('GroupCategory', 'created');
  }
  if (workflow_state === 'available') facts.owners.set(nameIn(place, name), sis);
}

const setRows = (words: Words): RowKind => ({
  cutting: { most: 500, touches: (cells) => ({ makes: [cells[words.id] ?? ''] }) },
  async apply(work, rows, notes) {
    const { build } = work.db;
    const { options, id: sis_import_id } = work.it;
    const now = work.now();
    const ids = valuesIn(rows, words.id);
    const own = sql`select id from group_categories where sis_group_category_id is not null and ${inTexts('sis_group_category_id', ids)}`;
    const ending = rows.filter(({ cells }) => cells.status?.toLowerCase() === 'deleted');
    const inside = sql`select id from groups where workflow_state = 'available' and group_category_id in (select id from group_categories where sis_group_category_id is not null and ${inTexts('sis_group_category_id', valuesIn(ending, words.id))})`;
    const sisIdsOf = {
      Course: sql`select id from courses where sis_course_id is not null and ${inTexts('sis_course_id', valuesIn(rows, 'course_id'))}`,
      Account: sql`select id from accounts where sis_account_id is not null and ${inTexts('sis_account_id', valuesIn(rows, 'account_id'))} union select ${rootHome.context_id}`,
    };
    /** Group categories of the same names in the contexts involved. */
    const namesakesIn = (type: GroupHome['context_type']) =>
      sql`select ${columns} from group_categories where workflow_state = 'available' and context_type = ${type}
        and context_id in (${sisIdsOf[type]} union select context_id from group_categories where id in (${own}) and context_type = ${type}) and ${inTexts('name', valuesIn(rows, words.name))}`;
    const [there, courses, accounts, namesakes, groups, members] = await work.read([
      build.all<SetFacts>(sql`select ${columns} from group_categories where id in (${own})`),
      ...placesNamed(work, rows),
      build.all<SetFacts>(sql`${namesakesIn('Course')} union all ${namesakesIn('Account')}`),
      build.all<{ id: number; group_category_id: number }>(sql`select id, group_category_id from groups where id in (${inside})`),
      groupMembersIn(work, inside),
    ]);
    const found = by(there, ({ sis_group_category_id }) => sis_group_category_id);
    const placeOf = placeIn(courses, accounts);
    /** The owner of each name; updated while rows are processed. */
    const owners = new Map(namesakes.map((one) => [nameIn(one, one.name), one.sis_group_category_id ?? one.id]));
    const drafts: Drafts = { made: [], changed: [] };
    const { made, changed } = drafts;
    const facts: Facts = { found, placeOf, owners, groups, members, options, words };
    for (const row of rows) plan(row, facts, drafts, notes);
    if (made.length > 0)
      notes.changes.push(
        madeBy(
          'GroupCategory',
          'group_categories',
          'sis_group_category_id',
          made.map(({ sis }) => sis),
        ),
      );
    const stamped = { name: true, sis_import_id: sql`${sis_import_id}`, updated_at: sql`${now}` } as const;
    return {
      statements: [
        ...updateMany(work.db, 'group_categories', { ...stamped, workflow_state: true }, changed),
        ...insertMany(
          work.db,
          'group_categories',
          {
            ...stamped,
            sis_group_category_id: sql.raw("j.value ->> 'sis'"),
            context_type: true,
            context_id: true,
            non_collaborative: sql.raw(words.areTags ? '1' : '0'),
            created_at: sql`${now}`,
          },
          made,
        ),
      ],
    };
  },
});

export const groupCategoryRows = setRows({ id: 'group_category_id', name: 'category_name', called: 'groups', areTags: false });
export const tagSetRows = setRows({ id: 'tag_set_id', name: 'set_name', called: 'tags', areTags: true });
