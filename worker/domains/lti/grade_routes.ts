// Assignment and Grade Services: line items, scores and results (reference 06 §8).

import { LineItem } from '@carrel/shared/resources/lti';
import { int, listOf, maybe, number, object, optional, type Shape, text, time } from '@carrel/shared/wire/fields';
import { eq, type SQL, sql } from 'drizzle-orm';
import { absolute, del, get, post, put } from '../../http/endpoint';
import { rows } from '../../http/listing';
import { answer, oneWith, type Reply, write } from '../../http/reply';
import { ltiScopes } from '../../rules/lti_scopes';
import { valuesOf } from '../assignments/input';
import { assignments } from '../assignments/table';
import { createAssignment, deleteAssignment, newestAssignment, update } from '../assignments/writes';
import { isLaunchAddress } from '../external_tools/input';
import { isAtTool } from '../external_tools/matching';
import { lti_resource_links } from '../lti_resource_links/table';
import { lineItemAt, type ServiceCall } from './line_item_at';
import { lineItem, lineItemJson, lineItemStatements, ownLineItems, pageOfLineItems, submissionTypeClaim } from './line_items';
import { lineItemResultParams, listResults, oneResult } from './results';
import { postScore } from './score_write';
import { ltiProblem, nextServicePage, type ServiceCaller, serviceCaller, serviceStatements, serviceTokenOf } from './service_caller';
import { line_items } from './table';

const itemType = { 'Content-Type': 'application/vnd.ims.lis.v2.lineitem+json' };
const containerType = 'application/vnd.ims.lis.v2.lineitemcontainer+json';
const open = { can: 'anyone', unscoped: true, withoutCaller: true, returns: { json: null } } as const;
const all = '/api/lti/courses/:course_id/line_items';
const single = `${all}/:id` as const;

const usual = 50;
const most = 100;

const editable = {
  scoreMaximum: optional(number),
  label: optional(text),
  resourceId: optional(maybe(text)),
  tag: optional(maybe(text)),
  resourceLinkId: optional(maybe(text)),
  startDateTime: optional(maybe(time)),
  endDateTime: optional(maybe(time)),
  [submissionTypeClaim]: optional(maybe(object({ type: optional(text), external_tool_url: optional(maybe(text)) }))),
};

type Given = Shape<typeof editable>;

const wrong = (message: string, status = 400) => ltiProblem(status, status === 404 ? 'not_found' : 'bad_request', message);

/** @throws Problem 400, 422 */
function checkGiven(given: Given, isNew: boolean): void {
  if (isNew && given.scoreMaximum === undefined) throw wrong('scoreMaximum is missing');
  if (isNew && !given.label?.trim()) throw wrong('label is missing');
  if (given.label !== undefined && (given.label.trim() === '' || given.label.length > 255))
    throw wrong('label must have 1 to 255 characters');
  if (given.scoreMaximum !== undefined && given.scoreMaximum < 0) throw wrong('scoreMaximum must not be negative', 422);
  for (const name of ['resourceId', 'tag'] as const) if ((given[name] ?? '').length > 1000) throw wrong(`${name} is too long`);
}

/** The address of a line item that opens the tool; undefined for one without submissions. @throws Problem 400 for an address of another tool */
function launchAddress(given: Given, { own }: ServiceCaller): string | undefined {
  const asked = given[submissionTypeClaim];
  if (!asked || asked.type === undefined || asked.type === 'none') return undefined;
  if (asked.type !== 'external_tool') throw wrong('submission_type must be none or external_tool');
  const url = asked.external_tool_url ?? '';
  if (!isLaunchAddress(url) || !own.some((tool) => isAtTool(tool, url))) throw wrong('external_tool_url is not an address of the tool');
  return url;
}

/** The fields of the assignment. */
const fieldsOf = (given: Given, url: string | undefined) => ({
  ...(given.label !== undefined && { name: given.label.trim() }),
  ...(given.scoreMaximum !== undefined && { points_possible: given.scoreMaximum }),
  ...(given.startDateTime !== undefined && { unlock_at: given.startDateTime }),
  ...(given.endDateTime !== undefined && { due_at: given.endDateTime }),
  ...(url !== undefined && { submission_types: ['external_tool'], external_tool_tag_attributes: { url } }),
});

const zoneOf = ({ course, institution }: ServiceCall): string => course.time_zone ?? institution.root.default_time_zone;

/** @throws Problem 400, 404 for an unknown link, 412 for one of another tool */
async function createLineItem(call: ServiceCall & { readonly params: Given }): Promise<Reply> {
  const { db, request, course, params: given, now } = call;
  const [token, key, said, tools, links, works] = await db.perform([
    ...serviceStatements(db, await serviceTokenOf(request), course),
    db.build
      .select()
      .from(lti_resource_links)
      .where(sql`lti_resource_links.resource_link_uuid = ${given.resourceLinkId ?? ''} and lti_resource_links.course_id = ${course.id}`),
    db.build
      .select()
      .from(assignments)
      .where(
        sql`assignments.course_id = ${course.id} and instr(assignments.submission_types, 'external_tool') > 0 and assignments.workflow_state <> 'deleted' and assignments.lti_context_id = ${given.resourceLinkId ?? ''}`,
      ),
  ]);
  const caller = serviceCaller([token, key, said, tools], call, course, [ltiScopes.lineitem]);
  checkGiven(given, true);
  if (given.resourceLinkId) {
    const [link] = links;
    const ofOwn = ownLineItems([works, [], []], caller).length > 0 || caller.own.some(({ id }) => id === link?.external_tool_id);
    if (!link && works.length === 0) throw ltiProblem(404, 'not_found', 'The specified LTI link ID does not exist.');
    if (!ofOwn || link?.workflow_state === 'deleted')
      throw ltiProblem(412, 'precondition_failed', 'The specified LTI link ID is not associated with a line item.');
  }
  const url = launchAddress(given, caller);
  const fields = { submission_types: ['none'], ...fieldsOf(given, url), grading_type: 'points' as const, published: true };
  return write(
    [
      ...createAssignment(call, valuesOf(fields, course, zoneOf(call)), fields),
      db.build.insert(line_items).values({
        id: newestAssignment,
        course_id: course.id,
        external_tool_id: caller.own[0].id,
        ...saidOf(given),
        launch_url: url ?? null,
        created_at: now,
        updated_at: now,
      }),
    ],
    itemWhere(sql`assignments.id = ${newestAssignment}`),
  );
}

/** Fields that only the tool knows. */
const saidOf = ({ tag, resourceId, resourceLinkId }: Given) => ({
  tag: tag ?? null,
  resource_id: resourceId ?? null,
  resource_link_id: resourceLinkId ?? null,
});

const itemWhere = (where: SQL): Reply => oneWith(rows(assignments, { where }), itemType);

/** Changes a line item with its assignment; the link of one cannot be changed. @throws Problem 400, 404 */
async function updateLineItem(call: ServiceCall & { readonly id: number; readonly params: Given }): Promise<Reply> {
  const { db, course, params: given, now } = call;
  const { row, caller } = await lineItemAt(call, call.id, [ltiScopes.lineitem]);
  checkGiven(given, false);
  const { assignment, item } = row;
  const fields = fieldsOf(given, launchAddress(given, caller));
  const said = {
    tag: given.tag === undefined ? (item?.tag ?? null) : given.tag,
    resource_id: given.resourceId === undefined ? (item?.resource_id ?? null) : given.resourceId,
    updated_at: now,
  };
  return write(
    [
      ...update(call, assignment.id, valuesOf(fields, course, zoneOf(call), assignment), fields),
      db.build
        .insert(line_items)
        .values({ id: assignment.id, course_id: course.id, external_tool_id: caller.own[0].id, is_coupled: true, ...said, created_at: now })
        .onConflictDoUpdate({ target: line_items.id, set: said }),
    ],
    itemWhere(eq(assignments.id, assignment.id)),
  );
}

/** @throws Problem 401 for a line item that came with its assignment */
async function deleteLineItem(call: ServiceCall & { readonly id: number }): Promise<Reply> {
  const { db, course, now } = call;
  const { row } = await lineItemAt(call, call.id, [ltiScopes.lineitem]);
  if (!row.item || row.item.is_coupled)
    throw ltiProblem(401, 'unauthorized', 'A line item that came with its assignment cannot be deleted');
  return write(deleteAssignment({ db, course, now }, row.assignment.id), answer(null, 204));
}

const listParams = {
  tag: optional(text),
  resource_id: optional(text),
  resource_link_id: optional(text),
  limit: optional(int),
  after: optional(int),
  include: optional(listOf(text)),
};

async function listLineItems(call: ServiceCall & { readonly params: Shape<typeof listParams> }): Promise<Reply> {
  const { db, request, course, params, origin, url } = call;
  const limit = Math.min(Math.max(params.limit ?? usual, 1), most);
  const [token, key, said, tools, ...found] = await db.perform([
    ...serviceStatements(db, await serviceTokenOf(request), course),
    ...lineItemStatements(db, course.id, { limit: limit + 1, after: Math.max(params.after ?? 0, 0) }),
  ]);
  const caller = serviceCaller([token, key, said, tools], call, course, [ltiScopes.lineitem, ltiScopes.lineitemReadonly]);
  const { page, after } = pageOfLineItems(found, caller, limit);
  const isWide = params.include?.includes('launch_url') ?? false;
  const shown = page
    .map(({ assignment, item }) => lineItemJson(assignment, item, origin, isWide))
    .filter(
      (one) =>
        (params.tag === undefined || one.tag === params.tag) &&
        (params.resource_id === undefined || one.resourceId === params.resource_id) &&
        (params.resource_link_id === undefined || one.resourceLinkId === params.resource_link_id),
    );
  return answer(shown, 200, {
    'Content-Type': containerType,
    ...nextServicePage(url, origin, after === undefined ? undefined : String(after)),
  });
}

export const gradeServiceRoutes = absolute(
  get(all, { ...open, params: listParams, returns: { json: LineItem }, summary: 'List the line items of a tool' }, listLineItems),

  post(all, { ...open, params: editable, returns: lineItem, status: 201, summary: 'Create a line item' }, createLineItem),

  get(
    single,
    { ...open, params: { include: optional(listOf(text)) }, returns: { json: LineItem }, summary: 'Get a line item' },
    async (call) => {
      const { row } = await lineItemAt(call, call.id, [ltiScopes.lineitem, ltiScopes.lineitemReadonly]);
      const isWide = call.params.include?.includes('launch_url') ?? false;
      return answer(lineItemJson(row.assignment, row.item, call.origin, isWide), 200, itemType);
    },
  ),

  put(single, { ...open, params: editable, returns: lineItem, summary: 'Update a line item' }, updateLineItem),

  del(single, { ...open, returns: { json: null }, summary: 'Delete a line item' }, deleteLineItem),

  post(`${all}/:line_item_id/scores`, { ...open, returns: { json: null }, summary: 'Send a score' }, postScore),

  get(
    `${all}/:line_item_id/results`,
    { ...open, params: lineItemResultParams, returns: { json: null }, summary: 'List the results of a line item' },
    listResults,
  ),

  get(`${all}/:line_item_id/results/:id`, { ...open, returns: { json: null }, summary: 'Get a result' }, oneResult),
);
