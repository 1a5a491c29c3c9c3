// Conferences: always empty, because no provider is connected (reference 05 §12).

import { optional, text } from '@carrel/shared/wire/fields';
import { get } from '../../http/endpoint';
import { answer } from '../../http/reply';

export const about = { title: 'Conferences', description: 'Web conferences of courses and groups.' };

const none = answer({ conferences: [] });
const returns = { json: null } as const;

export const conferenceRoutes = [
  ...(['/courses/:course_id/conferences', '/groups/:group_id/conferences'] as const).map((path) =>
    get(path, { can: 'read', returns, summary: 'List the conferences of a course or group' }, () => none),
  ),
  get(
    '/conferences',
    { can: 'user', params: { state: optional(text) }, returns, summary: "List the conferences of the caller's courses and groups" },
    () => none,
  ),
];
