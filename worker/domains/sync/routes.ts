// The sync feed, Carrel's own API beside Canvas': /api/sync/v1.

import { idField, int, listOf, optional, text } from '@carrel/shared/wire/fields';
import { absolute, get } from '../../http/endpoint';
import { badParameter, problem } from '../../http/problem';
import { answer, rawResponse } from '../../http/reply';
import { objectOf, socketsOf } from '../../live/socket_objects';
import { here } from '../files/place';
import { changesPage } from './feed';
import { proofOf } from './proof';
import { receiptOf } from './receipts';

export const about = { title: 'Sync', description: "Carrel's own feed of changes for programs that keep a copy." };

const mostChanges = 1000;
const mostGradedCourses = 100;

export const syncRoutes = absolute(
  get(
    '/api/sync/v1/changes',
    {
      can: 'user',
      params: { cursor: optional(text), limit: optional(int), graded_course_ids: optional(listOf(idField('course'))) },
      returns: { json: null },
      summary: 'Get changes since a cursor',
    },
    async (call) => {
      const { cursor, limit = 500, graded_course_ids = [] } = call.params;
      if (limit < 1) throw badParameter('limit', `is not between 1 and ${mostChanges}`);
      if (graded_course_ids.length > mostGradedCourses) throw badParameter('graded_course_ids', `has more than ${mostGradedCourses} ids`);
      return answer(await changesPage(call, cursor === '' ? undefined : cursor, Math.min(limit, mostChanges), graded_course_ids));
    },
  ),
  get(
    '/api/sync/v1/receipts/:id',
    {
      can: 'user',
      params: { attempt: optional(int) },
      returns: { json: null },
      summary: 'Get a signed receipt for a submission attempt',
    },
    (call) => receiptOf(call, call.id, call.params.attempt),
  ),
  ...['courses/:course_id', 'groups/:group_id', 'users/:user_id'].map((place) =>
    get(
      `/api/sync/v1/${place}/proof`,
      {
        can: here('reads'),
        params: { after: optional(text) },
        returns: { json: null },
        summary: 'Get file hashes of a course, group or user',
      },
      async (call) => answer(await proofOf(call, call.params.after)),
    ),
  ),
  get(
    '/api/sync/v1/live',
    { can: 'user', returns: { json: null }, summary: 'Open a WebSocket that notifies of changes' },
    async ({ request, env, me, meter }) => {
      if (request.headers.get('upgrade')?.toLowerCase() !== 'websocket') throw problem(426, 'this endpoint requires a WebSocket');
      meter.object_calls += 1;
      const object = objectOf(me.id, env);
      const headers = { Upgrade: 'websocket', 'X-User': String(me.id), 'X-Object': String(object) };
      return rawResponse(await socketsOf(object, env).fetch('https://carrel.invalid/live', { headers }));
    },
  ),
);
