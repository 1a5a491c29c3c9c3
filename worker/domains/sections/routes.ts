// Sections: every endpoint, in the order of the API reference.

import { cut } from '@carrel/shared/resources/resource';
import { Section } from '@carrel/shared/resources/section';
import { bool, maybe, object, optional, searchTerm, text, time } from '@carrel/shared/wire/fields';
import { and, eq, sql } from 'drizzle-orm';
import type { CourseContext } from '../../contexts/course';
import { idOf } from '../../contexts/references';
import { may } from '../../contexts/rights';
import type { SectionContext } from '../../contexts/section';
import { courseContextsOf, courseStatements } from '../../contexts/several';
import { differs } from '../../contexts/unchanged';
import { contains } from '../../database/ids';
import type { Call } from '../../http/call';
import { del, get, post, put } from '../../http/endpoint';
import { ascending, collated, rows } from '../../http/listing';
import { found, invalid, notFound, Problem, problem, termTooShort, unauthorized } from '../../http/problem';
import { all, answer, list, one, oneOr, type Reply, row, settled, write } from '../../http/reply';
import { rosterOf, rosterRequestIn, throughRoster } from '../enrollments/roster/call_roster';
import type { CrosslistRequest } from './crosslisting';
import { type SectionRow, section, sectionJson } from './json';
import { onlySection, visibleSections } from './policy';
import { sections } from './table';

export const about = { title: 'Sections', description: 'Sections of courses, and cross-listing.' };

const include = ['students', 'avatar_url', 'enrollments', 'total_students', 'passback_status', 'permissions'] as const;
const ofCourse = '/courses/:course_id/sections';

const editable = {
  course_section: optional(
    object({
      name: optional(maybe(text)),
      start_at: optional(maybe(time)),
      end_at: optional(maybe(time)),
      restrict_enrollments_to_section_dates: optional(bool),
      sis_section_id: optional(maybe(text)),
      integration_id: optional(maybe(text)),
    }),
  ),
  enable_sis_reactivation: optional(bool),
  override_sis_stickiness: optional(bool),
};

interface Given {
  readonly name?: string | null;
  readonly start_at?: string | null;
  readonly end_at?: string | null;
  readonly restrict_enrollments_to_section_dates?: boolean;
  readonly sis_section_id?: string | null;
  readonly integration_id?: string | null;
}

const taken = () => invalid('sis_source_id', 'taken');
const refusals = {
  'sections.sis_section_id': taken,
  'sections.integration_id': () => invalid('integration_id', 'taken'),
  'sections.workflow_state': () => problem(400, 'You cannot delete a section that has enrollments'),
};

function columnsOf(given: Given, course: CourseContext) {
  if ((given.name?.length ?? 0) > 255) throw invalid('name', 'too_long');
  return {
    name: given.name || undefined,
    start_at: given.start_at,
    end_at: given.end_at,
    restrict_enrollments_to_section_dates: given.restrict_enrollments_to_section_dates,
    ...(course.can('manage_sis') && { sis_section_id: given.sis_section_id, integration_id: given.integration_id }),
  };
}

/** Fields changed by hand, which stay unless the caller overrides stickiness. */
const stuckIn = ({ stuck_sis_fields }: SectionContext, { override_sis_stickiness }: { override_sis_stickiness?: boolean }) =>
  override_sis_stickiness === false
    ? Object.fromEntries(['name', 'start_at', 'end_at'].filter((one) => isStuck(stuck_sis_fields, one)).map((one) => [one, undefined]))
    : {};
const isStuck = (stuck: string | null, field: string): boolean => stuck?.includes(`,${field},`) ?? false;

/** The section of the path: it must belong to the path's course, if named, and to the sections of a section-restricted caller. */
const itself = (course: CourseContext, one: SectionContext): SectionContext => {
  if (one.course_id !== course.id || (course.sectionLimit && !course.sectionLimit.includes(one.id))) throw notFound();
  return one;
};

const show = { can: 'read', include, returns: section } as const;
const shown = (call: { course: CourseContext; section: SectionContext }) =>
  one(rows(sections, { where: onlySection(itself(call.course, call.section)) }));

const edit = { can: 'manage_sections_edit', params: editable, include, returns: section } as const;
function edited(
  call: Pick<Call, 'db' | 'now'> & {
    course: CourseContext;
    section: SectionContext;
    params: { course_section?: Given; override_sis_stickiness?: boolean };
  },
): Reply {
  const { db, now, course } = call;
  const it = onlySection(itself(course, call.section));
  const given = call.params.course_section ?? {};
  const changesSis =
    differs(given.sis_section_id, call.section.sis_section_id) || differs(given.integration_id, call.section.integration_id);
  if (changesSis && !course.can('manage_sis'))
    throw new Problem(401, { message: 'You must have manage_sis permission to update sis attributes' });
  return write(
    [
      db.build
        .update(sections)
        .set({ ...columnsOf(given, course), ...stuckIn(call.section, call.params), updated_at: now })
        .where(it),
    ],
    one(rows(sections, { where: it })),
    refusals,
  );
}

/** A second course named in the request, with the caller's permissions there. */
async function otherCourse(call: Call, ids: ReturnType<typeof idOf>): Promise<CourseContext> {
  const read = await call.db.perform(courseStatements(call.db, ids, call.me));
  const course = found(courseContextsOf(read, call.me, call.institution, call.now)[0]);
  if (!may('update', { ...call, course })) throw unauthorized();
  return course;
}

/** The course was changed by hand, and the caller does not override stickiness. */
const staysPut = ({ section, params }: { section: SectionContext; params: { override_sis_stickiness?: boolean } }): boolean =>
  params.override_sis_stickiness === false && isStuck(section.stuck_sis_fields, 'course_id');

async function moved(
  call: Call,
  from: CourseContext,
  it: SectionContext,
  to: CourseContext,
  home_course_id: number | null,
): Promise<Reply> {
  // The section's instructors move with it, and keep their permissions.
  if (from.mine.some((one) => one.course_section_id === it.id && to.gains(one.role))) throw unauthorized();
  const request: CrosslistRequest = { ...rosterRequestIn(from.id, call), section_id: it.id, to_course_id: to.id, home_course_id };
  const left = await throughRoster<SectionRow>(call, rosterOf(call, from.id).crosslist(request));
  return settled(answer(cut(Section, sectionJson(left, to))));
}

export const sectionRoutes = [
  get(
    ofCourse,
    {
      can: 'read',
      params: { search_term: searchTerm, all: optional(text) },
      include,
      returns: [section],
      summary: 'List the sections of a course',
    },
    ({ course, params }) => {
      const term = params.search_term?.trim();
      if (term !== undefined && term !== '' && term.length < 2) throw termTooShort();
      const listing = rows(sections, {
        where: and(visibleSections(course), term ? contains(sections.name, term) : undefined),
        order: ascending(collated(sections.name), sections.id),
      });
      return params.all === undefined ? list(listing) : all(listing);
    },
  ),

  post(
    ofCourse,
    { can: 'manage_sections_add', params: editable, returns: section, summary: 'Create a section' },
    ({ db, course, params, now }) => {
      const columns = columnsOf(params.course_section ?? {}, course);
      const { sis_section_id } = columns as Given;
      const values = { ...columns, name: columns.name ?? 'Unnamed Section', updated_at: now };
      const insert = db.build.insert(sections).values({ ...values, course_id: course.id, created_at: now });
      if (!params.enable_sis_reactivation || !sis_section_id)
        return write([insert], one(rows(sections, { where: eq(sections.id, sql`last_insert_rowid()`) })), refusals);
      // A deleted section with the same SIS id is restored; a live one keeps its id, and the insert fails.
      return write(
        [
          insert.onConflictDoUpdate({
            target: sections.sis_section_id,
            targetWhere: sql`sis_section_id is not null`,
            set: { ...values, course_id: course.id, nonxlist_course_id: null, workflow_state: 'active' },
            setWhere: sql`sections.workflow_state = 'deleted'`,
          }),
        ],
        oneOr(
          rows(sections, {
            where: and(eq(sections.sis_section_id, sis_section_id), eq(sections.updated_at, now), eq(sections.course_id, course.id)),
          }),
          taken,
        ),
        refusals,
      );
    },
  ),

  get(`${ofCourse}/:section_id`, { ...show, summary: 'Get a section of a course' }, shown),
  get('/sections/:section_id', { ...show, summary: 'Get a section' }, shown),
  put('/sections/:section_id', { ...edit, summary: 'Update a section' }, edited),
  put(`${ofCourse}/:section_id`, { ...edit, summary: 'Update a section of a course' }, edited),

  del(
    '/sections/:section_id',
    { can: 'manage_sections_delete', returns: section, summary: 'Delete a section' },
    ({ db, course, section: it, now }) =>
      write(
        [
          db.build
            .update(sections)
            .set({
              // Null when enrollments are left: the column is not nullable, so nothing is deleted.
              workflow_state: sql`case when exists (select 1 from enrollments e join users u on u.id = e.user_id where e.course_section_id = sections.id and e.enrollment_state not in ('deleted', 'rejected') and u.is_test_student = 0) then null else 'deleted' end`,
              updated_at: now,
            })
            .where(onlySection(itself(course, it))),
        ],
        row(it),
        refusals,
      ),
  ),

  post(
    '/sections/:section_id/crosslist/:new_course_id',
    { can: 'manage_sections_edit', params: { override_sis_stickiness: optional(bool) }, returns: section, summary: 'Cross-list a section' },
    async (call) => {
      const { course } = call;
      const left = itself(course, call.section);
      const to = await otherCourse(call, idOf('course', call.path.new_course_id));
      if (staysPut(call)) return row(left);
      return moved(
        call,
        course,
        left,
        to,
        to.id === (left.nonxlist_course_id ?? course.id) ? null : (left.nonxlist_course_id ?? course.id),
      );
    },
  ),

  del(
    '/sections/:section_id/crosslist',
    {
      can: 'manage_sections_edit',
      params: { override_sis_stickiness: optional(bool) },
      returns: section,
      summary: 'De-cross-list a section',
    },
    async (call) => {
      const home = itself(call.course, call.section).nonxlist_course_id;
      if (home === null) throw problem(400, 'Section is not cross-listed');
      if (staysPut(call)) return row(call.section);
      return moved(call, call.course, call.section, await otherCourse(call, sql`select ${home}`), null);
    },
  ),
];
