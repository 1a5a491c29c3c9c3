// group_memberships.csv and user_tags.csv (by any name).

import { sql } from 'drizzle-orm';
import { insertMany, inTexts, updateMany } from '../../../database/many_rows';
import { by, hasAll, type ParsedRow, type RowKind, statusOf, valuesIn } from '../row_rules';
import type { ImportWork, Notes } from '../work';
import type { GroupHome } from './group_contexts';
import { peopleNamed } from './users/users_by_sis_id';

const states = ['accepted', 'deleted'] as const;

interface GroupFacts extends GroupHome {
  readonly id: number;
  readonly sis: string;
  readonly group_category_id: number;
  readonly non_collaborative: number;
  readonly role: string | null;
}

interface MemberFacts {
  readonly id: number;
  readonly user_id: number;
  readonly group_id: number;
  readonly group_category_id: number;
  readonly workflow_state: 'accepted' | 'invited' | 'requested';
}

/** A user's membership after the previous rows; without an id it is new. */
interface Standing {
  readonly id: number | undefined;
  readonly group_id: number;
  workflow_state: MemberFacts['workflow_state'];
}

/** Data about the rows of a chunk. */
interface Facts {
  readonly groups: ReadonlyMap<string, GroupFacts>;
  readonly users: ReadonlyMap<string, { readonly id: number }>;
  readonly members: readonly MemberFacts[];
  /** `user/course` of everyone enrolled. */
  readonly enrolled: ReadonlySet<string>;
}

type IdColumn = 'group_id' | 'tag_id';

interface Planning {
  readonly facts: Facts;
  readonly notes: Notes;
  readonly idColumn: IdColumn;
  /** The noun in warnings. */
  readonly called: string;
  readonly skipsDeletes: boolean;
  /** A user's memberships in a category, because joining a group ends the others there. */
  readonly standingsIn: (user_id: number, group_category_id: number) => Standing[];
  readonly made: { group_id: number; user_id: number }[];
  readonly changed: { id: number; workflow_state: string }[];
}

function standingsOf(members: readonly MemberFacts[]): Planning['standingsIn'] {
  const known = new Map<string, Standing[]>();
  const standingsIn = (user_id: number, group_category_id: number) => {
    const key = `${user_id}/${group_category_id}`;
    const standings = known.get(key) ?? [];
    known.set(key, standings);
    return standings;
  };
  for (const { id, user_id, group_id, group_category_id, workflow_state } of members)
    standingsIn(user_id, group_category_id).push({ id, group_id, workflow_state });
  return standingsIn;
}

interface Meant {
  readonly group: GroupFacts;
  readonly user_id: number;
  readonly standings: Standing[];
  readonly own: Standing | undefined;
}

/** The membership that a row is about, or the reason why the row cannot be applied. */
function meant({ cells }: ParsedRow, joins: boolean, { facts, idColumn, called, standingsIn }: Planning): Meant | string {
  const group = facts.groups.get(cells[idColumn] ?? '');
  const user_id = facts.users.get(cells.user_id ?? '')?.id;
  if (!group || (group.non_collaborative === 1) !== (idColumn === 'tag_id')) return `there is no ${called} "${cells[idColumn]}"`;
  if (user_id === undefined) return `there is no user "${cells.user_id}"`;
  const standings = standingsIn(user_id, group.group_category_id);
  const own = standings.find((one) => one.group_id === group.id);
  if (joins && !own && group.context_type === 'Course' && !facts.enrolled.has(`${user_id}/${group.context_id}`))
    return `the user "${cells.user_id}" is not in the course of the ${called} "${cells[idColumn]}"`;
  return { group, user_id, standings, own };
}

function recordEnd({ id, workflow_state }: Standing, notes: Notes): void {
  if (id === undefined) notes.tally('GroupMembership', 'deleted');
  else notes.changed('GroupMembership', 'deleted', id, workflow_state, 'deleted');
}

function join({ group, user_id, standings, own }: Meant, { notes, made, changed }: Planning): void {
  if (own?.workflow_state === 'accepted') return;
  if (group.role !== 'communities' && group.role !== 'student_organized') {
    // A trigger ends them; this only records them.
    for (const one of standings) if (one !== own) recordEnd(one, notes);
    standings.splice(0, standings.length, ...(own ? [own] : []));
  }
  if (own?.id !== undefined) {
    changed.push({ id: own.id, workflow_state: 'accepted' });
    notes.changes.push({ model: 'GroupMembership', items: [[own.id, own.workflow_state, 'accepted']] });
    own.workflow_state = 'accepted';
    return;
  }
  standings.push({ id: undefined, group_id: group.id, workflow_state: 'accepted' });
  made.push({ group_id: group.id, user_id });
  notes.tally('GroupMembership', 'created');
}

function leave({ standings, own }: Meant, { notes, changed, skipsDeletes }: Planning): void {
  if (!own || skipsDeletes) return;
  recordEnd(own, notes);
  standings.splice(standings.indexOf(own), 1);
  if (own.id !== undefined) changed.push({ id: own.id, workflow_state: 'deleted' });
}

function planRow(row: ParsedRow, planning: Planning): void {
  const { notes, idColumn } = planning;
  if (!hasAll(row, [idColumn, 'user_id'], notes)) return;
  const status = statusOf(row, states, notes);
  if (!status) return;
  const found = meant(row, status === 'accepted', planning);
  if (typeof found === 'string') {
    notes.warn(row.at, found);
    return;
  }
  notes.applied += 1;
  if (status === 'accepted') join(found, planning);
  else leave(found, planning);
}

async function read(work: ImportWork, rows: readonly ParsedRow[], idColumn: IdColumn): Promise<Facts> {
  const { build } = work.db;
  const named = sql`sis_group_id is not null and ${inTexts('sis_group_id', valuesIn(rows, idColumn))} and workflow_state = 'available'`;
  const people = peopleNamed(valuesIn(rows, 'user_id'));
  const ids = sql`select id from (${people})`;
  const [groups, known, members, enrolled] = await work.read([
    build.all<GroupFacts>(
      sql`select id, sis_group_id as sis, context_type, context_id, group_category_id, non_collaborative, (select c.role from group_categories c where c.id = groups.group_category_id) as role from groups where ${named}`,
    ),
    build.all<{ sis: string; id: number }>(people),
    build.all<MemberFacts>(
      sql`select id, user_id, group_id, group_category_id, workflow_state from group_memberships where user_id in (${ids}) and workflow_state in ('accepted', 'invited', 'requested') and group_category_id in (select group_category_id from groups where ${named})`,
    ),
    build.all<{ user_id: number; course_id: number }>(
      sql`select distinct user_id, course_id from enrollments where user_id in (${ids}) and course_id in (select context_id from groups where ${named} and context_type = 'Course') and enrollment_state in ('active', 'invited', 'creation_pending', 'completed')`,
    ),
  ]);
  return {
    groups: by(groups, ({ sis }) => sis),
    users: by(known, ({ sis }) => sis),
    members,
    enrolled: new Set(enrolled.map(({ user_id, course_id }) => `${user_id}/${course_id}`)),
  };
}

const rowsOf = (idColumn: IdColumn, called: string): RowKind => ({
  cutting: { most: 500, touches: (cells) => ({ makes: [`${cells[idColumn]}\n${cells.user_id}`] }) },
  async apply(work, rows, notes) {
    const { options, id: sis_import_id } = work.it;
    const now = work.now();
    const facts = await read(work, rows, idColumn);
    const skipsDeletes = options.skip_deletes === true;
    const planning: Planning = {
      facts,
      notes,
      idColumn,
      called,
      skipsDeletes,
      standingsIn: standingsOf(facts.members),
      made: [],
      changed: [],
    };
    for (const row of rows) planRow(row, planning);
    const { made, changed } = planning;
    const stamped = { sis_import_id: sql`${sis_import_id}`, updated_at: sql`${now}` };
    if (made.length > 0)
      notes.changes.push({
        model: 'GroupMembership',
        select: sql`select m.id, null as before, m.workflow_state as after from json_each(${JSON.stringify(made)}) j cross join group_memberships m on m.group_id = j.value ->> 'group_id' and m.user_id = j.value ->> 'user_id' and m.workflow_state = 'accepted'`,
      });
    return {
      statements: [
        // Updates before inserts: a user who joins later must leave the group that an earlier row accepted them into.
        ...updateMany(work.db, 'group_memberships', { workflow_state: true, ...stamped }, changed),
        ...insertMany(
          work.db,
          'group_memberships',
          { group_id: true, user_id: true, workflow_state: sql`'accepted'`, ...stamped, created_at: sql`${now}` },
          made,
        ),
      ],
    };
  },
});

export const groupMembershipRows = rowsOf('group_id', 'group');
export const tagMembershipRows = rowsOf('tag_id', 'tag');
