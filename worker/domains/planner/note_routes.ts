// Planner notes: every endpoint, in the order of the API reference.

import { sanitise } from '@carrel/shared/html/sanitise';
import { idField, listOf, maybe, optional, referenceTo, text } from '@carrel/shared/wire/fields';
import { and, eq, gte, isNull, lte, or, sql } from 'drizzle-orm';
import { among } from '../../database/ids';
import type { Call } from '../../http/call';
import { del, get, post, put } from '../../http/endpoint';
import { ascending, rows } from '../../http/listing';
import { badParameter, found, Problem, problem } from '../../http/problem';
import { list, one, write } from '../../http/reply';
import { idsIn, readableCourses } from '../calendar_events/readable_contexts';
import { givenTimes, type Side, userZoneOf } from '../calendar_events/window';
import { checkNoteContext, linkGiven, todoDate } from './notes';
import { plannerNote } from './notes_json';
import { planner_notes } from './table';

const given = {
  title: optional(text),
  details: optional(maybe(text)),
  todo_date: optional(text),
  course_id: optional(maybe(idField('course'))),
};

export const badPlannerDate = (side: Side) => new Problem(400, { errors: `Invalid date or datetime for ${side}` });

const mine = ({ me }: Pick<Call, 'me'>) => and(eq(planner_notes.user_id, me.id), eq(planner_notes.workflow_state, 'active'));
const only = (call: Pick<Call, 'me'>, id: number) => and(eq(planner_notes.id, id), mine(call));

const linkedOnce = { 'planner_notes.linked_object_id': () => problem(400, 'a planner note linked to that object already exists') };

export const plannerNoteRoutes = [
  post(
    '/planner_notes',
    {
      can: 'user',
      params: { ...given, linked_object_type: optional(text), linked_object_id: optional(idField('content')) },
      returns: plannerNote,
      status: 201,
      summary: 'Create a planner note',
    },
    async (narrow) => {
      const call = narrow;
      const { params } = narrow;
      const link = linkGiven(params);
      const course_id = params.course_id ?? null;
      const todo_date = todoDate(params.todo_date, call);
      const title = (await checkNoteContext(course_id, link, call)) ?? '';
      if (!(params.title || title)) throw badParameter('title', 'is missing');
      return write(
        [
          call.db.build.insert(planner_notes).values({
            user_id: call.me.id,
            course_id,
            title: params.title || title,
            details: sanitise(params.details),
            todo_date,
            linked_object_type: link?.type,
            linked_object_id: link?.id,
            created_at: call.now,
            updated_at: call.now,
          }),
        ],
        one(rows(planner_notes, { where: eq(planner_notes.id, sql`last_insert_rowid()`) })),
        linkedOnce,
      );
    },
  ),

  get(
    '/planner_notes',
    {
      can: 'user',
      params: { start_date: optional(text), end_date: optional(text), context_codes: optional(listOf(referenceTo('context'))) },
      returns: [plannerNote],
      summary: 'List planner notes',
    },
    (call) => {
      const { start, end } = givenTimes(call.params, userZoneOf(call), badPlannerDate);
      const codes = call.params.context_codes;
      return list(
        rows(planner_notes, {
          where: and(
            mine(call),
            start === undefined ? undefined : gte(planner_notes.todo_date, start),
            end === undefined ? undefined : lte(planner_notes.todo_date, end),
            codes?.length
              ? or(
                  among(planner_notes.course_id, idsIn(codes, 'course')),
                  codes.includes(`user_${call.me.id}`) ? isNull(planner_notes.course_id) : undefined,
                )
              : undefined,
          ),
          order: ascending(planner_notes.todo_date, planner_notes.same_id),
        }),
      );
    },
  ),

  get('/planner_notes/:id', { can: 'user', returns: plannerNote, summary: 'Get a planner note' }, (call) =>
    one(rows(planner_notes, { where: only(call, call.id) })),
  ),

  put('/planner_notes/:id', { can: 'user', params: given, returns: plannerNote, summary: 'Update a planner note' }, async (narrow) => {
    const call = narrow;
    const { id, params } = narrow;
    const { db, now } = call;
    if (params.title !== undefined && params.title === '') throw badParameter('title', 'is missing');
    const todo_date = params.todo_date === undefined ? undefined : todoDate(params.todo_date, call);
    const movesTo = params.course_id;
    if (movesTo !== undefined) {
      const [[note], courses] = await db.perform([
        db.build.select().from(planner_notes).where(only(call, id)),
        db.build.all<{ course_id: number }>(sql`select course_id from (${readableCourses(sql`select ${movesTo ?? 0}`, call)})`),
      ]);
      if (found(note).linked_object_id !== null && movesTo !== note?.course_id)
        throw problem(400, 'course_id cannot be changed for linked planner notes');
      if (movesTo !== null) found(courses[0]);
    }
    return write(
      [
        db.build
          .update(planner_notes)
          .set({ title: params.title, details: sanitise(params.details), todo_date, course_id: movesTo, updated_at: now })
          .where(only(call, id)),
      ],
      one(rows(planner_notes, { where: only(call, id) })),
    );
  }),

  del('/planner_notes/:id', { can: 'user', returns: plannerNote, summary: 'Delete a planner note' }, async (call) => {
    const [[note]] = await call.db.perform([call.db.build.select({ id: planner_notes.id }).from(planner_notes).where(only(call, call.id))]);
    const { id } = found(note);
    return write(
      [call.db.build.update(planner_notes).set({ workflow_state: 'deleted', updated_at: call.now }).where(only(call, id))],
      one(rows(planner_notes, { where: eq(planner_notes.id, id) })),
    );
  }),
];
