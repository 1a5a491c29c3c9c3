// User preferences: settings, colours, dashboard positions, avatars.

import { bool, int, mapOf, optional, text } from '@carrel/shared/wire/fields';
import { lookUp } from '@carrel/shared/wire/look_up';
import { eq, sql } from 'drizzle-orm';
import type { UserContext } from '../../../contexts/user';
import type { Database } from '../../../database/open';
import { get, put } from '../../../http/endpoint';
import { badParameter, notFound, problem } from '../../../http/problem';
import { answer, write } from '../../../http/reply';
import { users } from '../table';
import { avatarsOf, uploadedPictures } from './avatars';

const settings = [
  'manual_mark_as_read',
  'release_notes_badge_disabled',
  'collapse_global_nav',
  'collapse_course_nav',
  'hide_dashcard_color_overlays',
  'comment_library_suggestions_enabled',
  'elementary_dashboard_disabled',
  'widget_dashboard_user_preference',
] as const;
const settable = Object.fromEntries(settings.map((name) => [name, optional(bool)])) as Record<
  (typeof settings)[number],
  ReturnType<typeof optional<typeof bool>>
>;

const objectAt = (user: UserContext, name: string) => (lookUp(user.settings, name) ?? {}) as Record<string, unknown>;
const settingsOf = (user: UserContext) => Object.fromEntries(settings.map((name) => [name, user.settings[name] === true]));

/** Merges into the stored settings in SQL, so that concurrent changes are both kept. */
const merge = (db: Database, user: UserContext, change: object, now: string) =>
  db.build
    .update(users)
    .set({ settings: sql`json_patch(settings, ${JSON.stringify(change)})`, updated_at: now })
    .where(eq(users.id, user.id));

/** `#` and 3, 4, 6 or 8 hex digits. */
function hexcode(given: string | undefined): string {
  const digits = /^#?([0-9a-f]{3}|[0-9a-f]{4}|[0-9a-f]{6}|[0-9a-f]{8})$/i.exec(given ?? '')?.[1];
  if (!digits) throw problem(400, 'Invalid Hexcode Provided');
  return `#${digits}`;
}

const asset = /^(course|group|user|account)_\d{1,15}$/;

/** Whether a context belongs to the user: their courses, themselves, and accounts they administer. */
const seesAsset = (db: Database, user: UserContext, asset_string: string) => {
  const [kind = '', given = ''] = asset_string.split('_');
  const id = Number(given);
  const administers = sql`exists (select 1 from admins where admins.user_id = ${user.id} and admins.workflow_state = 'active')`;
  const there = lookUp(
    {
      course: sql`exists (select 1 from courses where courses.id = ${id} and courses.workflow_state <> 'deleted') and (${administers}
      or exists (select 1 from enrollments where enrollments.user_id = ${user.id} and enrollments.course_id = ${id} and enrollments.enrollment_state not in ('deleted', 'rejected')))`,
      user: sql`${user.id} = ${id}`,
      account: sql`${administers} and exists (select 1 from accounts where accounts.id = ${id} and accounts.workflow_state <> 'deleted')`,
    },
    kind,
  );
  return db.build.all<{ there: number }>(sql`select ${there ?? sql`0`} as there`);
};

export const preferenceRoutes = [
  get('/users/:user_id/avatars', { can: 'self_or_admin', returns: { json: null }, summary: 'List avatar options' }, async (call) => {
    const { db, user } = call;
    const [pictures] = await db.perform([uploadedPictures(db, user.id)]);
    return answer(await avatarsOf(user, pictures, call));
  }),

  get('/users/:user_id/settings', { can: 'self_or_admin', returns: { json: null }, summary: 'Get user settings' }, ({ user }) =>
    answer(settingsOf(user)),
  ),

  put(
    '/users/:user_id/settings',
    { can: 'self', params: settable, returns: { json: null }, summary: 'Update user settings' },
    ({ db, user, params, now }) => {
      const sent = Object.fromEntries(Object.entries(params).filter(([, value]) => value !== undefined));
      return write([merge(db, user, sent, now)], answer({ ...settingsOf(user), ...sent }));
    },
  ),

  get('/users/:user_id/colors', { can: 'self_or_admin', returns: { json: null }, summary: 'Get custom colors' }, ({ user }) =>
    answer({ custom_colors: objectAt(user, 'custom_colors') }),
  ),

  get(
    '/users/:user_id/colors/:asset_string',
    { can: 'self_or_admin', returns: { json: null }, summary: 'Get a custom color' },
    ({ user, path }) => {
      const stored = lookUp(objectAt(user, 'custom_colors'), path.asset_string);
      if (stored === undefined) throw notFound();
      return answer({ hexcode: stored });
    },
  ),

  put(
    '/users/:user_id/colors/:asset_string',
    { can: 'self_or_admin', params: { hexcode: optional(text) }, returns: { json: null }, summary: 'Update a custom color' },
    async ({ db, user, path, params, now }) => {
      if (!asset.test(path.asset_string)) throw notFound();
      const hex = hexcode(params.hexcode);
      const [[seen]] = await db.perform([seesAsset(db, user, path.asset_string)]);
      if (!seen?.there) throw notFound();
      return write([merge(db, user, { custom_colors: { [path.asset_string]: hex } }, now)], answer({ hexcode: hex }));
    },
  ),

  get(
    '/users/:user_id/dashboard_positions',
    { can: 'self_or_admin', returns: { json: null }, summary: 'Get dashboard positions' },
    ({ user }) => answer({ dashboard_positions: objectAt(user, 'dashboard_positions') }),
  ),

  put(
    '/users/:user_id/dashboard_positions',
    {
      can: 'self_or_admin',
      params: { dashboard_positions: optional(mapOf(int, 'context')) },
      returns: { json: null },
      summary: 'Update dashboard positions',
    },
    ({ db, user, params, now }) => {
      const sent = params.dashboard_positions ?? {};
      for (const [name, position] of Object.entries(sent)) {
        if (!asset.test(name)) throw badParameter(`dashboard_positions[${name}]`, 'is not a context');
        if (Math.abs(position) > 1000) throw problem(400, `${position} is out of range: positions are between -1000 and 1000`);
      }
      return write(
        [merge(db, user, { dashboard_positions: sent }, now)],
        answer({ dashboard_positions: { ...objectAt(user, 'dashboard_positions'), ...sent } }),
      );
    },
  ),
];
