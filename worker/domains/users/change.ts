// Updates a user: parameters, permissions, validation, and the rows to write.

import { bool, listOf, maybe, object, oneOf, optional, type Shape, text } from '@carrel/shared/wire/fields';
import { and, eq, ne, sql } from 'drizzle-orm';
import type { UserContext } from '../../contexts/user';
import type { Database, Statement } from '../../database/open';
import type { Call } from '../../http/call';
import { invalid, unauthorized } from '../../http/problem';
import { mayRenameThemselves } from './json';
import { isLocale, sortableName } from './names';
import { avatarStates, chosenAvatar, uploadedPictures } from './settings/avatars';
import { pronounsOf } from './settings/pronouns';
import { timeZone } from './settings/time_zones';
import { communication_channels, logins, users } from './table';
import { unconfirmed } from './unconfirmed';

const editable = {
  name: optional(text),
  short_name: optional(text),
  sortable_name: optional(text),
  time_zone: optional(maybe(text)),
  locale: optional(maybe(text)),
  email: optional(text),
  avatar: optional(object({ token: optional(text), url: optional(maybe(text)), state: optional(oneOf(...avatarStates)) })),
  title: optional(maybe(text)),
  bio: optional(maybe(text)),
  pronunciation: optional(maybe(text)),
  pronouns: optional(maybe(text)),
  links: optional(listOf(object({ url: text, title: optional(text) }))),
  event: optional(oneOf('suspend', 'unsuspend')),
};
type Given = Shape<typeof editable>;

export const userFields = { user: optional(object(editable)), override_sis_stickiness: optional(bool) };

const names = ['name', 'short_name', 'sortable_name'] as const;
const isBlank = (given: string) => given.trim() === '';
const isAddress = (given: string) => /^[^@\s]+@[^@\s]+$/.test(given);
const isWebAddress = (given: string) => /^https?:\/\/[^\s]+$/i.test(given);

/** @throws Problem 401 for fields that the caller may not change, or that no one may change at present */
function refuseWithoutRight(given: Given, call: Pick<Call, 'institution'> & { user: UserContext }): void {
  const { user } = call;
  if (user.can('manage_user_logins')) return;
  const renames = names.some((field) => given[field] !== undefined);
  if ((renames && !mayRenameThemselves(call)) || given.event || given.avatar?.state) throw unauthorized();
  if (given.avatar && user.avatar_state === 'locked') throw unauthorized();
}

/** @throws Problem 400 for an invalid value */
function refuseBadValues(given: Given, zone: string | null | undefined): void {
  if (given.name !== undefined && isBlank(given.name)) throw invalid('name', 'blank');
  for (const field of names) if ((given[field]?.length ?? 0) > 255) throw invalid(field, 'too_long');
  if (given.time_zone && zone === undefined) throw invalid('time_zone', 'invalid');
  if (given.locale && !isLocale(given.locale)) throw invalid('locale', 'invalid');
  if (given.email !== undefined && !isAddress(given.email)) throw invalid('email', 'invalid');
  if (given.avatar?.url && !isWebAddress(given.avatar.url)) throw invalid('avatar', 'invalid');
  if (given.links?.some(({ url }) => !isWebAddress(url))) throw invalid('links', 'invalid');
}

type Channels = readonly { id: number; address: string; workflow_state: string }[];

const addressesOf = (user_id: number) => and(eq(communication_channels.user_id, user_id), eq(communication_channels.type, 'email'));

/** Makes the address the first one; a new address is unconfirmed. */
function firstAddressBecomes(db: Database, user_id: number, address: string, channels: Channels, now: string): Statement[] {
  const same = channels.find((one) => one.workflow_state !== 'deleted' && one.address.toLowerCase() === address.toLowerCase());
  const created = { created_at: now, updated_at: now };
  return [
    db.build
      .update(communication_channels)
      .set({ position: same ? sql`case when id = ${same.id} then 1 else position + 1 end` : sql`position + 1`, updated_at: now })
      .where(addressesOf(user_id)),
    ...(same ? [] : [db.build.insert(communication_channels).values({ user_id, address, position: 1, ...unconfirmed(), ...created })]),
  ];
}

/** With `override_sis_stickiness=false`, SIS names changed by hand are kept. */
const unlessStuck = (given: Given, stuck: string | null, overrides: boolean): Given =>
  overrides
    ? given
    : { ...given, ...Object.fromEntries(names.filter((one) => stuck?.includes(`,${one},`)).map((one) => [one, undefined])) };

/** A blank short or sortable name is derived from the name again, as for a new user. */
const derivedWhereBlank = (given: string | undefined, derived: string): string | undefined =>
  given !== undefined && isBlank(given) ? derived : given;

/** @throws Problem 400 for pronouns that the institution does not offer */
function pronounsGiven({ pronouns }: Given, settings: Parameters<typeof pronounsOf>[0]): string | null | undefined {
  if (!pronouns) return pronouns;
  const offered = pronounsOf(settings, pronouns);
  if (offered === undefined) throw invalid('pronouns', 'inclusion');
  return offered;
}

/** A sortable name that was derived from the name changes with it. */
function nameColumns(given: Given, user: UserContext) {
  const name = given.name ?? user.name;
  const followsName = given.name !== undefined && user.sortable_name === sortableName(user.name);
  return {
    name: given.name,
    short_name: derivedWhereBlank(given.short_name, name),
    sortable_name: derivedWhereBlank(given.sortable_name, sortableName(name)) ?? (followsName ? sortableName(name) : undefined),
  };
}

/**
 * The avatar: one of those that are offered to the user, by token, or an address.
 * @throws Problem 400 for a token of another avatar
 */
async function avatarColumns(
  { avatar }: Given,
  pictures: Parameters<typeof chosenAvatar>[2],
  call: Pick<Call, 'origin' | 'env'> & { user: UserContext },
) {
  const chosen = avatar?.token ? await chosenAvatar(avatar.token, call.user, pictures, call) : avatar?.url;
  if (avatar?.token && chosen === undefined) throw invalid('avatar', 'invalid');
  const stateOfChoice = chosen === null ? 'none' : 'submitted';
  return {
    avatar_url: avatar?.state === 'none' ? null : chosen,
    avatar_state: avatar?.state ?? (chosen === undefined ? undefined : stateOfChoice),
  };
}

/**
 * The statements of an update.
 * @throws Problem 400 or 401
 */
export async function userChangeOf(
  call: Pick<Call, 'db' | 'me' | 'institution' | 'now' | 'origin' | 'env'> & {
    user: UserContext;
    params: { user?: Given; override_sis_stickiness?: boolean };
  },
): Promise<Statement[]> {
  const { db, user, params, institution, now } = call;
  const given = unlessStuck(params.user ?? {}, user.stuck_sis_fields, params.override_sis_stickiness !== false);
  refuseWithoutRight(given, call);
  const zone = given.time_zone ? timeZone(given.time_zone) : given.time_zone;
  refuseBadValues(given, zone);
  const pronouns = pronounsGiven(given, institution.root.settings);
  const [pictures, channels] = await db.perform([
    uploadedPictures(db, user.id),
    db.build.select().from(communication_channels).where(addressesOf(user.id)),
  ]);
  const avatar = await avatarColumns(given, pictures, call);
  return [
    db.build
      .update(users)
      .set({
        ...nameColumns(given, user),
        time_zone: zone,
        locale: given.locale,
        title: given.title,
        bio: given.bio,
        pronunciation: given.pronunciation,
        pronouns,
        ...avatar,
        settings: given.links && sql`json_set(settings, '$.links', json(${JSON.stringify(given.links)}))`,
        updated_at: now,
      })
      .where(eq(users.id, user.id)),
    ...(given.email === undefined ? [] : firstAddressBecomes(db, user.id, given.email, channels, now)),
    ...(given.event
      ? [
          db.build
            .update(logins)
            .set({ workflow_state: given.event === 'suspend' ? 'suspended' : 'active', updated_at: now })
            .where(and(eq(logins.user_id, user.id), ne(logins.workflow_state, 'deleted'))),
        ]
      : []),
  ];
}
