// ePortfolios: every endpoint, in the order of the API reference.

import { optional, text } from '@carrel/shared/wire/fields';
import { and, eq } from 'drizzle-orm';
import { readId } from '../../contexts/references';
import { del, get, post, put } from '../../http/endpoint';
import { ascending, rows } from '../../http/listing';
import { found, notFound, problem, unauthorized } from '../../http/problem';
import { all, judged, list, one, oneOr, write } from '../../http/reply';
import { eportfolio, eportfolioPage } from './json';
import { editableEPortfolio, moderates, ofOwner, readableEPortfolio } from './policy';
import { eportfolio_pages, eportfolios, judgements } from './table';
import { deleteEPortfolio, eportfolioParams, givenIn, makeEportfolio, updateEPortfolio } from './writes';

export const about = { title: 'ePortfolios', description: 'Portfolios of users with their sections and pages.' };

const within = ofOwner('id');
const spam = { spam_status: optional(text) };

/** @throws Problem 400 for an unknown value */
function judgement(given: string | undefined): (typeof judgements)[number] {
  const known = judgements.find((one) => one === given);
  if (!known) throw problem(400, `spam_status must be one of ${judgements.join(', ')}`);
  return known;
}

const itself = (id: number) => rows(eportfolios, { where: eq(eportfolios.id, id) });

export const eportfolioRoutes = [
  get(
    '/users/:user_id/eportfolios',
    { can: ['self', 'moderate_user_content'], include: ['deleted'], returns: [eportfolio], summary: 'List the ePortfolios of a user' },
    ({ user, include }) => {
      const isWhole = include.has('deleted') && moderates(user);
      return list(
        rows(eportfolios, { where: and(eq(eportfolios.user_id, user.id), isWhole ? undefined : eq(eportfolios.workflow_state, 'active')) }),
      );
    },
  ),

  post(
    '/users/:user_id/eportfolios',
    { can: 'self', params: eportfolioParams, returns: eportfolio, summary: 'Create an ePortfolio for the current user' },
    (call) => makeEportfolio(call, givenIn(call.params)),
  ),

  post('/eportfolios', { can: 'user', params: eportfolioParams, returns: eportfolio, summary: 'Create an ePortfolio' }, (call) =>
    makeEportfolio(call, givenIn(call.params)),
  ),

  get('/eportfolios/:id', { can: 'user', within, returns: eportfolio, summary: 'Get an ePortfolio' }, ({ id, user }) =>
    oneOr(rows(eportfolios, { where: readableEPortfolio(id, user) }), user?.isMe ? notFound : unauthorized),
  ),

  put(
    '/eportfolios/:id',
    { can: 'user', within, params: eportfolioParams, returns: eportfolio, summary: 'Update an ePortfolio' },
    async (call) => {
      const { db, id, me, user, params } = call;
      const given = givenIn(params);
      if (!found(user).isMe) throw unauthorized();
      const [there, open] = await db.perform([
        db.build.select({ id: eportfolios.id }).from(eportfolios).where(readableEPortfolio(id, user)),
        db.build.select({ id: eportfolios.id }).from(eportfolios).where(editableEPortfolio(id, me)),
      ]);
      found(there[0]);
      if (!open[0]) throw unauthorized();
      return write([updateEPortfolio(call, id, given)], one(itself(id)));
    },
  ),

  del('/eportfolios/:id', { can: 'user', within, returns: eportfolio, summary: 'Delete an ePortfolio' }, ({ db, id, user, now }) => {
    const owner = found(user);
    if (!owner.isMe && !moderates(owner)) throw unauthorized();
    return write([deleteEPortfolio({ db, now }, id)], one(itself(id)));
  }),

  get(
    '/eportfolios/:eportfolio_id/pages',
    { can: 'user', within: ofOwner('eportfolio_id'), returns: [eportfolioPage], summary: 'List the pages of an ePortfolio' },
    ({ db, path, user }) => {
      const id = found(readId(path.eportfolio_id));
      return judged(
        db.build.select({ id: eportfolios.id }).from(eportfolios).where(readableEPortfolio(id, user)),
        (seen) => {
          if (seen.length === 0) throw user?.isMe ? notFound() : unauthorized();
        },
        list(
          rows(eportfolio_pages, {
            where: eq(eportfolio_pages.eportfolio_id, id),
            order: ascending(eportfolio_pages.position, eportfolio_pages.id),
          }),
        ),
      );
    },
  ),

  put(
    '/eportfolios/:eportfolio_id/moderate',
    { can: 'user', within: ofOwner('eportfolio_id'), params: spam, returns: eportfolio, summary: 'Moderate an ePortfolio' },
    ({ db, path, user, params, now }) => {
      if (!moderates(found(user))) throw unauthorized();
      const id = found(readId(path.eportfolio_id));
      const set = { spam_status: judgement(params.spam_status), updated_at: now };
      return write([db.build.update(eportfolios).set(set).where(eq(eportfolios.id, id))], one(itself(id)));
    },
  ),

  put(
    '/users/:user_id/eportfolios',
    { can: 'moderate_user_content', params: spam, returns: [eportfolio], summary: 'Moderate all ePortfolios of a user' },
    ({ db, user, params, now }) => {
      const where = and(eq(eportfolios.user_id, user.id), eq(eportfolios.workflow_state, 'active'));
      const set = { spam_status: judgement(params.spam_status), updated_at: now };
      return write([db.build.update(eportfolios).set(set).where(where)], all(rows(eportfolios, { where })));
    },
  ),

  put(
    '/eportfolios/:eportfolio_id/restore',
    { can: 'user', within: ofOwner('eportfolio_id'), returns: eportfolio, summary: 'Restore an ePortfolio' },
    ({ db, path, user, now }) => {
      if (!moderates(found(user))) throw unauthorized();
      const id = found(readId(path.eportfolio_id));
      return write(
        [db.build.update(eportfolios).set({ workflow_state: 'active', deleted_at: null, updated_at: now }).where(eq(eportfolios.id, id))],
        one(itself(id)),
      );
    },
  ),
];
