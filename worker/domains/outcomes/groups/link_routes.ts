// Outcomes in groups: list, create, link, move, unlink and import, in the order of the API reference.

import { Progress } from '@carrel/shared/resources/progress';
import { cut } from '@carrel/shared/resources/resource';
import { bool, idField, optional } from '@carrel/shared/wire/fields';
import { and, eq, type SQL, sql } from 'drizzle-orm';
import { readId } from '../../../contexts/references';
import { among } from '../../../database/ids';
import type { Call } from '../../../http/call';
import { del, get, post, put } from '../../../http/endpoint';
import { claimRow } from '../../../http/idempotency';
import { ascending, rows } from '../../../http/listing';
import { found, Problem } from '../../../http/problem';
import { answer, judged, list, one, type Reply, rawResponse, write } from '../../../http/reply';
import { planListing } from '../../../http/serializer';
import { isAvailableIn, presentOutcome } from '../../../rules/available_outcomes';
import { finishedProgress } from '../../progress/progress';
import { progress } from '../../progress/table';
import { managesOutcomes, type OutcomeContext, outcomeContextOf, outcomePathOf, outcomePlaces, readsOutcomes } from '../context';
import { outcomeColumnsOf, outcomeParams } from '../input';
import { outcomeGroup, outcomeLink } from '../json';
import { isAligned, onlyOutcomeGroup } from '../policy';
import { learning_outcome_groups, learning_outcome_links, learning_outcomes } from '../table';
import { groupError, styleParams } from './input';
import { type CopiedGroup, copyTree, firstOfCopy, groupsBelow, linkOutcome, unlinkOutcome } from './writes';

const newestOutcome = sql`(select max(o.id) from learning_outcomes o)`;
const inGroup = (group: number) => eq(learning_outcome_links.learning_outcome_group_id, group);
const linkOf = (group: number, outcome: number | SQL): SQL =>
  and(inGroup(group), sql`${learning_outcome_links.learning_outcome_id} = ${outcome}`) as SQL;
const onlyLink = (group: number, outcome: number | SQL) => one(rows(learning_outcome_links, { where: linkOf(group, outcome) }));

type Asking = Pick<Call, 'db' | 'now' | 'course' | 'account'> & { readonly id: number };

const groupThere = ({ db, id }: Pick<Asking, 'db' | 'id'>, context: OutcomeContext) =>
  db.build.select({ id: learning_outcome_groups.id }).from(learning_outcome_groups).where(onlyOutcomeGroup(context, id));

const availableOutcome = ({ db }: Pick<Asking, 'db'>, context: OutcomeContext, id: number) =>
  db.build
    .select({ id: learning_outcomes.id })
    .from(learning_outcomes)
    .where(and(eq(learning_outcomes.id, id), presentOutcome, isAvailableIn(context)));

/** Links an outcome that the context may use, or takes it out of another of its groups. */
async function putOutcome(call: Asking, outcome: number, move_from: number | undefined): Promise<Reply> {
  const { db, id, now } = call;
  const context = outcomeContextOf(call);
  const [[group], [known], [source]] = await db.perform([
    groupThere(call, context),
    availableOutcome(call, context, outcome),
    db.build
      .select({ id: learning_outcome_links.id })
      .from(learning_outcome_links)
      .where(
        and(
          linkOf(move_from ?? 0, outcome),
          sql`exists (select 1 from ${learning_outcome_groups} where ${onlyOutcomeGroup(context, move_from ?? 0)})`,
        ),
      ),
  ]);
  found(group);
  if (!known || (move_from !== undefined && !source)) throw groupError();
  const moved =
    move_from === undefined || move_from === id ? [] : [db.build.delete(learning_outcome_links).where(linkOf(move_from, outcome))];
  return write([linkOutcome(db, context, sql`${id}`, sql`${outcome}`, now), ...moved], onlyLink(id, outcome));
}

/** Groups that one import copies at most. */
const mostGroups = 500;

/** The tree of a group that the context may copy, its root first. */
const treeOf = ({ db }: Pick<Asking, 'db'>, { type, id, chain }: OutcomeContext, source: number) => {
  const isUsable = sql`((${eq(learning_outcome_groups.context_type, type)} and ${learning_outcome_groups.context_id} = ${id})
    or (${learning_outcome_groups.context_type} = 'Account' and ${among(learning_outcome_groups.context_id, chain)}) or ${learning_outcome_groups.context_type} = 'Global')`;
  return db.build
    .select({
      id: learning_outcome_groups.id,
      parent: learning_outcome_groups.parent_outcome_group_id,
      title: learning_outcome_groups.title,
      description: learning_outcome_groups.description,
      vendor_guid: learning_outcome_groups.vendor_guid,
    })
    .from(learning_outcome_groups)
    .where(
      and(eq(learning_outcome_groups.workflow_state, 'active'), sql`${learning_outcome_groups.id} in (${groupsBelow(source)})`, isUsable),
    )
    .limit(mostGroups + 1);
};

/** In an order in which parents precede their groups. */
function inTreeOrder(groups: readonly CopiedGroup[], source: number): CopiedGroup[] {
  const root = groups.find(({ id }) => id === source);
  const ordered: CopiedGroup[] = root ? [{ ...root, parent: null }] : [];
  for (const group of ordered) ordered.push(...groups.filter(({ parent }) => parent === group.id));
  return ordered;
}

/** Makes the copy at once, and responds with a Progress of the completed work. */
async function copyInBackground(
  call: Pick<Call, 'db' | 'me' | 'now' | 'idempotency' | 'origin' | 'institution'>,
  context: OutcomeContext,
  copies: readonly ReturnType<typeof linkOutcome>[],
  count: number,
): Promise<Reply> {
  const { db, me, now, idempotency, origin } = call;
  const group = firstOfCopy(count);
  const path = `${outcomePathOf({ context_type: context.type, context_id: context.id })}/outcome_groups/`;
  const results = sql`json_object('outcome_group_id', ${group}, 'outcome_group_url', ${path} || ${group})`;
  const place =
    context.type === 'Global'
      ? { context_type: 'Account', context_id: call.institution.root.id }
      : { context_type: context.type, context_id: context.id };
  const answers = await db.perform([
    ...copies,
    finishedProgress(db, { ...place, user_id: me.id, tag: 'import_outcome_group', results }, now),
    db.build.select().from(progress).where(eq(progress.id, sql`last_insert_rowid()`)),
    ...(idempotency ? [claimRow(db, { user_id: me.id, idempotency, now, row_ids: sql`(select json_array(${group}))` })] : []),
  ]);
  const [made] = answers[copies.length + 1] as (typeof progress.$inferSelect)[];
  return rawResponse(Response.json(cut(Progress, { ...found(made), url: `${origin}/api/v1/progress/${made?.id}` })));
}

export const outcomeLinkRoutes = outcomePlaces.flatMap((place) => {
  const group = `${place}/outcome_groups/:id` as const;
  const it = `${group}/outcomes/:outcome_id` as const;
  return [
    get(
      `${group}/outcomes`,
      { can: readsOutcomes, params: styleParams, returns: [outcomeLink], summary: 'List outcomes of a group' },
      (call) => {
        const order = ascending(learning_outcome_links.title, learning_outcome_links.id);
        const ofGroup = list(rows(learning_outcome_links, { where: inGroup(call.id), order }));
        return judged(groupThere(call, outcomeContextOf(call)), ([there]) => void found(there), ofGroup);
      },
    ),

    post(
      `${group}/outcomes`,
      {
        can: managesOutcomes,
        params: { ...outcomeParams, ...styleParams, outcome_id: optional(idField('learning_outcome')) },
        returns: outcomeLink,
        summary: 'Create an outcome in a group, or link an existing one',
      },
      async (call) => {
        const { db, id, now, params } = call;
        if (params.outcome_id !== undefined) return putOutcome(call, params.outcome_id, undefined);
        const context = outcomeContextOf(call);
        const [[there]] = await db.perform([groupThere(call, context)]);
        found(there);
        return write(
          [
            db.build.insert(learning_outcomes).values({
              ...outcomeColumnsOf(params),
              context_type: context.type,
              context_id: context.id,
              created_at: now,
              updated_at: now,
            }),
            linkOutcome(db, context, sql`${id}`, newestOutcome, now),
          ],
          onlyLink(id, newestOutcome),
        );
      },
    ),

    put(
      it,
      {
        can: managesOutcomes,
        params: { ...styleParams, move_from: optional(idField('outcome_group')) },
        returns: outcomeLink,
        summary: 'Link an outcome to a group, or move it there',
      },
      async (call) => putOutcome(call, found(readId(call.path.outcome_id)), call.params.move_from),
    ),

    del(
      it,
      { can: managesOutcomes, params: styleParams, returns: outcomeLink, summary: 'Remove an outcome from a group' },
      async (call) => {
        const { db, id, now } = call;
        const outcome = found(readId(call.path.outcome_id));
        const isHere = sql`exists (select 1 from ${learning_outcome_groups} where ${onlyOutcomeGroup(outcomeContextOf(call), id)})`;
        const needed = sql<number>`(${isAligned(sql`${outcome}`)} and not exists (select 1 from learning_outcome_links other
        where other.learning_outcome_id = ${outcome} and other.id <> learning_outcome_links.id))`;
        // As it was: after the write its outcome may be gone.
        const plan = planListing(outcomeLink, { ...rows(learning_outcome_links, { where: linkOf(id, outcome) }), limit: 1 }, call);
        const [[link], ...results] = await db.perform([
          db.build
            .select({ id: learning_outcome_links.id, is_needed: needed.as('is_needed') })
            .from(learning_outcome_links)
            .where(and(linkOf(id, outcome), isHere)),
          ...plan.statements,
        ]);
        if ((found(link) as { is_needed: number }).is_needed === 1)
          throw new Problem(400, { message: 'the outcome is aligned to content' });
        const { can_unlink: _, ...gone } = found(plan.tell(results)[0]).json;
        return write(unlinkOutcome(db, id, outcome, now), answer(gone));
      },
    ),

    post(
      `${group}/import`,
      {
        can: managesOutcomes,
        params: { source_outcome_group_id: optional(idField('outcome_group')), async: optional(bool) },
        returns: outcomeGroup,
        summary: 'Import a group of outcomes',
      },
      async (call) => {
        const { db, id, now, params } = call;
        const context = outcomeContextOf(call);
        const source = params.source_outcome_group_id ?? 0;
        const [[target], groups] = await db.perform([groupThere(call, context), treeOf(call, context, source)]);
        found(target);
        const isRoot = groups.find((one) => one.id === source)?.parent === null;
        const tree = inTreeOrder(groups, source);
        if (tree.length === 0 || isRoot) throw groupError();
        if (groups.length > mostGroups)
          throw new Problem(400, { message: `a group with more than ${mostGroups} groups cannot be imported` });
        const copies = copyTree(db, context, id, tree, now);
        if (params.async) return copyInBackground(call, context, copies, tree.length);
        return write(
          copies,
          one(rows(learning_outcome_groups, { where: sql`${learning_outcome_groups.id} = ${firstOfCopy(tree.length)}` })),
        );
      },
    ),
  ];
});
