// group_memberships.csv and user_tags.csv (by any name).

import { sql } from 'drizzle-orm';
import { insertMany, inTexts, updateMany } from '../../../database/many_rows';
import { by, hasAll, type Kind, type Row, statusOf, valuesIn } from '../row_rules';
import type { Place } from './group_contexts';
import { peopleNamed } from './users_by_sis_id';

const states = ['accepted', 'deleted'] as const;

interface GroupFacts extends Place {
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

const rowsOf = (idColumn: 'group_id' | 'tag_id', called: string): Kind => ({
  cutting: { most: 500, touches: (cells) => ({ makes: [`${cells[idColumn]}\n${cells.user_id}`] }) },
  async apply(work, rows, notes) {
    const { build } = work.db;
    const { options, id: sis_import_id } = work.it;
    const now = work.now();
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
    const [groupOf, userOf] = [by(groups, ({ sis }) => sis), by(known, ({ sis }) => sis)];
    const isEnrolled = new Set(enrolled.map(({ user_id, course_id }) => `${user_id}/${course_id}`));
    // By user and category, because joining a group ends other memberships in the category.
    const inSet = new Map<string, Standing[]>();
    const setOf = (user_id: number, group_category_id: number) => {
      const key = `${user_id}/${group_category_id}`;
      const standings = inSet.get(key) ?? [];
      inSet.set(key, standings);
      return standings;
    };
    for (const { id, user_id, group_id, group_category_id, workflow_state } of members)
      setOf(user_id, group_category_id).push({ id, group_id, workflow_state });
    const [made, changed]: [{ group_id: number; user_id: number }[], { id: number; workflow_state: string }[]] = [[], []];

    const leave = ({ id, workflow_state }: Standing) => {
      if (id === undefined) notes.tally('GroupMembership', 'deleted');
      else notes.changed('GroupMembership', 'deleted', id, workflow_state, 'deleted');
    };
    const join = (standings: Standing[], { id: group_id, role }: GroupFacts, user_id: number) => {
      const own = standings.find((one) => one.group_id === group_id);
      if (own?.workflow_state === 'accepted') return;
      const allowsMany = role === 'communities' || role === 'student_organized';
      if (!allowsMany) {
        // A trigger ends them; this only records them.
        for (const one of standings) if (one !== own) leave(one);
        standings.splice(0, standings.length, ...(own ? [own] : []));
      }
      if (own?.id !== undefined) {
        changed.push({ id: own.id, workflow_state: 'accepted' });
        notes.changes.push({ model: 'GroupMembership', items: [[own.id, own.workflow_state, 'accepted']] });
        own.workflow_state = 'accepted';
        return;
      }
      standings.push({ id: undefined, group_id, workflow_state: 'accepted' });
      made.push({ group_id, user_id });
      notes.tally('GroupMembership', 'created');
    };
    const plan = (row: Row) => {
      const { at, cells } = row;
      if (!hasAll(row, [idColumn, 'user_id'], notes)) return;
      const status = statusOf(row, states, notes);
      if (!status) return;
      const group = groupOf.get(cells[idColumn] ?? '');
      const user = userOf.get(cells.user_id ?? '')?.id;
      if (!group || (group.non_collaborative === 1) !== (idColumn === 'tag_id'))
        return notes.warn(at, `there is no ${called} "${cells[idColumn]}"`);
      if (user === undefined) return notes.warn(at, `there is no user "${cells.user_id}"`);
      const standings = setOf(user, group.group_category_id);
      const own = standings.find((one) => one.group_id === group.id);
      if (status === 'accepted' && !own && group.context_type === 'Course' && !isEnrolled.has(`${user}/${group.context_id}`))
        return notes.warn(at, `the user "${cells.user_id}" is not in the course of the ${called} "${cells[idColumn]}"`);
      notes.applied += 1;
      if (status === 'accepted') return join(standings, group, user);
      if (!own || options.skip_deletes) return;
      leave(own);
      standings.splice(standings.indexOf(own), 1);
      if (own.id !== undefined) changed.push({ id: own.id, workflow_state: 'deleted' });
    };
    rows.forEach(plan);

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
