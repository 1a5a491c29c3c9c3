// Planner overrides: every endpoint, in the order of the API reference.

import { bool, idField, optional, text } from '@carrel/shared/wire/fields';
import { and, eq, sql } from 'drizzle-orm';
import type { Statement } from '../../database/open';
import type { Call } from '../../http/call';
import { del, get, post, put } from '../../http/endpoint';
import { rows } from '../../http/listing';
import { badParameter, found, invalid } from '../../http/problem';
import { list, one, write } from '../../http/reply';
import { markPlannableDone } from './done';
import { plannerOverride } from './overrides_json';
import { type Plannable, plannableType, selectPlannable } from './plannables';
import { planner_overrides } from './table';

const mine = ({ me }: Pick<Call, 'me'>) => and(eq(planner_overrides.user_id, me.id), eq(planner_overrides.workflow_state, 'active'));
const only = (call: Pick<Call, 'me'>, id: number) => and(eq(planner_overrides.id, id), mine(call));

const markedOnce = { 'planner_overrides.plannable_id': () => invalid('plannable_id', 'taken', 'has already been taken') };

const marks = { marked_complete: optional(bool), dismissed: optional(bool) };

export const plannerOverrideRoutes = [
  get('/planner/overrides', { can: 'user', returns: [plannerOverride], summary: 'List planner overrides' }, (call) =>
    list(rows(planner_overrides, { where: mine(call) })),
  ),

  get('/planner/overrides/:id', { can: 'user', returns: plannerOverride, summary: 'Get a planner override' }, (call) =>
    one(rows(planner_overrides, { where: only(call, call.id) })),
  ),

  post(
    '/planner/overrides',
    {
      can: 'user',
      params: { plannable_type: optional(text), plannable_id: optional(idField('content')), ...marks },
      returns: plannerOverride,
      status: 201,
      summary: 'Create a planner override',
    },
    async (narrow) => {
      const call = narrow;
      const { params } = narrow;
      const { db, me, now } = call;
      if (!params.plannable_type) throw badParameter('plannable_type', 'is missing');
      if (params.plannable_id === undefined) throw badParameter('plannable_id', 'is missing');
      const type = plannableType(params.plannable_type);
      if (!type) throw badParameter('plannable_type', 'is not a plannable type');
      const [[query]] = await db.perform([db.build.all<Plannable>(selectPlannable(type, params.plannable_id, call))]);
      const thing = found(query);
      const key = { user_id: me.id, plannable_type: thing.plannable_type, plannable_id: thing.plannable_id };
      const set = { marked_complete: params.marked_complete ?? false, dismissed: params.dismissed ?? false };
      // One override per item (reference 05 §10.4); a deleted one does not count.
      const removed = and(
        eq(planner_overrides.user_id, me.id),
        eq(planner_overrides.plannable_type, thing.plannable_type),
        eq(planner_overrides.plannable_id, thing.plannable_id),
        eq(planner_overrides.workflow_state, 'deleted'),
      );
      const kept: Statement = db.build.insert(planner_overrides).values({ ...key, ...set, created_at: now, updated_at: now });
      return write(
        [...markPlannableDone(thing, params.marked_complete, call), db.build.delete(planner_overrides).where(removed), kept],
        one(rows(planner_overrides, { where: eq(planner_overrides.id, sql`last_insert_rowid()`) })),
        markedOnce,
      );
    },
  ),

  put(
    '/planner/overrides/:id',
    { can: 'user', params: marks, returns: plannerOverride, summary: 'Update a planner override' },
    async (narrow) => {
      const call = narrow;
      const { id, params } = narrow;
      const { db, now } = call;
      const [[before]] = await db.perform([
        db.build.all<Plannable>(
          sql`select plannable_type, plannable_id, ${courseBehind} as course_id, '' as title from planner_overrides where ${only(call, id)}`,
        ),
      ]);
      return write(
        [
          ...markPlannableDone(found(before), params.marked_complete, call),
          db.build
            .update(planner_overrides)
            .set({ marked_complete: params.marked_complete ?? false, dismissed: params.dismissed ?? false, updated_at: now })
            .where(only(call, id)),
        ],
        one(rows(planner_overrides, { where: only(call, id) })),
      );
    },
  ),

  del('/planner/overrides/:id', { can: 'user', returns: plannerOverride, summary: 'Delete a planner override' }, async (call) => {
    const { db, now } = call;
    const [[before]] = await db.perform([db.build.select({ id: planner_overrides.id }).from(planner_overrides).where(only(call, call.id))]);
    const { id } = found(before);
    return write(
      [db.build.update(planner_overrides).set({ workflow_state: 'deleted', updated_at: now }).where(only(call, id))],
      one(rows(planner_overrides, { where: eq(planner_overrides.id, id) })),
    );
  }),
];

/** The course of the item that a row marks. */
const courseBehind = sql.raw(`case plannable_type when 'assignment' then (select course_id from assignments where id = plannable_id)
  when 'discussion_topic' then (select context_id from discussion_topics where id = plannable_id and context_type = 'Course')
  when 'quiz' then (select course_id from quizzes where id = plannable_id)
  when 'wiki_page' then (select context_id from pages where id = plannable_id and context_type = 'Course') end`);
