// Content exports: every endpoint, in the order of the API reference.

import { and, eq } from 'drizzle-orm';
import type { Call } from '../../http/call';
import { get, post } from '../../http/endpoint';
import { descending, rows } from '../../http/listing';
import { list, one } from '../../http/reply';
import { thePlace } from '../files/place';
import { createExport, exportParams } from './create';
import { contentExport } from './json';
import { listedExports, visibleExports } from './policy';
import { content_exports } from './table';

export const about = {
  title: 'Content exports',
  description: 'Courses as Common Cartridge, quizzes of a course as QTI, and files as zip archives.',
};

const newestFirst = descending(content_exports.id);

const places = ['/courses/:course_id', '/groups/:group_id', '/users/:user_id'] as const;

/** Readers of the course or group; the user themselves. */
const can = (call: Call): boolean => (call.course || call.group ? thePlace(call).reads && call.me.isKnown : (call.user?.isMe ?? false));

export const contentExportRoutes = places.flatMap((place) => {
  const all = `${place}/content_exports` as const;
  return [
    get(all, { can, returns: [contentExport], summary: 'List content exports' }, (call) =>
      list(rows(content_exports, { where: listedExports(call, newestFirst), order: newestFirst })),
    ),

    post(all, { can, params: exportParams, returns: contentExport, summary: 'Start a content export' }, (call) => createExport(call)),

    get(`${all}/:id`, { can, fresh: true, returns: contentExport, summary: 'Get a content export' }, (call) =>
      one(rows(content_exports, { where: and(eq(content_exports.id, call.id), visibleExports(call)) })),
    ),
  ];
});
