// Groups of outcomes: every endpoint, for the whole institution, accounts and courses, in the order of the API reference.

import { idField, optional } from '@carrel/shared/wire/fields';
import { and, eq, type SQL, sql } from 'drizzle-orm';
import { del, get, post, put } from '../../../http/endpoint';
import { ascending, rows } from '../../../http/listing';
import { found, Problem } from '../../../http/problem';
import { judged, list, made, one, rawResponse, row, write } from '../../../http/reply';
import { managesOutcomes, type OutcomeContext, outcomeContextOf, outcomePathOf, outcomePlaces, readsOutcomes } from '../context';
import { groupParams, shortText, titleGiven } from '../input';
import { outcomeGroup, outcomeLink, shortOutcomeGroup } from '../json';
import { groupsIn, onlyOutcomeGroup, outcomeLinksIn, outcomeRootOf } from '../policy';
import { learning_outcome_groups, learning_outcome_links } from '../table';
import { groupError, styleParams } from './input';
import { deleteGroup, groupsBelow, holdsNeeded, makeRoot } from './writes';

const pathIn = ({ type, id }: OutcomeContext) => outcomePathOf({ context_type: type, context_id: id });

const groups = (where: SQL) => rows(learning_outcome_groups, { where });
const newest = ({ type, id }: OutcomeContext): SQL =>
  sql`${learning_outcome_groups.id} = (select max(g.id) from learning_outcome_groups g where ${eq(sql.raw('g.context_type'), type)} and g.context_id = ${id} and g.workflow_state = 'active')`;

const ofPlaces = outcomePlaces.flatMap((place) => {
  const all = `${place}/outcome_groups` as const;
  const it = `${all}/:id` as const;
  return [
    get(
      `${place}/root_outcome_group`,
      { can: readsOutcomes, returns: outcomeGroup, summary: 'Redirect to the root group of outcomes' },
      async ({ db, now, origin, ...call }) => {
        const context = outcomeContextOf(call);
        const root = db.build.select({ id: learning_outcome_groups.id }).from(learning_outcome_groups).where(outcomeRootOf(context));
        const [[known]] = await db.perform([root]);
        const id = known?.id ?? found((await db.perform([makeRoot(db, context, now), root]))[1][0]).id;
        return rawResponse(new Response(null, { status: 302, headers: { Location: `${origin}${pathIn(context)}/outcome_groups/${id}` } }));
      },
    ),

    get(it, { can: readsOutcomes, returns: outcomeGroup, summary: 'Get a group of outcomes' }, (call) =>
      one(groups(onlyOutcomeGroup(outcomeContextOf(call), call.id))),
    ),

    put(
      it,
      {
        can: managesOutcomes,
        params: { ...groupParams, parent_outcome_group_id: optional(idField('outcome_group')) },
        returns: outcomeGroup,
        summary: 'Update a group of outcomes',
      },
      async (call) => {
        const { db, id, now, params } = call;
        const context = outcomeContextOf(call);
        const target = params.parent_outcome_group_id;
        const [[group], [parent]] = await db.perform([
          db.build.select().from(learning_outcome_groups).where(onlyOutcomeGroup(context, id)),
          db.build
            .select({ id: learning_outcome_groups.id })
            .from(learning_outcome_groups)
            .where(and(onlyOutcomeGroup(context, target ?? 0), sql`${learning_outcome_groups.id} not in (${groupsBelow(id)})`)),
        ]);
        if (found(group).parent_outcome_group_id === null || (target !== undefined && !parent)) throw groupError();
        const values = {
          title: titleGiven(params.title, false),
          description: params.description,
          vendor_guid: shortText('vendor_guid', params.vendor_guid),
          parent_outcome_group_id: target,
          updated_at: now,
        };
        return write(
          [db.build.update(learning_outcome_groups).set(values).where(onlyOutcomeGroup(context, id))],
          one(groups(onlyOutcomeGroup(context, id))),
        );
      },
    ),

    del(it, { can: managesOutcomes, returns: outcomeGroup, summary: 'Delete a group of outcomes' }, async (call) => {
      const { db, id, now } = call;
      const [[group]] = await db.perform([
        db.build
          .select({ row: learning_outcome_groups, is_needed: sql<number>`${holdsNeeded(id)}`.as('is_needed') })
          .from(learning_outcome_groups)
          .where(onlyOutcomeGroup(outcomeContextOf(call), id)),
      ]);
      const { row: gone, is_needed } = found(group);
      if (gone.parent_outcome_group_id === null) throw groupError();
      if (is_needed === 1) throw new Problem(400, { message: 'the group has an outcome that is aligned to content' });
      return write(deleteGroup(db, id, now), row(gone));
    }),

    get(
      `${it}/subgroups`,
      { can: readsOutcomes, returns: [shortOutcomeGroup], summary: 'List subgroups of a group of outcomes' },
      (call) => {
        const parent = call.db.build
          .select({ id: learning_outcome_groups.id })
          .from(learning_outcome_groups)
          .where(onlyOutcomeGroup(outcomeContextOf(call), call.id));
        const inGroup = sql`${learning_outcome_groups.parent_outcome_group_id} = ${call.id} and ${eq(learning_outcome_groups.workflow_state, 'active')}`;
        const order = ascending(learning_outcome_groups.title, learning_outcome_groups.id);
        return judged(parent, ([there]) => void found(there), list(rows(learning_outcome_groups, { where: inGroup, order })));
      },
    ),

    post(
      `${it}/subgroups`,
      { can: managesOutcomes, params: groupParams, returns: outcomeGroup, summary: 'Create a subgroup of outcomes' },
      async (call) => {
        const { db, id, now, params } = call;
        const context = outcomeContextOf(call);
        const [[parent]] = await db.perform([
          db.build.select({ id: learning_outcome_groups.id }).from(learning_outcome_groups).where(onlyOutcomeGroup(context, id)),
        ]);
        found(parent);
        return write(
          [
            db.build.insert(learning_outcome_groups).values({
              context_type: context.type,
              context_id: context.id,
              parent_outcome_group_id: id,
              title: titleGiven(params.title, true) ?? '',
              description: params.description ?? null,
              vendor_guid: shortText('vendor_guid', params.vendor_guid) ?? null,
              created_at: now,
              updated_at: now,
            }),
          ],
          one(groups(newest(context))),
        );
      },
    ),
  ];
});

const listsOf = (['/accounts/:account_id', '/courses/:course_id'] as const).flatMap((place) => [
  get(
    `${place}/outcome_groups`,
    { can: readsOutcomes, returns: [outcomeGroup], summary: 'List groups of outcomes' },
    ({ db, now, ...call }) => {
      const context = outcomeContextOf(call);
      return made(list(groups(groupsIn(context))), [makeRoot(db, context, now)]);
    },
  ),

  get(
    `${place}/outcome_group_links`,
    { can: readsOutcomes, params: styleParams, returns: [outcomeLink], summary: 'List outcomes with their groups' },
    (call) => list(rows(learning_outcome_links, { where: outcomeLinksIn(outcomeContextOf(call)) })),
  ),
]);

export const outcomeGroupRoutes = [...ofPlaces, ...listsOf];
