// iCalendar feeds at secret URLs that need no token (reference 05 §8.4, 06 §13.8).

import { iCalendar } from '@carrel/shared/wire/icalendar';
import { sql } from 'drizzle-orm';
import { feedNamed, isSealedFeed } from '../../../crypto/feed_address';
import type { Call } from '../../../http/call';
import { absolute, get } from '../../../http/endpoint';
import { notFound } from '../../../http/problem';
import { rawResponse } from '../../../http/reply';
import { unlessKnown } from '../../../http/unless_known';
import { feedEvents } from './events';

export const about = { title: 'Calendar feeds', description: 'Feeds in iCalendar format for calendar programs.' };

const uuidOf = (name: string): string => /^course_(\w{1,64})\.ics$/.exec(name)?.[1] ?? '';

/** The calendar of a feed URL and its name; 404 when the URL is invalid. */
function opened(name: string, { me, course, group }: Call) {
  const named = feedNamed(name);
  if (named && !(me.isKnown && isSealedFeed(name, named, me.user))) throw notFound();
  if (named?.kind === 'user') return { feed: named, title: me.user.name };
  if (named?.kind === 'group' && group?.canRead) return { feed: named, title: group.name };
  if (named?.kind !== 'group' && course?.canRead) return { feed: { kind: 'course' as const, id: course.id }, title: course.name };
  throw notFound();
}

const headers = { 'Content-Type': 'text/calendar; charset=utf-8', 'Content-Disposition': 'inline; filename="calendar.ics"' };

export const calendarFeedRoutes = absolute(
  get(
    '/feeds/calendars/:feed',
    {
      can: 'anyone',
      unscoped: true,
      withoutCaller: true,
      speaksFor: ({ feed = '' }) => sql`select id from users where id = ${feedNamed(feed)?.owner_id ?? 0}`,
      within: ({ feed = '' }) => {
        const named = feedNamed(feed);
        if (named?.kind === 'group') return { group: sql`select id from groups where id = ${named.id}` };
        if (named?.kind === 'course') return { course: sql`select id from courses where id = ${named.id}` };
        return { course: sql`select id from courses where uuid = ${uuidOf(feed)}` };
      },
      conditional: 'feed',
      returns: { json: null },
      summary: 'Get a calendar feed (iCalendar)',
    },
    async (narrow) => {
      const call = narrow;
      const { feed, title } = opened(narrow.path.feed, call);
      return rawResponse(await unlessKnown(iCalendar(title, await feedEvents(feed, call)), headers, call.request));
    },
  ),
);
