// Results of line items: the scores of students as their tool reads them back (reference 06 §8).

import { int, optional, type Shape, text } from '@carrel/shared/wire/fields';
import { type SQL, sql } from 'drizzle-orm';
import { atMost } from '../../database/at_most';
import { withColumns } from '../../database/together';
import { answer, type Reply } from '../../http/reply';
import { ltiScopes } from '../../rules/lti_scopes';
import { notThere, type ServiceCall } from './line_item_at';
import { type LineItemRow, lineItemAddress, lineItemStatements, ownLineItems } from './line_items';
import { nextServicePage, serviceCaller, serviceStatements, serviceTokenOf } from './service_caller';

export const lineItemResultParams = { user_id: optional(text), limit: optional(int), after: optional(int) };

const containerType = 'application/vnd.ims.lis.v2.resultcontainer+json';
const usual = 50;
const most = 100;

interface ResultRow {
  readonly id: number;
  readonly uuid: string;
  readonly score: number | null;
  readonly comment: string | null;
}

const names = ['id', 'uuid', 'score', 'comment'];

/** Submissions with a score, or that the tool has reported on, by id. */
const resultsWhere = (line_item_id: number, which: SQL, limit: number): SQL =>
  sql`select s.id, u.uuid, s.score, r.comment from submissions s join users u on u.id = s.user_id
    left join line_item_scores r on r.line_item_id = s.assignment_id and r.user_id = s.user_id
    where s.assignment_id = ${line_item_id} and s.workflow_state <> 'deleted' and ${which} and (s.score is not null or r.line_item_id is not null) order by s.id limit ${atMost(limit)}`;

function resultJson({ id, uuid, score, comment }: ResultRow, { assignment }: LineItemRow, origin: string) {
  const address = lineItemAddress(origin, assignment.course_id, assignment.id);
  return {
    id: `${address}/results/${id}`,
    scoreOf: address,
    userId: uuid,
    ...(score !== null && { resultScore: score, resultMaximum: assignment.points_possible ?? 0 }),
    ...(comment !== null && { comment }),
  };
}

type Listing = ServiceCall & { readonly path: { readonly line_item_id: string } };
const lineItemId = ({ path }: Listing): number => (/^\d{1,15}$/.test(path.line_item_id) ? Number(path.line_item_id) : 0);

async function readResults(call: Listing, which: SQL, limit: number) {
  const { db, request, course } = call;
  const id = lineItemId(call);
  const [token, key, said, tools, opening, items, made, found] = await db.perform([
    ...serviceStatements(db, await serviceTokenOf(request), course),
    ...lineItemStatements(db, course.id, { id, limit: 1 }),
    withColumns(db.build.all<ResultRow>(resultsWhere(id, which, limit)), names),
  ]);
  const caller = serviceCaller([token, key, said, tools], call, course, [ltiScopes.result]);
  const [row] = ownLineItems([opening, items, made], caller);
  if (!row) throw notThere();
  return { row, found };
}

export async function listResults(call: Listing & { readonly params: Shape<typeof lineItemResultParams> }): Promise<Reply> {
  const { params, origin, url } = call;
  const limit = Math.min(Math.max(params.limit ?? usual, 1), most);
  const ofUser = params.user_id === undefined ? sql`1` : sql`u.uuid = ${params.user_id}`;
  const { row, found } = await readResults(call, sql`s.id > ${params.after ?? 0} and ${ofUser}`, limit + 1);
  const page = found.slice(0, limit);
  const after = found.length > limit ? String(page.at(-1)?.id ?? 0) : undefined;
  return answer(
    page.map((one) => resultJson(one, row, origin)),
    200,
    { 'Content-Type': containerType, ...nextServicePage(url, origin, after) },
  );
}

export async function oneResult(call: Listing & { readonly id: number }): Promise<Reply> {
  const { row, found } = await readResults(call, sql`s.id = ${call.id}`, 1);
  const [result] = found;
  if (!result) throw notThere();
  return answer(resultJson(result, row, call.origin), 200, { 'Content-Type': 'application/vnd.ims.lis.v2.result+json' });
}
