// groups.csv, and differentiation tags: groups that only instructors see.

import { sql } from 'drizzle-orm';
import { insertMany, inTexts, isMoved, updateMany } from '../../../database/many_rows';
import type { Statement } from '../../../database/open';
import { stickyOf } from '../../../database/sticky';
import { randomText } from '../../../database/tokens';
import { ensureCategory } from '../../groups/new_group';
import { by, type Changing, firstReason, hasAll, type ParsedRow, type RowKind, statusOf, tooLong, valuesIn } from '../row_rules';
import { groupState, madeBy, noteState } from '../state_changes';
import { acceptedValues } from '../stickiness';
import type { ImportOptions } from '../table';
import type { Notes } from '../work';
import { type GroupHome, groupMembersIn, type Member, placeIn, placesNamed, rootHome, samePlace } from './group_contexts';

const states = ['available', 'closed', 'completed', 'deleted'] as const;
const statesOfTags = ['available', 'deleted'] as const;
type State = (typeof states)[number];

interface GroupFacts extends GroupHome {
  readonly id: number;
  readonly sis_group_id: string;
  readonly name: string;
  readonly group_category_id: number;
  readonly members_count: number;
  readonly non_collaborative: number;
  readonly workflow_state: 'available' | 'deleted';
  readonly standing: 'open' | 'closed' | 'completed';
  readonly stuck_sis_fields: string | null;
}

interface SetFacts extends GroupHome {
  readonly id: number;
  readonly sis: string;
  readonly non_collaborative: number;
  readonly workflow_state: 'available' | 'deleted';
}

/** The names of the two kinds in files. */
interface Words {
  readonly id: 'group_id' | 'tag_id';
  readonly set: 'group_category_id' | 'tag_set_id';
  readonly called: string;
  readonly areTags: boolean;
}

/** The state of a group in the file's terms. */
const stateOf = ({ workflow_state, standing }: Pick<GroupFacts, 'workflow_state' | 'standing'>): State =>
  workflow_state === 'deleted' ? 'deleted' : standing === 'open' ? 'available' : standing;

type Drafted = GroupHome & { readonly sis: string; readonly set: number | undefined; readonly name: string };

interface Drafts {
  readonly made: Drafted[];
  readonly changed: Changing[];
}

interface Facts {
  readonly found: ReadonlyMap<string, GroupFacts>;
  readonly setOf: ReadonlyMap<string, SetFacts>;
  readonly placeOf: ReturnType<typeof placeIn>;
  readonly members: readonly Member[];
  readonly options: ImportOptions;
  readonly words: Words;
}

/** What a row is about: the group and the set as they are, and the place that the row names. */
interface Subject {
  readonly it: GroupFacts | undefined;
  readonly set: SetFacts | undefined;
  readonly named: GroupHome | undefined;
  /** Where the group is afterwards. */
  readonly place: GroupHome;
}

const isElsewhere = ({ it, set, place }: Subject): boolean =>
  it !== undefined && (!samePlace(it, place) || (set !== undefined && set.id !== it.group_category_id));

function refusalOf(
  { cells }: ParsedRow,
  status: State,
  subject: Subject,
  { id, set: setColumn, called, areTags }: Words,
): string | undefined {
  const { it, set, named, place } = subject;
  const setId = cells[setColumn] ?? '';
  const isUsable =
    set !== undefined && Boolean(set.non_collaborative) === areTags && (set.workflow_state !== 'deleted' || status === 'deleted');
  const leaves = it !== undefined && !samePlace(it, place) && set === undefined;
  return firstReason(
    [it !== undefined && Boolean(it.non_collaborative) !== areTags, `"${cells[id] ?? ''}" is not a ${called}`],
    [setId !== '' && !isUsable, `there is no set "${setId}"`],
    [areTags && !set && !named && !it, 'tag_set_id or course_id is missing'],
    [set !== undefined && named !== undefined && !samePlace(set, named), `the set "${setId}" is not in the course or account of the row`],
    [tooLong(cells.name), 'the name is longer than 255 characters'],
    [leaves, `a ${called} can only move to another course or account together with a set there`],
    [it !== undefined && isElsewhere(subject) && it.members_count > 0, `a ${called} with members cannot be moved`],
  );
}

function change(
  it: GroupFacts,
  name: string | undefined,
  status: State,
  subject: Subject,
  facts: Facts,
  { changed }: Drafts,
  notes: Notes,
) {
  const { place, set } = subject;
  const moved = { context_type: place.context_type, context_id: place.context_id, group_category_id: set?.id };
  const { context_type, context_id, group_category_id } = it;
  const where = isElsewhere(subject) ? moved : { context_type, context_id, group_category_id };
  const values = acceptedValues({ ...it }, { name, ...where, ...standingOf(status, it.standing) }, stickyOf('groups'), facts.options);
  if (!values) return;
  changed.push({ ...values, id: it.id, stuck: it.stuck_sis_fields });
  noteState(notes, 'Group', it.id, stateOf(it), status);
  if (status !== 'deleted' || it.workflow_state === 'deleted') return;
  // A trigger ends the memberships; the import notes them.
  for (const { id, group_id, workflow_state } of facts.members)
    if (group_id === it.id) notes.changed('GroupMembership', 'deleted', id, workflow_state, 'deleted');
}

function plan(row: ParsedRow, facts: Facts, drafts: Drafts, notes: Notes) {
  const { at, cells } = row;
  const { words } = facts;
  if (!hasAll(row, [words.id, 'name'], notes)) return;
  const status: State | undefined = statusOf(row, words.areTags ? statesOfTags : states, notes);
  if (!status) return;
  const named = facts.placeOf(row);
  if (typeof named === 'string') return notes.warn(at, named);
  const sis = cells[words.id] ?? '';
  const it = facts.found.get(sis);
  const set = facts.setOf.get(cells[words.set] ?? '');
  const place = set ?? named ?? it ?? rootHome;
  const subject = { it, set, named, place };
  const refusal = refusalOf(row, status, subject, words);
  if (refusal) return notes.warn(at, refusal);
  notes.applied += 1;
  if (status === 'deleted' && (facts.options.skip_deletes || !it)) return;
  if (it) return change(it, cells.name, status, subject, facts, drafts, notes);
  const { context_type, context_id } = place;
  drafts.made.push({ sis, ...{ context_type, context_id }, set: set?.id, name: cells.name ?? '', ...standingOf(status) });
  notes.tally('Group', 'created');
}

const kindOfRows = (words: Words): RowKind => ({
  cutting: { most: 500, touches: (cells) => ({ makes: [cells[words.id] ?? ''] }) },
  async apply(work, rows, notes) {
    const { build } = work.db;
    const { options, id: sis_import_id } = work.it;
    const now = work.now();
    const { id: idColumn, set: setColumn, areTags } = words;
    const own = sql`select id from groups where sis_group_id is not null and ${inTexts('sis_group_id', valuesIn(rows, idColumn))}`;
    const ending = rows.filter(({ cells }) => cells.status?.toLowerCase() === 'deleted');
    const [there, courses, accounts, sets, members] = await work.read([
      build.all<GroupFacts>(
        sql`select id, sis_group_id, name, context_type, context_id, group_category_id, members_count, non_collaborative, workflow_state, standing, stuck_sis_fields from groups where id in (${own})`,
      ),
      ...placesNamed(work, rows),
      build.all<SetFacts>(
        sql`select id, sis_group_category_id as sis, context_type, context_id, non_collaborative, workflow_state from group_categories where sis_group_category_id is not null and ${inTexts('sis_group_category_id', valuesIn(rows, setColumn))}`,
      ),
      groupMembersIn(
        work,
        sql`select id from groups where sis_group_id is not null and ${inTexts('sis_group_id', valuesIn(ending, idColumn))}`,
      ),
    ]);
    const found = by(there, ({ sis_group_id }) => sis_group_id);
    const setOf = by(sets, ({ sis }) => sis);
    const placeOf = placeIn(courses, accounts);
    const drafts: Drafts = { made: [], changed: [] };
    const { made, changed } = drafts;
    const facts: Facts = { found, setOf, placeOf, members, options, words };
    for (const row of rows) plan(row, facts, drafts, notes);

    if (made.length > 0)
      notes.changes.push(
        madeBy(
          'Group',
          'groups',
          'sis_group_id',
          made.map(({ sis }) => sis),
          groupState,
        ),
      );
    // Without a category, a group goes into the one for student-organised groups or communities; a tag gets a set of its own name.
    const loose = made.filter(({ set }) => set === undefined);
    const before: Statement[] = areTags
      ? loose.map(({ context_id, name }) =>
          build.run(sql`insert into group_categories (context_type, context_id, name, non_collaborative, sis_import_id, created_at, updated_at)
            select 'Course', ${context_id}, ${name}, 1, ${sis_import_id}, ${now}, ${now} where true on conflict do nothing`),
        )
      : [...new Map(loose.map((one) => [`${one.context_type}${one.context_id}`, one])).values()].map(({ context_type, context_id }) =>
          ensureCategory(work.db, context_type, context_id, roleIn(context_type), now),
        );
    const ownSet = areTags
      ? sql.raw(
          "(select c.id from group_categories c where c.context_type = 'Course' and c.context_id = j.value ->> 'context_id' and c.name = j.value ->> 'name' and c.workflow_state = 'available' and c.non_collaborative = 1)",
        )
      : sql`case j.value ->> 'context_type' when 'Course' then ${categoryIn('Course')} else ${categoryIn('Account')} end`;
    const stamped = { name: true, standing: true, sis_import_id: sql`${sis_import_id}`, updated_at: sql`${now}` } as const;
    return {
      statements: [
        ...updateMany(
          work.db,
          'groups',
          { ...stamped, context_type: true, context_id: true, group_category_id: true, workflow_state: true, stuck_sis_fields: true },
          changed,
        ),
        ...before,
        ...insertMany(
          work.db,
          'groups',
          {
            ...stamped,
            sis_group_id: sql.raw("j.value ->> 'sis'"),
            context_type: true,
            context_id: true,
            group_category_id: sql`coalesce(j.value ->> 'set', ${ownSet})`,
            non_collaborative: sql.raw(areTags ? '1' : '0'),
            storage_quota_mb: sql.raw('coalesce((select a.default_group_storage_quota_mb from accounts a where a.id = 1), 50)'),
            uuid: true,
            created_at: sql`${now}`,
          },
          made.map((one) => ({ ...one, uuid: randomText(24) })),
        ),
      ],
      moved: changed.length > 0 ? [isMoved('groups', changed)] : [],
    };
  },
});

/** A deleted group keeps its `standing`. */
const standingOf = (status: State, before: GroupFacts['standing'] = 'open') =>
  ({
    workflow_state: status === 'deleted' ? 'deleted' : 'available',
    standing: status === 'deleted' ? before : status === 'available' ? 'open' : status,
  }) as const;

const roleIn = (context_type: GroupHome['context_type']) => (context_type === 'Course' ? 'student_organized' : 'communities');
const categoryIn = (context_type: GroupHome['context_type']) =>
  sql.raw(
    `(select c.id from group_categories c where c.context_type = '${context_type}' and c.context_id = j.value ->> 'context_id' and c.role = '${roleIn(context_type)}' and c.workflow_state = 'available')`,
  );

export const groupRows = kindOfRows({ id: 'group_id', set: 'group_category_id', called: 'group', areTags: false });
export const tagRows = kindOfRows({ id: 'tag_id', set: 'tag_set_id', called: 'tag', areTags: true });
