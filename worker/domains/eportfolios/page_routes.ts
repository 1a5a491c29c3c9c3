// Web pages to read and edit ePortfolios, at the same paths as in Canvas.

import { json, optional } from '@carrel/shared/wire/fields';
import { and, eq, sql } from 'drizzle-orm';
import type { Call } from '../../http/call';
import { absolute, get, post } from '../../http/endpoint';
import { unauthenticated } from '../../http/problem';
import { leadTo, signedIn, toLogin } from '../../site/page';
import { editOf, type Form } from './editing';
import { eportfolio } from './json';
import { editPage, listPage, missingPage, viewPage } from './page';
import { isBarred, ofOwner } from './policy';
import { loadShown, stringOf } from './shown';
import { eportfolios } from './table';
import { createEPortfolio, eportfolioParams, givenIn, isNewestEPortfolio, makeEportfolio } from './writes';

const pageOnly = { can: 'anyone', returns: { json: null } } as const;
const here = '/eportfolios';
const within = ofOwner('id');

const formOf = (tree: Call['tree']): Form => ({
  do: stringOf(tree.do),
  section: stringOf(tree.section),
  page: stringOf(tree.page),
  name: stringOf(tree.name),
  content: stringOf(tree.content),
  public: stringOf(tree.public),
});

/** The caller's own, newest first. */
async function showList(call: Pick<Call, 'db' | 'me'>, wrong?: string) {
  const { db, me } = call;
  const [own, [state]] = await db.perform([
    db.build
      .select()
      .from(eportfolios)
      .where(and(eq(eportfolios.user_id, me.id), eq(eportfolios.workflow_state, 'active')))
      .orderBy(sql`eportfolios.id desc`)
      .limit(100),
    db.build.all<{ barred: number }>(sql`select ${isBarred(me.id)} as barred`),
  ]);
  return listPage({ own, isBarred: state?.barred === 1, wrong });
}

const fields = {
  do: optional(json),
  section: optional(json),
  page: optional(json),
  name: optional(json),
  content: optional(json),
  public: optional(json),
};

export const eportfolioPageRoutes = absolute(
  get(here, { ...pageOnly, summary: "Show the caller's ePortfolios" }, (call) => (signedIn(call) ? showList(call) : toLogin(call))),

  // A browser form is redirected to the new ePortfolio; an API client receives JSON.
  post(here, { can: 'anyone', params: eportfolioParams, returns: eportfolio, summary: 'Create an ePortfolio' }, async (call) => {
    const { db, me, params } = call;
    if (!signedIn(call)) {
      if (!me.isKnown) throw unauthenticated();
      return makeEportfolio(call, givenIn(params));
    }
    const given = givenIn(params);
    if (given.name === undefined) return showList(call, 'Give the ePortfolio a name.');
    const [[state]] = await db.perform([db.build.all<{ barred: number }>(sql`select ${isBarred(me.id)} as barred`)]);
    if (state?.barred) return leadTo(here);
    const results = await db.perform([
      ...createEPortfolio(call, given),
      db.build.select({ id: eportfolios.id }).from(eportfolios).where(isNewestEPortfolio(call)),
    ]);
    const [made] = results.at(-1) as { id: number }[];
    return leadTo(`${here}/${made?.id}?edit=1`);
  }),

  get(`${here}/:id`, { ...pageOnly, within, summary: 'Show an ePortfolio' }, async (call) => {
    const found = await loadShown(call, call.id);
    if (!found) return signedIn(call) ? missingPage() : toLogin(call);
    return found.isChangeable && call.tree.edit !== undefined ? editPage(found) : viewPage(found);
  }),

  post(`${here}/:id`, { ...pageOnly, within, params: fields, summary: 'Edit an ePortfolio through its page' }, async (call) => {
    const { db, id, now } = call;
    const found = await loadShown(call, id);
    if (!found?.isChangeable) return leadTo(`${here}/${id}`);
    const form = formOf(call.tree);
    const edit = editOf(found, form, call);
    // On an error the form keeps the user's text.
    const shown = form.do === 'save_page' && found.shown ? { ...found.shown, content: form.content ?? '' } : found.shown;
    if (typeof edit === 'string') return editPage({ ...found, shown }, edit);
    const touch = db.build.update(eportfolios).set({ updated_at: now }).where(eq(eportfolios.id, id));
    const [first] = (await db.perform([...edit, touch])) as readonly unknown[];
    if (form.do === 'delete') return leadTo(here);
    const added = form.do === 'add_page' ? (first as { id: number }[])[0]?.id : undefined;
    const page = added ?? (form.do === 'delete_page' ? undefined : found.shown?.id);
    return leadTo(`${here}/${id}?edit=1${page === undefined ? '' : `&page=${page}`}`);
  }),
);
