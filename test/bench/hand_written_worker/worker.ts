// Two endpoints written by hand for exactly one job each, with small statements in one trip: what a request could cost without a machinery.
// A student asks for their courses, or for the assignments of a course. Rights are checked as far as these two requests need it: token, login,
// course dates and assigned dates. The order and the fields are Carrel's.

interface Surroundings {
  readonly DB: D1Database;
}

// biome-ignore lint/suspicious/noExplicitAny: rows as the statements below select them.
type Row = any;

const hexOf = (bytes: ArrayBuffer) => [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
const sha256 = async (text: string) => hexOf(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));

const me = '(select user_id from tokens where token_hash = ?1)';

const callerOf = `select t.user_id, t.workflow_state, t.expires_at, u.workflow_state as user_state,
    exists (select 1 from logins l where l.user_id = u.id and l.workflow_state = 'active') as has_login
  from tokens t join users u on u.id = t.user_id where t.token_hash = ?1`;

const enrolled = `select e.type, e.role_id, e.enrollment_state, e.limit_privileges_to_course_section as is_limited, e.start_at as own_start, e.end_at as own_end,
    s.start_at as section_start, s.end_at as section_end, s.restrict_enrollments_to_section_dates as has_section_dates,
    t.start_at as term_start, t.end_at as term_end, r.name as role, n.nickname, c.*
  from enrollments e join courses c on c.id = e.course_id join sections s on s.id = e.course_section_id join terms t on t.id = c.enrollment_term_id
    join roles r on r.id = e.role_id left join course_nicknames n on n.user_id = e.user_id and n.course_id = c.id
  where e.user_id = ${me}`;

const coursesOf = `${enrolled} and e.enrollment_state in ('active', 'invited') and c.workflow_state = 'available' and s.workflow_state = 'active'
  order by coalesce(n.nickname, c.friendly_name, c.name) collate nocase, c.id limit 11`;

const accountsAbove = `with recursive above(id) as (
    select c.account_id from enrollments e join courses c on c.id = e.course_id where e.user_id = ${me}
    union select a.parent_account_id from accounts a join above on a.id = above.id where a.parent_account_id is not null)
  select id, parent_account_id, default_time_zone, default_storage_quota_mb, settings from accounts where id in (select id from above)`;

const overridden = 'select account_id, role_id, permission, enabled, locked from role_overrides';

const assignmentsOf = `select a.*, o.due_at as section_due, o.unlock_at as section_unlock, o.lock_at as section_lock, o.due_at_overridden as has_due,
    o.unlock_at_overridden as has_unlock, o.lock_at_overridden as has_lock,
    exists (select 1 from submissions s where s.assignment_id = a.id and s.workflow_state <> 'unsubmitted') as has_submitted
  from assignments a left join assignment_overrides o on o.assignment_id = a.id and o.workflow_state = 'active' and o.set_type = 'CourseSection'
    and o.set_id in (select course_section_id from enrollments where user_id = ${me} and course_id = ?2)
  where a.course_id = ?2 and a.workflow_state = 'published' and (a.only_visible_to_overrides = 0 or o.id is not null)
  order by (select g.position from assignment_groups g where g.id = a.assignment_group_id), a.position, a.id limit 11`;

const isUsable = (caller: Row, now: string) =>
  caller?.workflow_state === 'active' &&
  caller.has_login === 1 &&
  caller.user_state !== 'deleted' &&
  (caller.expires_at === null || caller.expires_at > now);

/** The dates that apply to an enrollment: its own, the section's, the course's or the term's. */
function datesOf(row: Row): readonly [string | null, string | null] {
  if (row.own_start && row.own_end) return [row.own_start, row.own_end];
  if (row.has_section_dates) return [row.section_start, row.section_end];
  if (row.restrict_enrollments_to_course_dates) return [row.start_at, row.end_at];
  return [row.term_start, row.term_end];
}

function isOpen(row: Row, now: string): boolean {
  const [start, end] = datesOf(row);
  return (start === null || start <= now) && (end === null || end > now);
}

function courseJson(row: Row, account: Row, caller: Row, origin: string): object {
  const settings = JSON.parse(row.settings ?? '{}');
  return {
    id: row.id,
    name: row.nickname ?? row.friendly_name ?? row.name,
    account_id: row.account_id,
    root_account_id: row.root_account_id,
    enrollment_term_id: row.enrollment_term_id,
    course_code: row.course_code,
    license: row.license,
    grade_passback_setting: settings.grade_passback_setting ?? null,
    course_color: settings.course_color ?? null,
    friendly_name: row.friendly_name,
    uuid: row.uuid,
    created_at: row.created_at,
    start_at: row.start_at,
    end_at: row.end_at,
    default_view: row.default_view,
    time_zone: row.time_zone ?? account?.default_time_zone ?? 'Etc/UTC',
    is_public: row.is_public === 1,
    is_public_to_auth_users: row.is_public_to_auth_users === 1,
    public_syllabus: row.public_syllabus === 1,
    public_syllabus_to_auth: row.public_syllabus_to_auth === 1,
    homeroom_course: settings.homeroom_course === true,
    template: row.is_template === 1,
    hide_final_grades: settings.hide_final_grades === true,
    apply_assignment_group_weights: row.apply_assignment_group_weights === 1,
    restrict_enrollments_to_course_dates: row.restrict_enrollments_to_course_dates === 1,
    grading_standard_id: row.grading_standard_id,
    storage_quota_mb: row.storage_quota_mb ?? account?.default_storage_quota_mb ?? 500,
    calendar: { ics: `${origin}/feeds/calendars/course_${row.uuid}.ics` },
    blueprint: row.is_blueprint === 1,
    workflow_state: row.workflow_state,
    overridden_course_visibility: '',
    enrollments: [
      {
        type: 'student',
        role: row.role,
        role_id: row.role_id,
        user_id: caller.user_id,
        enrollment_state: row.enrollment_state,
        limit_privileges_to_course_section: row.is_limited === 1,
      },
    ],
  };
}

function assignmentJson(row: Row, course: number, now: string, origin: string): object {
  const { section_due, section_unlock, section_lock, has_due, has_unlock, has_lock, has_submitted, ...rest } = row;
  const unlock = has_unlock ? section_unlock : row.unlock_at;
  const lock = has_lock ? section_lock : row.lock_at;
  return {
    ...rest,
    due_at: has_due ? section_due : row.due_at,
    unlock_at: unlock,
    lock_at: lock,
    has_submitted_submissions: has_submitted === 1,
    locked_for_user: (unlock !== null && unlock > now) || (lock !== null && lock <= now),
    html_url: `${origin}/courses/${course}/assignments/${row.id}`,
  };
}

async function answer(body: unknown): Promise<Response> {
  const text = JSON.stringify(body);
  return new Response(text, {
    headers: {
      'Content-Type': 'application/json; charset=utf-8',
      ETag: `W/"${(await sha256(text)).slice(0, 32)}"`,
      'X-Request-Context-Id': crypto.randomUUID(),
    },
  });
}

const unauthorized = () => new Response('{"errors":[{"message":"Invalid access token."}]}', { status: 401 });

export default {
  async fetch(request, { DB }) {
    const { pathname, origin } = new URL(request.url);
    const now = new Date().toISOString();
    const token = /^bearer\s+(.+)$/i.exec(request.headers.get('authorization') ?? '')?.[1];
    if (!token) return unauthorized();
    const hash = await sha256(token);
    const session = DB.withSession('first-unconstrained');
    const shared = [session.prepare(callerOf).bind(hash), session.prepare(accountsAbove).bind(hash), session.prepare(overridden)];
    if (pathname === '/api/v1/courses') {
      const [callers, accounts, , courses] = await session.batch<Row>([...shared, session.prepare(coursesOf).bind(hash)]);
      const caller = callers?.results[0];
      if (!isUsable(caller, now)) return unauthorized();
      const byId = new Map(accounts?.results.map((account) => [account.id, account]));
      const shown = (courses?.results ?? []).slice(0, 10);
      return answer(
        shown.map((row) =>
          isOpen(row, now) ? courseJson(row, byId.get(row.account_id), caller, origin) : { id: row.id, access_restricted_by_date: true },
        ),
      );
    }
    const course = Number(/^\/api\/v1\/courses\/(\d+)\/assignments$/.exec(pathname)?.[1]);
    const [callers, , , enrollments, assignments] = await session.batch<Row>([
      ...shared,
      session.prepare(`${enrolled} and e.course_id = ?2 and e.enrollment_state <> 'deleted'`).bind(hash, course),
      session.prepare(assignmentsOf).bind(hash, course),
    ]);
    if (!isUsable(callers?.results[0], now) || !enrollments?.results.some((row) => isOpen(row, now))) return unauthorized();
    return answer((assignments?.results ?? []).slice(0, 10).map((row) => assignmentJson(row, course, now, origin)));
  },
} satisfies ExportedHandler<Surroundings>;
