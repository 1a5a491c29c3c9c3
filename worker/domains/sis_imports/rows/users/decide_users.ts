// Plans users and logins from rows of users.csv or logins.csv. Pure.

import { lookUp } from '@carrel/shared/wire/look_up';
import { stickyOf } from '../../../../database/sticky';
import { sortableName } from '../../../users/names';
import { userTypes } from '../../../users/table';
import { firstReason, flagOf, type ParsedRow, tooLong } from '../../row_rules';
import { acceptedValues, type StickyOptions } from '../../stickiness';
import type { ImportOptions } from '../../table';
import type { Notes } from '../../work';
import type { LoginFacts, PeopleFacts, UserFacts } from './user_facts';
import { findLogin, indexed, type KnownLogins, providerOf } from './which_login';

type UserWrite = Pick<UserFacts, 'id' | 'name' | 'sortable_name' | 'short_name' | 'pronouns' | 'workflow_state' | 'stuck_sis_fields'> & {
  readonly stuck: string | null;
};
type LoginWrite = Pick<
  LoginFacts,
  | 'unique_id'
  | 'sis_user_id'
  | 'integration_id'
  | 'workflow_state'
  | 'declared_user_type'
  | 'authentication_provider_id'
  | 'stuck_sis_fields'
> & {
  readonly password?: string;
  /** `{SSHA}…`, as SIS systems store it. */
  readonly hash?: string;
  /** Send a registration notification. */
  readonly isTold?: boolean;
};

export interface PeoplePlan {
  readonly newUsers: { uuid: string; name: string; sortable_name: string; short_name: string; pronouns: string | null }[];
  readonly users: UserWrite[];
  /** Of a new user, named by uuid, or of an existing one. */
  readonly newLogins: (LoginWrite & { uuid?: string; user_id?: number })[];
  readonly logins: (LoginWrite & { id: number; stuck: string | null })[];
  readonly newChannels: { address: string; sis_user_id: string; user_id?: number; uuid?: string; login_id?: number }[];
  readonly channels: { id: number; address: string; login_id: number }[];
  /** Users who have lost their last login. */
  readonly leaving: number[];
}

const states = { active: 'active', suspended: 'suspended', deleted: 'deleted' } as const;

interface Names {
  readonly name: string | undefined;
  readonly sortable_name: string | undefined;
  readonly short_name: string | undefined;
}

interface Person extends Names {
  readonly pronouns: string | undefined;
}

/** The names of a user in a row; undefined fields are unchanged. */
export function userNamesIn(cells: ParsedRow['cells']): Names {
  const { first_name, last_name } = cells;
  const whole = cells.full_name || [first_name, last_name].filter(Boolean).join(' ') || undefined;
  const inParts = last_name ? [last_name, first_name].filter(Boolean).join(', ') : undefined;
  return {
    name: whole,
    sortable_name: cells.sortable_name || (whole ? (inParts ?? sortableName(whole)) : undefined),
    short_name: cells.short_name || undefined,
  };
}

interface Given {
  readonly facts: PeopleFacts;
  readonly options: ImportOptions & StickyOptions;
  readonly notes: Notes;
  readonly uuid: () => string;
}

interface Planning extends Given {
  readonly known: KnownLogins;
  readonly plan: PeoplePlan;
}

/** The plan for a chunk of rows; no two rows are about the same login. */
export function planPeople(rows: readonly ParsedRow[], given: Given): PeoplePlan {
  const plan: PeoplePlan = { newUsers: [], users: [], newLogins: [], logins: [], newChannels: [], channels: [], leaving: [] };
  const planning = { ...given, known: indexed(given.facts), plan };
  for (const row of rows) planPerson(row, planning);
  return plan;
}

/** The reason why a row about this login, and for logins.csv this owner, cannot be applied. */
const refusalOf = (
  cells: ParsedRow['cells'],
  login: LoginFacts | undefined,
  owner: number | undefined,
  provider: number | undefined,
  { owners, superiors }: PeopleFacts,
): string | undefined =>
  firstReason(
    [owners !== undefined && owner === undefined, 'the existing user does not exist'],
    [owners !== undefined && login !== undefined && login.user_id !== owner, 'the login already belongs to another user'],
    [superiors?.has(login?.user_id ?? owner ?? 0) ?? false, 'the user has more permissions than the importer'],
    [[cells.login_id, cells.user_id, cells.full_name].some(tooLong), 'a value is longer than 255 characters'],
    [
      Boolean(cells.authentication_provider_id) && provider === undefined,
      `unknown authentication provider "${cells.authentication_provider_id}"`,
    ],
  );

function planPerson(row: ParsedRow, planning: Planning) {
  const { facts, options, notes } = planning;
  const { at, cells } = row;
  const found = findLogin(row, planning);
  if ('refusal' in found) return notes.warn(at, found.refusal);
  const { login } = found;
  const owner = facts.owners?.get(loginOwnerOf(cells));
  const provider = providerOf(cells, facts);
  const refusal = refusalOf(cells, login, owner, provider, facts);
  if (refusal !== undefined) return notes.warn(at, refusal);
  const status = facts.owners ? 'active' : lookUp(states, cells.status?.toLowerCase());
  if (status === 'deleted' && (!login || options.skip_deletes === true)) return notes.passed();
  const wanted: Wanted = {
    unique_id: cells.login_id,
    sis_user_id: cells.user_id,
    integration_id: cells.integration_id || undefined,
    workflow_state: status,
    declared_user_type: typeIn(row, notes),
    authentication_provider_id: provider,
  };
  const person = { ...userNamesIn(cells), pronouns: cells.pronouns || undefined };
  if (login) planLogin(row, planning, login, wanted, person);
  else planNew(row, planning, wanted, person, owner);
}

/** Records a change of a login's state. */
function noteState({ id, workflow_state: before }: LoginFacts, after: LoginFacts['workflow_state'], notes: Notes): void {
  if (after === before) return;
  if (after === 'deleted') notes.changed('Pseudonym', 'deleted', id, before, after);
  else if (before === 'deleted') notes.changed('Pseudonym', 'restored', id, before, after);
  else notes.changes.push({ model: 'Pseudonym', items: [[id, before, after]] });
}

function planLogin(row: ParsedRow, planning: Planning, login: LoginFacts, wanted: Wanted, person: Person): void {
  const { facts, options, notes, plan } = planning;
  const values = acceptedValues({ ...login }, wanted, stickyOf('logins'), options);
  const { password, hash } = login.has_password ? {} : secretIn(row, notes);
  if (values || password || hash)
    plan.logins.push({
      ...(login as LoginWrite),
      ...(values as Partial<LoginWrite>),
      password,
      hash,
      id: login.id,
      stuck: login.stuck_sis_fields,
    });
  const state = values?.workflow_state ?? login.workflow_state;
  noteState(login, state, notes);
  const user = facts.users.get(login.user_id);
  if (state === 'deleted') {
    if (user && login.workflow_state !== 'deleted' && user.live_logins <= 1) plan.leaving.push(user.id);
    notes.passed();
    return;
  }
  if (user && !facts.owners) planUser(user, person, planning);
  planChannel(row, planning, { user_id: login.user_id, login });
  notes.applied += 1;
}

/** A plain-text password takes precedence over a hashed one. */
function secretIn({ at, cells }: ParsedRow, notes: Notes): Pick<LoginWrite, 'password' | 'hash'> {
  const { password, ssha_password: hash } = cells;
  if (password || !hash) return { password: password || undefined };
  if (/^\{SSHA\}[A-Za-z0-9+/]{27,}={0,2}$/.test(hash)) return { hash };
  notes.warn(at, 'ssha_password is not {SSHA} followed by a salted hash; the password is unchanged');
  return {};
}

function typeIn({ at, cells }: ParsedRow, notes: Notes): string | undefined {
  const given = cells.declared_user_type?.toLowerCase() || undefined;
  if (given === undefined || (userTypes as readonly string[]).includes(given)) return given;
  notes.warn(at, `the type "${cells.declared_user_type}" is not one of ${userTypes.join(', ')}; it is unchanged`);
  return undefined;
}

export const loginOwnerOf = (cells: ParsedRow['cells']): string =>
  cells.existing_user_id
    ? `sis:${cells.existing_user_id}`
    : cells.existing_integration_id
      ? `integration:${cells.existing_integration_id}`
      : `id:${cells.existing_canvas_user_id ?? ''}`;

type Wanted = { [K in keyof Omit<LoginWrite, 'stuck_sis_fields' | 'password' | 'hash' | 'isTold'>]: LoginWrite[K] | undefined };

function planNew(
  row: ParsedRow,
  planning: Planning,
  wanted: Wanted,
  { name, sortable_name, short_name, pronouns }: Person,
  owner: number | undefined,
): void {
  const { cells } = row;
  const { plan } = planning;
  const secret = secretIn(row, planning.notes);
  const uuid = owner === undefined ? planning.uuid() : undefined;
  if (uuid !== undefined) {
    const called = name ?? cells.login_id ?? '';
    plan.newUsers.push({
      uuid,
      name: called,
      sortable_name: sortable_name ?? sortableName(called),
      short_name: short_name ?? called,
      pronouns: pronouns ?? null,
    });
  }
  plan.newLogins.push({
    uuid,
    user_id: owner,
    unique_id: cells.login_id ?? '',
    sis_user_id: cells.user_id ?? '',
    integration_id: wanted.integration_id ?? null,
    workflow_state: wanted.workflow_state ?? 'active',
    declared_user_type: wanted.declared_user_type ?? null,
    authentication_provider_id: wanted.authentication_provider_id ?? null,
    ...secret,
    isTold: flagOf(cells.canvas_password_notification) && !secret.password && !secret.hash,
    stuck_sis_fields: null,
  });
  planning.notes.tally('Pseudonym', 'created');
  planChannel(row, planning, { uuid, user_id: owner });
  planning.notes.applied += 1;
}

function planUser(user: UserFacts, person: Person, { options, plan }: Planning): void {
  // A derived sortable name changes only when the name itself changes.
  const wanted = { ...person, workflow_state: user.workflow_state === 'registered' ? undefined : 'registered' };
  const values = acceptedValues({ ...user }, wanted, stickyOf('users'), options);
  if (!values) return;
  const { id, name, sortable_name, short_name, pronouns, workflow_state, stuck_sis_fields } = {
    ...user,
    ...(values as Partial<UserFacts>),
  };
  plan.users.push({ id, name, sortable_name, short_name, pronouns, workflow_state, stuck_sis_fields, stuck: user.stuck_sis_fields });
}

function planChannel(
  { cells }: ParsedRow,
  { known, notes, plan }: Planning,
  whose: { uuid?: string; user_id?: number; login?: LoginFacts },
): void {
  const address = cells.email;
  if (!address || !/^[^@\s]+@[^@\s]+$/.test(address)) return;
  const { login, user_id, uuid } = whose;
  const theirs = (user_id === undefined ? undefined : known.channelsOf.get(user_id)) ?? [];
  const tied = theirs.find(({ id }) => id === login?.sis_communication_channel_id);
  const same = theirs.find((channel) => channel.address.toLowerCase() === address.toLowerCase() && channel.workflow_state !== 'deleted');
  if (tied && tied.address.toLowerCase() === address.toLowerCase() && tied.workflow_state === 'active') return;
  const used = same ?? tied;
  if (used && login) plan.channels.push({ id: used.id, address, login_id: login.id });
  else {
    plan.newChannels.push({ address, sis_user_id: cells.user_id ?? '', user_id, uuid, login_id: login?.id });
    notes.tally('CommunicationChannel', 'created');
  }
}
