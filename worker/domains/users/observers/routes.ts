// Observers and observees: every endpoint, in the order of the API reference.

import { object, optional, referenceTo, text } from '@carrel/shared/wire/fields';
import { and, eq, ne, type SQL, sql } from 'drizzle-orm';
import { gainsAtRoot } from '../../../contexts/course_role';
import { idOf } from '../../../contexts/references';
import type { UserContext } from '../../../contexts/user';
import { del, get, post, put } from '../../../http/endpoint';
import { ascending, rows } from '../../../http/listing';
import { found, notFound, refused, unauthorized } from '../../../http/problem';
import { answer, list, one, oneOr, write } from '../../../http/reply';
import { roles } from '../../roles/table';
import { outranks, selectRanks } from '../outranks';
import { observers, users } from '../table';
import { linkedUser, oneLinkedUser } from './json';
import { link, live, provenStudent, unlink } from './links';
import { insertPairingCode, isUsedBy, newPairingCode, notPaired, useCode } from './pairing';
import { mayEverMakeCodes, mayMakeCodes } from './policy';

export const about = { title: 'Observers', description: 'Links between observers and the students they observe.' };

const may = ['self', 'manage_user_observers'] as const;
const observees = '/users/:user_id/observees';
const where = { root_account_id: optional(referenceTo('account')) };

/** Users at the other end of a user's links, by id. */
const across = ({ id }: UserContext, whose: 'observees' | 'observers', only?: SQL) => {
  const [mine, theirs] =
    whose === 'observees' ? [observers.observer_id, observers.student_id] : [observers.student_id, observers.observer_id];
  return rows(users, {
    from: observers,
    join: (select) => select.innerJoin(users, eq(users.id, theirs)),
    where: and(eq(mine, id), ne(users.workflow_state, 'deleted'), only && sql`${theirs} = (${only})`),
    order: ascending(theirs),
  });
};

/** @throws Problem 404 for another root account */
function refuseOtherRoots({ root_account_id }: { root_account_id?: string }, root: { id: number; uuid: string }): void {
  if (root_account_id !== undefined && !['all', 'self', 'default', String(root.id)].includes(root_account_id)) throw notFound();
}

const observed = (id: string) => (id === 'self' ? sql`select 0 where 0` : idOf('user', id));

export const observerRoutes = [
  get(observees, { can: may, include: ['avatar_url'], returns: [linkedUser], summary: 'List observees' }, ({ user }) =>
    list(across(user, 'observees')),
  ),

  get('/users/:user_id/observers', { can: may, include: ['avatar_url'], returns: [linkedUser], summary: 'List observers' }, ({ user }) =>
    list(across(user, 'observers')),
  ),

  get(
    `${observees}/:observee`,
    { can: may, include: ['avatar_url'], returns: oneLinkedUser, summary: 'Get an observee' },
    ({ user, path }) => one(across(user, 'observees', observed(path.observee))),
  ),

  get(
    '/users/:user_id/observers/:observer',
    { can: may, include: ['avatar_url'], returns: oneLinkedUser, summary: 'Get an observer' },
    ({ user, path }) => one(across(user, 'observers', observed(path.observer))),
  ),

  post(
    observees,
    {
      can: may,
      params: {
        ...where,
        observee: optional(object({ unique_id: optional(text), password: optional(text) })),
        pairing_code: optional(text),
        // The student's token; the caller is identified by the header.
        access_token: optional(text),
      },
      returns: oneLinkedUser,
      summary: 'Add an observee with credentials',
    },
    async ({ db, user, params, institution, request, now }) => {
      refuseOtherRoots(params, institution.root);
      const code = params.pairing_code?.trim() || undefined;
      const token = request.headers.has('authorization') ? params.access_token : undefined;
      const { id: student_id, proven } = await provenStudent(db, { ...params.observee, token, code }, { request, now });
      if (student_id === user.id) throw refused(422, 'Users cannot observe themselves.');
      const condition = code === undefined ? undefined : isUsedBy(code, user.id);
      return write(
        [...proven, ...(code === undefined ? [] : [useCode(db, code, user.id, now)]), ...link(db, user.id, student_id, now, condition)],
        oneOr(across(user, 'observees', sql`select ${student_id}`), () => notPaired()),
      );
    },
  ),

  put(
    `${observees}/:observee`,
    { can: 'manage_user_observers', params: where, returns: oneLinkedUser, summary: 'Add an observee' },
    async (call) => {
      const { db, user, path, params, institution, now } = call;
      refuseOtherRoots(params, institution.root);
      const [[student], [role], ...held] = await db.perform([
        db.build
          .select({ id: users.id })
          .from(users)
          .where(live(observed(path.observee))),
        db.build
          .select()
          .from(roles)
          .where(and(eq(roles.workflow_state, 'built_in'), eq(roles.name, 'ObserverEnrollment'))),
        ...selectRanks(call, observed(path.observee)),
      ]);
      const { id } = found(student);
      if (!outranks(call, held) || (user.isMe && gainsAtRoot(call, role))) throw unauthorized();
      if (id === user.id) throw refused(422, 'Users cannot observe themselves.');
      return write(link(db, user.id, id, now), one(across(user, 'observees', sql`select ${id}`)));
    },
  ),

  del(
    `${observees}/:observee`,
    { can: may, params: where, returns: oneLinkedUser, summary: 'Remove an observee' },
    async ({ db, user, path, params, institution, now }) => {
      refuseOtherRoots(params, institution.root);
      const [[student]] = await db.perform([
        db.build
          .select({ id: observers.student_id })
          .from(observers)
          .where(and(eq(observers.observer_id, user.id), sql`${observers.student_id} = (${observed(path.observee)})`)),
      ]);
      const { id } = found(student);
      return write(unlink(db, user.id, id, now), one(rows(users, { where: eq(users.id, id) })));
    },
  ),

  post(
    '/users/:user_id/observer_pairing_codes',
    { can: mayEverMakeCodes, returns: { json: null }, summary: 'Create a pairing code' },
    async (call) => {
      const { db, user, now } = call;
      if (!(await mayMakeCodes(call))) throw unauthorized();
      const code = newPairingCode(user.id, now);
      return write([insertPairingCode(db, code, now)], answer(code));
    },
  ),
];
