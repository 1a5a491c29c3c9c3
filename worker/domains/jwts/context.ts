// The context of a JWT: a course, user or account, named by type and by id or uuid.

import { lookUp } from '@carrel/shared/wire/look_up';
import { type SQL, sql } from 'drizzle-orm';
import { idOf } from '../../contexts/references';
import type { Call } from '../../http/call';
import { Problem } from '../../http/problem';

type Kind = 'course' | 'user' | 'account';
const kinds: Readonly<Record<string, Kind>> = { course: 'course', user: 'user', account: 'account' };

interface Named {
  readonly context_type?: unknown;
  readonly context_id?: unknown;
  readonly context_uuid?: unknown;
}

const given = (value: unknown): string | undefined =>
  (typeof value === 'string' && value !== '') || typeof value === 'number' ? String(value) : undefined;

const kindOf = ({ context_type }: Named): Kind | undefined => lookUp(kinds, given(context_type)?.toLowerCase());

/** For trip 1, which loads the context as it would from a path. */
export function contextIdsOf(named: Named): Record<Kind, SQL | undefined> {
  const [kind, id, uuid] = [kindOf(named), given(named.context_id), given(named.context_uuid)];
  const nowhere = { course: undefined, user: undefined, account: undefined };
  if (!kind || (id === undefined) === (uuid === undefined)) return nowhere;
  const place =
    uuid !== undefined ? idOf(kind, `uuid:${uuid}`) : kind === 'user' && id === 'self' ? sql`select id from who` : idOf(kind, id ?? '');
  return { ...nowhere, [kind]: place };
}

const refused = (status: number, error: string) => new Problem(status, { error });

/** @throws Problem 400 unless the parameters name one context, or when a required one is missing */
export function checkNamed(named: Named, isNeeded: boolean): void {
  const [type, id, uuid] = [given(named.context_type), given(named.context_id), given(named.context_uuid)];
  if (id !== undefined && uuid !== undefined) throw refused(400, 'Should provide context_id or context_uuid, but not both.');
  if ((id !== undefined || uuid !== undefined) && type === undefined) throw refused(400, 'Missing context_type parameter.');
  if (isNeeded && type === undefined) throw refused(400, 'Missing context_type parameter.');
  if (type !== undefined && kindOf(named) === undefined) throw refused(400, 'Invalid context_type parameter.');
  if (type !== undefined && id === undefined && uuid === undefined && isNeeded)
    throw refused(400, 'Missing context_id or context_uuid parameter.');
}

type Standing = Pick<Call, 'course' | 'user' | 'account'>;

const isReadable = ({ course, user, account }: Standing, kind: Kind): boolean => {
  if (kind === 'course') return course?.canRead ?? false;
  if (kind === 'account') return account?.isAdmin ?? false;
  return (
    user !== undefined &&
    (user.isMe ||
      user.isObservedByMe ||
      user.sharesCourse ||
      user.sharesRosterAsStaff ||
      user.can('read_roster') ||
      user.can('manage_user_logins'))
  );
};

/**
 * The context for the claims; empty when none was named.
 * @throws Problem 404 for an unknown context, 401 for one that the caller may not read
 */
export function jwtContextOf(call: Standing, named: Named): { context_type: string; context_id: string } | undefined {
  const kind = kindOf(named);
  if (!kind || (given(named.context_id) === undefined && given(named.context_uuid) === undefined)) return undefined;
  const place = call[kind];
  if (!place || place.workflow_state === 'deleted') throw refused(404, 'Context not found.');
  if (isReadable(call, kind)) return { context_type: `${kind[0]?.toUpperCase()}${kind.slice(1)}`, context_id: String(place.id) };
  // A user who is not visible to the caller gets the same response as an unknown one.
  throw kind === 'user' ? refused(404, 'Context not found.') : refused(401, 'You may not read this context.');
}
