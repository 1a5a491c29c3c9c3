// The tabs of a group, and the preview of processed HTML.

import { sanitise } from '@carrel/shared/html/sanitise';
import { PreviewHtml } from '@carrel/shared/resources/course_answers';
import { Tab } from '@carrel/shared/resources/tab';
import { optional, text } from '@carrel/shared/wire/fields';
import { get, post } from '../../http/endpoint';
import { answer } from '../../http/reply';
import { tabsOfGroup } from './tabs';

export const groupPlaceRoutes = [
  get('/groups/:group_id/tabs', { can: 'read', returns: { json: Tab }, summary: 'List the tabs of a group' }, ({ group, origin }) =>
    answer(tabsOfGroup(group, origin)),
  ),
  post(
    '/groups/:group_id/preview_html',
    { can: 'read', params: { html: optional(text) }, returns: { json: PreviewHtml }, summary: 'Preview processed HTML' },
    ({ params }) => answer({ html: sanitise(params.html ?? '') }),
  ),
];
