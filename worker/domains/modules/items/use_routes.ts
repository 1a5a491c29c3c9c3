// Actions on module items: mark as done or read, follow a link, find the next item.

import { ModuleItemSequence } from '@carrel/shared/resources/module';
import { idField, int, optional, referenceTo, text } from '@carrel/shared/wire/fields';
import { sql } from 'drizzle-orm';
import { readId } from '../../../contexts/references';
import { del, get, post, put } from '../../../http/endpoint';
import { rows } from '../../../http/listing';
import { found, notFound, Problem, problem, unauthorized } from '../../../http/problem';
import { answer, one, rawResponse, write } from '../../../http/reply';
import { judgeLocks } from '../locks';
import { itemSeen, onlyModule } from '../policy';
import { isHeldBack, type ModuleFacts, type Progression } from '../progress/decide';
import { selectFacts } from '../progress/facts';
import { markRequirementDone, unmarkDone } from '../progress/marks';
import { evaluateStudent, recordMark } from '../progress/record';
import { module_items } from '../table';
import { whereTo } from './external_url';
import { moduleItem } from './json';
import { sequenceOf } from './sequence';

const place = '/courses/:course_id/modules/:module_id/items';
const moduleOf = (path: { readonly module_id: string }) => found(readId(path.module_id));

export const moduleItemUseRoutes = [
  put(`${place}/:id/done`, { can: 'participate_as_student', returns: moduleItem, summary: 'Mark a module item as done' }, (call) => {
    const { course, id, path } = call;
    const here = itemSeen(course, call, id, moduleOf(path));
    call.afterwards(() => evaluateStudent(call.db.aside, course.id, call.me.id, call.now));
    return write(markRequirementDone(call, course, here), one(rows(module_items, { where: here }), { message: 'OK' }));
  }),

  del(`${place}/:id/done`, { can: 'participate_as_student', returns: moduleItem, summary: 'Mark a module item as not done' }, (call) => {
    const { course, id, path } = call;
    const here = itemSeen(course, call, id, moduleOf(path));
    call.afterwards(() => evaluateStudent(call.db.aside, course.id, call.me.id, call.now));
    return write(unmarkDone(call, course, here), one(rows(module_items, { where: here }), { message: 'OK' }));
  }),

  post(`${place}/:id/mark_read`, { can: 'read', returns: { json: null }, summary: 'Mark a module item as read' }, async (call) => {
    const { db, course, id, path, me, now } = call;
    const module_id = moduleOf(path);
    const [[item], facts] = await db.perform([
      db.build
        .select({ position: module_items.position })
        .from(module_items)
        .where(itemSeen(course, call, id, module_id)),
      selectFacts(db, me.id, sql`select id from modules where ${onlyModule(course, call, module_id)}`),
    ]);
    const row = facts.find((one) => one.id === module_id);
    if (!item || !row) throw notFound();
    if (!course.participates) return answer({ message: 'OK' });
    const known = judgeLocks(facts, now);
    const isLocked = isHeldBack(
      known.facts.get(module_id) as ModuleFacts,
      known.progressions.get(module_id) as Progression,
      item.position,
      now,
    );
    if (isLocked) throw new Problem(403, { message: 'The module item is locked.' });
    call.afterwards(() => evaluateStudent(db.aside, course.id, me.id, now));
    return write(
      [recordMark(db, course.id, me.id, sql`i.id = ${id} and i.requirement_type is not null`, 'read', now)],
      answer({ message: 'OK' }),
    );
  }),

  get(
    '/courses/:course_id/module_item_redirect/:id',
    { can: 'read', returns: { json: null }, summary: 'Follow an external URL' },
    async (call) => {
      const { db, course, id, me, now, origin } = call;
      const [[item]] = await db.perform([
        db.build
          .select({ type: module_items.type, external_url: module_items.external_url })
          .from(module_items)
          .where(itemSeen(course, call, id)),
      ]);
      const link = found(item);
      if (link.type !== 'ExternalUrl' || !link.external_url) throw problem(400, 'incorrect module item type');
      const Location = whereTo(link.external_url, origin);
      if (course.participates) {
        const { aside } = db;
        const mark = recordMark(aside, course.id, me.id, sql`i.id = ${id} and i.requirement_type is not null`, 'read', now);
        call.afterwards(() => aside.perform([mark]).then(() => evaluateStudent(aside, course.id, me.id, now)));
      }
      return rawResponse(new Response(null, { status: 302, headers: { Location } }));
    },
  ),

  get(
    '/courses/:course_id/module_item_sequence',
    {
      can: 'read',
      params: { asset_type: optional(text), asset_id: optional(referenceTo('content')) },
      returns: { json: ModuleItemSequence },
      summary: 'Get the module item sequence',
    },
    async (call) => answer(await sequenceOf(call, call.course, call.params.asset_type, call.params.asset_id)),
  ),

  post(
    `${place}/:id/select_mastery_path`,
    {
      can: 'read',
      params: { assignment_set_id: optional(int), student_id: optional(idField('user')) },
      returns: { json: null },
      summary: 'Select a mastery path',
    },
    async (call) => {
      const { db, course, id, me, path, params } = call;
      const isOwn = params.student_id === undefined || params.student_id === me.id;
      if (!course.can('manage_assignments_edit') && !(isOwn && course.participates)) throw unauthorized();
      if (course.settings.conditional_release !== true) throw problem(400, 'mastery paths not enabled');
      if (params.assignment_set_id === undefined) throw problem(400, 'assignment_set_id required');
      const [[item]] = await db.perform([
        db.build
          .select({ type: module_items.type })
          .from(module_items)
          .where(itemSeen(course, call, id, moduleOf(path))),
      ]);
      if (found(item).type !== 'Assignment') throw problem(400, 'requested item is not an assignment');
      // No assignment has sets, so no id names one.
      throw notFound();
    },
  ),
];
