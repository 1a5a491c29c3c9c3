// The outcomes service of LTI 1.1: a tool writes, reads and deletes the grade of a student whom it was opened for (reference 06 §7).

import { wireTime } from '@carrel/shared/wire/fields';
import { sql } from 'drizzle-orm';
import { isActiveStudent } from '../../contexts/predicates';
import { oauthBodyHash, oauthHeader, oauthSignature } from '../../crypto/oauth1';
import type { Statement } from '../../database/open';
import { sameText } from '../../database/tokens';
import type { Call } from '../../http/call';
import { absolute, post } from '../../http/endpoint';
import { sha256 } from '../../http/idempotency';
import { Problem } from '../../http/problem';
import { type Reply, rawResponse } from '../../http/reply';
import { isAssignmentClosed } from '../../rules/grading_periods';
import { assignments } from '../assignments/table';
import { enrollments } from '../enrollments/table';
import type { ToolRow } from '../external_tools/json';
import type { GradePlace } from '../external_tools/launch/start';
import { isUsedAgain, openTicket, useOnce } from '../external_tools/launch/ticket';
import { isAtTool } from '../external_tools/matching';
import { openToolSecret } from '../external_tools/secrets';
import { external_tools } from '../external_tools/table';
import { type Mate, withMates } from '../submissions/grading/group_members';
import { matesOfStudent } from '../submissions/grading/mates_of_student';
import { performGrades } from '../submissions/grading/writes';
import { submit } from '../submissions/submit/attempt';
import { mayTryAgain } from '../submissions/submit/attempts';
import { readSubmitPrecondition } from '../submissions/submit/precondition';
import { submissions } from '../submissions/table';
import { handedThroughTool } from './handed_work';
import { type OutcomeRequest, outcomeRequestOf, outcomeResponse, pointsGiven, readResultBody, submittedAtOf } from './outcome_xml';

type Passing = Pick<Call, 'db' | 'env' | 'now' | 'origin' | 'url' | 'request'> & { readonly path: { readonly tool_id: string } };

const most = 100_000;
/** A tool's clock may differ by this, in seconds. */
const tolerance = 300;

const xml = (text: string, status = 200): Reply =>
  rawResponse(new Response(text, { status, headers: { 'Content-Type': 'application/xml; charset=utf-8', 'Cache-Control': 'no-store' } }));
const unsigned = (description: string): Reply => xml(outcomeResponse(undefined, { code: 'failure', description }), 401);
const fail = (request: OutcomeRequest | undefined, description: string): Reply =>
  xml(outcomeResponse(request, { code: 'failure', description }));

/** Whether the tool has signed the header and the body now. */
async function isSigned(
  { env, now, origin, url, request }: Passing,
  tool: ToolRow,
  header: ReadonlyMap<string, string>,
  body: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const secret = await openToolSecret(env, tool);
  const timestamp = Number(header.get('oauth_timestamp'));
  const isNow = Math.abs(Date.parse(now) / 1000 - timestamp) <= tolerance;
  if (secret === undefined || !isNow || header.get('oauth_consumer_key') !== tool.consumer_key || tool.consumer_key === '') return false;
  if (header.get('oauth_signature_method') !== 'HMAC-SHA1' || !header.get('oauth_nonce')) return false;
  if (!sameText(header.get('oauth_body_hash') ?? '', await oauthBodyHash(body))) return false;
  const pairs = [...header].filter(([name]) => name !== 'oauth_signature' && name !== 'realm');
  const expected = await oauthSignature(request.method, `${origin}${url.pathname}${url.search}`, pairs, secret);
  return sameText(header.get('oauth_signature') ?? '', expected);
}

interface Place {
  readonly grade: GradePlace;
  readonly assignment: typeof assignments.$inferSelect;
  readonly submission: typeof submissions.$inferSelect | undefined;
  /** The other members of the student's group. */
  readonly mates: readonly Mate[];
}

/** Whether the assignment still opens the tool: its sealed places last longer than a teacher's choice. */
function isOpenedBy(tool: ToolRow, { submission_types, options }: Place['assignment']): boolean {
  const { url, content_id } = (options.external_tool_tag_attributes ?? {}) as { readonly url?: string; readonly content_id?: number };
  if (!submission_types.includes('external_tool')) return false;
  return url === undefined ? content_id === tool.id : isAtTool(tool, url) || url === tool.url;
}

/** The assignment and student of a sealed place, if they are still there. */
async function placeOf({ db, env, now }: Passing, tool: ToolRow, sourcedId: string): Promise<Place | string> {
  const opened = await openTicket<GradePlace>(env, 'outcome', sourcedId, now);
  if (!opened || opened.ticket.tool_id !== tool.id) return 'Invalid sourcedid';
  const grade = opened.ticket;
  const [works, enrolled, [submission], closed, mates] = await db.perform([
    db.build.select().from(assignments).where(sql`assignments.id = ${grade.assignment_id} and assignments.workflow_state = 'published'`),
    db.build
      .select({ id: enrollments.id })
      .from(enrollments)
      .where(
        sql`enrollments.user_id = ${grade.user_id} and enrollments.course_id = (select a.course_id from assignments a where a.id = ${grade.assignment_id}) and ${isActiveStudent('enrollments')}`,
      ),
    db.build
      .select()
      .from(submissions)
      .where(sql`submissions.assignment_id = ${grade.assignment_id} and submissions.user_id = ${grade.user_id}`),
    db.build
      .select({ id: assignments.id })
      .from(assignments)
      .where(sql`assignments.id = ${grade.assignment_id} and ${isAssignmentClosed(sql`assignments.course_id`, now)}`),
    matesOfStudent(db, sql`${grade.assignment_id}`, sql`${grade.user_id}`, now),
  ]);
  const [assignment] = works;
  if (!assignment || !isOpenedBy(tool, assignment)) return 'Assignment is no longer associated with this tool';
  if (enrolled.length === 0) return 'User is no longer in course';
  if (closed.length > 0) return 'The grading period is closed';
  if (assignment.options.moderated_grading === true) return 'The assignment is graded by its moderators';
  return { grade, assignment, submission, mates };
}

/** The grade that a request writes; null removes it. */
function gradeFor(request: OutcomeRequest, { assignment }: Place): { readonly posted_grade: string | null } | { readonly error: string } {
  if (request.operation === 'deleteResult') return { posted_grade: '' };
  const given = pointsGiven(request, assignment.points_possible);
  return 'error' in given ? given : { posted_grade: String(given.points) };
}

const noAttempts = 'The student has no attempts left';

/** Statements that hand in the work of a request; none where it has none. */
async function workOf(
  call: Passing,
  { work }: OutcomeRequest,
  { assignment, grade }: Place,
  submitted_at: string | undefined,
): Promise<{ readonly statements: readonly Statement[] } | { readonly error: string }> {
  const { db, now } = call;
  if (!work && submitted_at === undefined) return { statements: [] };
  const course = { id: assignment.course_id };
  const ground = await readSubmitPrecondition(
    { db, now, me: { id: 0 } },
    { course, assignment: sql`select ${assignment.id}`, user: sql`select ${grade.user_id}`, fileIds: [] },
  );
  if (!ground.isStudent || !ground.assignment.is_assigned) return { error: 'The assignment is not assigned to the student' };
  if (!mayTryAgain(ground.assignment, ground.before, work?.type ?? 'external_tool')) return { error: noAttempts };
  try {
    const handed = handedThroughTool(work?.type ?? 'external_tool', work?.data ?? '', call);
    return { statements: submit({ db, course, now }, { ...ground, proxy_submitter_id: null }, handed, submitted_at ?? now) };
  } catch (error) {
    if (error instanceof Problem) return { error: 'The address of the work is not valid' };
    throw error;
  }
}

/** Statements of a grade; none for work that is sent without a score. */
function gradeOf({ db, now }: Passing, tool: ToolRow, request: OutcomeRequest, place: Place) {
  if (request.work && !request.score && !request.totalScore) return { statements: [] };
  const given = gradeFor(request, place);
  if ('error' in given) return given;
  const deed = { assignment: place.assignment, user_id: place.grade.user_id, grade: given, prefersPoints: true };
  return { statements: performGrades({ db, now, me: { id: -tool.id } }, withMates([deed], place.mates)) };
}

async function answerTo(call: Passing, tool: ToolRow, request: OutcomeRequest): Promise<Reply> {
  const { db, now } = call;
  if (request.operation === undefined)
    return xml(outcomeResponse(request, { code: 'unsupported', description: `${request.name} is not supported` }));
  const place = await placeOf(call, tool, request.sourcedId);
  if (typeof place === 'string') return fail(request, place);
  const { assignment, submission } = place;
  if (request.operation === 'readResult') {
    const score = submission?.score;
    const part = score === null || score === undefined || !assignment.points_possible ? undefined : score / assignment.points_possible;
    return xml(outcomeResponse(request, { code: 'success', description: 'Score read', body: readResultBody(part) }));
  }
  const time = submittedAtOf(request, Date.parse(now));
  if ('error' in time) return fail(request, time.error);
  const scored = gradeOf(call, tool, request, place);
  if ('error' in scored) return fail(request, scored.error);
  const handed = request.operation === 'replaceResult' ? await workOf(call, request, place, time.at) : { statements: [] };
  if ('error' in handed) return fail(request, handed.error);
  await db.perform([...handed.statements, ...scored.statements]);
  return xml(outcomeResponse(request, { code: 'success', description: 'Score written', body: `<${request.operation}Response/>` }));
}

async function passGradeBack(call: Passing): Promise<Reply> {
  const { db, now, request, path } = call;
  const header = oauthHeader(request.headers.get('authorization'));
  const bytes = new Uint8Array(await request.arrayBuffer());
  const id = /^\d{1,15}$/.test(path.tool_id) ? Number(path.tool_id) : 0;
  const [[tool]] = await db.perform([
    db.build
      .select()
      .from(external_tools)
      .where(sql`external_tools.id = ${id} and external_tools.workflow_state = 'active' and external_tools.version = ${'1.1'}`),
  ]);
  if (!tool || !header || bytes.length > most || !(await isSigned(call, tool, header, bytes))) return unsigned('Invalid signature');
  try {
    const hash = await sha256(`${tool.id} ${header.get('oauth_timestamp')} ${header.get('oauth_nonce')}`);
    await db.perform([useOnce(db, { hash, expires_at: wireTime(Date.parse(now) + 2 * tolerance * 1000) })]);
  } catch (error) {
    if (isUsedAgain(error)) return unsigned('Nonce already used');
    throw error;
  }
  const asked = outcomeRequestOf(new TextDecoder().decode(bytes));
  return asked ? answerTo(call, tool, asked) : fail(undefined, 'The request cannot be read');
}

export const outcomeServiceRoutes = absolute(
  ...(['grade_passback', 'ext_grade_passback'] as const).map((name) =>
    post(
      `/api/lti/v1/tools/:tool_id/${name}` as const,
      {
        can: 'anyone',
        unscoped: true,
        withoutCaller: true,
        rawBody: true,
        returns: { json: null },
        summary: name === 'grade_passback' ? 'Pass a grade back (LTI 1.1)' : "Pass a grade back with Canvas' extensions (LTI 1.1)",
      },
      passGradeBack,
    ),
  ),
);
