// Creates the staging course with the settings, the syllabus and the late policy of the package.

import { sanitise } from '@carrel/shared/html/sanitise';
import { lookUp } from '@carrel/shared/wire/look_up';
import { sql } from 'drizzle-orm';
import { courseFlags, type PackagedCourse } from '../../../cartridge/settings/course';
import type { Packaged } from '../../../cartridge/settings/shape';
import type { latePolicyShape } from '../../../cartridge/settings/shapes';
import { randomText } from '../../../database/tokens';
import { timeZone } from '../../users/settings/time_zones';
import type { MigrationWork } from '../work';
import type { Staging } from './staging';

/** Columns that the staging course has from the target, so that what the package does not state stays as it is. */
const kept =
  'default_view, license, is_public, is_public_to_auth_users, public_syllabus, public_syllabus_to_auth, indexed, public_description, apply_assignment_group_weights, allow_student_wiki_edits, allow_wiki_comments, open_enrollment, time_zone, locale, course_format, restrict_enrollments_to_course_dates, grading_standard_id';

/** @returns its id */
export async function makeStagingCourse(work: MigrationWork): Promise<number> {
  const { db, it } = work;
  if (it.staging_course_id !== null) return it.staging_course_id;
  const now = work.now();
  const uuid = randomText(40);
  await work.commit(
    [
      db.build.run(
        sql`insert into courses (account_id, root_account_id, enrollment_term_id, name, uuid, settings, workflow_state, created_at, updated_at, ${sql.raw(kept)})
          select 0, c.root_account_id, c.enrollment_term_id, 'Cartridge', ${uuid}, '{}', 'deleted', ${now}, ${now}, ${sql.raw(
            kept
              .split(', ')
              .map((name) => `c.${name}`)
              .join(', '),
          )} from courses c where c.id = ${it.context_id}`,
      ),
      db.build.run(
        sql`update content_migrations set staging_course_id = (select c.id from courses c where c.uuid = ${uuid}) where id = ${it.id}`,
      ),
    ],
    {},
  );
  const [[row]] = await db.perform([
    db.build.all<{ staging_course_id: number }>(sql`select staging_course_id from content_migrations where id = ${it.id}`),
  ]);
  const course = row?.staging_course_id ?? 0;
  work.it = { ...work.it, staging_course_id: course };
  return course;
}

const views = ['feed', 'wiki', 'modules', 'syllabus', 'assignments'] as const;
const licenses = ['private', 'public_domain', 'cc_by', 'cc_by_sa', 'cc_by_nc', 'cc_by_nd', 'cc_by_nc_sa', 'cc_by_nc_nd'] as const;
const formats = ['on_campus', 'online', 'blended'] as const;

const oneOf = <const W extends string>(words: readonly W[], given: string | null | undefined): W | undefined =>
  words.find((word) => word === given);

/** Columns of a course that the package states with known values. Pure. */
export function courseColumns(given: PackagedCourse): Readonly<Record<string, string | number | null>> {
  const flags = [
    'is_public',
    'is_public_to_auth_users',
    'public_syllabus',
    'public_syllabus_to_auth',
    'indexed',
    'allow_student_wiki_edits',
    'allow_wiki_comments',
    'open_enrollment',
    'restrict_enrollments_to_course_dates',
  ] as const;
  const zone = given.time_zone ? timeZone(given.time_zone) : undefined;
  const { group_weighting_scheme: scheme } = given;
  const values = {
    ...Object.fromEntries(flags.map((name) => [name, typeof given[name] === 'boolean' ? Number(given[name]) : undefined])),
    default_view: oneOf(views, given.default_view),
    license: oneOf(licenses, given.license),
    course_format: oneOf(formats, given.course_format),
    public_description: given.public_description === undefined ? undefined : given.public_description && sanitise(given.public_description),
    apply_assignment_group_weights: scheme ? Number(scheme === 'percent') : undefined,
    time_zone: zone,
    locale: /^[a-z]{2,3}([-_][A-Za-z]{2,4})?$/.test(given.locale ?? '') ? given.locale : undefined,
    grading_standard_id: given.grading_standard_enabled === false ? null : undefined,
  };
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Record<string, string | number | null>;
}

interface TabPlace {
  readonly id: string;
  readonly hidden?: boolean;
}

const mostTabs = 200;
/** The tabs that Canvas numbers, by their names in the API, without the first and the last one. */
const numbered: Readonly<Record<string, string>> = {
  1: 'syllabus',
  2: 'pages',
  3: 'assignments',
  4: 'quizzes',
  5: 'grades',
  6: 'people',
  7: 'groups',
  8: 'discussions',
  10: 'modules',
  11: 'files',
  12: 'conferences',
  14: 'announcements',
  15: 'outcomes',
  16: 'collaborations',
};

/** Ids of tabs in their order. Undefined for a text that is no list of them. Pure. */
export function tabsIn(text: string | null | undefined): readonly TabPlace[] | undefined {
  if (!text) return undefined;
  try {
    const given: unknown = JSON.parse(text);
    if (!Array.isArray(given) || given.length > mostTabs) return undefined;
    return given.flatMap((one): TabPlace[] => {
      const written = String((one as TabPlace | null)?.id ?? '');
      const id = lookUp(numbered, written) ?? written;
      return /^(?!(?:\d+|home|settings)$)[\w-]{1,60}$/.test(id)
        ? [{ id, ...((one as TabPlace).hidden === true ? { hidden: true } : {}) }]
        : [];
    });
  } catch {
    return undefined;
  }
}

/** The settings object of the course; null resets one to its default. Pure. */
export function packagedCourseSettings({
  flags,
  post_manually,
  tab_configuration,
  image_url,
  banner_image_url,
}: PackagedCourse): Record<string, unknown> {
  const given = Object.entries(flags).filter(([name, value]) => lookUp<string>(courseFlags, name) !== 'text' && value !== undefined);
  const { home_page_announcement_limit: limit, default_due_time: due, course_color: colour } = flags;
  const tabs = tabsIn(tab_configuration);
  const web = (address: string | null | undefined) => (/^https:\/\//.test(address ?? '') ? address?.slice(0, 2000) : undefined);
  const [image, banner] = [web(image_url), web(banner_image_url)];
  return {
    ...Object.fromEntries(given),
    ...(limit == null || limit < 1 || limit > 15 ? { home_page_announcement_limit: null } : {}),
    ...(due && /^([01]\d|2[0-3]):[0-5]\d:[0-5]\d$/.test(due) ? { default_due_time: due } : {}),
    ...(colour && /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i.test(colour) ? { course_color: colour } : {}),
    ...(post_manually === undefined ? {} : { post_manually: post_manually || null }),
    ...(tabs ? { tab_configuration: tabs } : {}),
    ...(image ? { image_url: image } : {}),
    ...(banner ? { banner_image_url: banner } : {}),
  };
}

/** Writes the settings; those that name items of the package are written once these are staged. The code states that there are settings. */
export function stageCourse(staging: Staging, given: PackagedCourse): void {
  const columns = courseColumns(given);
  const sets = Object.entries(columns).map(([name, value]) => sql`${sql.raw(name)} = ${value},`);
  staging.run(
    sql`update courses set ${sql.join(sets, sql` `)} course_code = 'settings', settings = json_patch(settings, ${JSON.stringify(packagedCourseSettings(given))}) where id = ${staging.course}`,
  );
}

/** The pictures and the grading standard of the course, which are items of the package. */
export function stageCourseReferences(staging: Staging, given: PackagedCourse): void {
  const { course } = staging;
  for (const name of ['image', 'banner_image'] as const) {
    const identifier = given[`${name}_identifier_ref`];
    if (!identifier) continue;
    const file = staging.found('file', sql`${identifier}`);
    staging.run(
      sql`update courses set settings = json_set(settings, ${`$.${name}_id`}, cast(${file} as text)) where id = ${course} and ${file} is not null`,
    );
  }
  if (!given.grading_standard_enabled) return;
  const standard = staging.found('grading_standard', sql`${given.grading_standard_identifier_ref ?? ''}`);
  staging.run(sql`update courses set grading_standard_id = coalesce(${standard}, grading_standard_id, 0) where id = ${course}`);
}

export const stageSyllabus = (staging: Staging, body: string): void =>
  staging.run(sql`update courses set syllabus_body = ${sanitise(body)} where id = ${staging.course}`);

const percent = (value: number | null | undefined): number => Math.min(100, Math.max(0, value ?? 0));

export function stageLatePolicy(staging: Staging, given: Packaged<typeof latePolicyShape>): void {
  const row = {
    identifier: '',
    missing_submission_deduction_enabled: given.missing_submission_deduction_enabled === true,
    missing_submission_deduction: percent(given.missing_submission_deduction),
    late_submission_deduction_enabled: given.late_submission_deduction_enabled === true,
    late_submission_deduction: percent(given.late_submission_deduction),
    late_submission_interval: given.late_submission_interval === 'hour' ? 'hour' : 'day',
    late_submission_minimum_percent_enabled: given.late_submission_minimum_percent_enabled === true,
    late_submission_minimum_percent: percent(given.late_submission_minimum_percent),
  };
  const { identifier, ...columns } = row;
  staging.insert(
    'late_policies',
    { course_id: sql`${staging.course}`, ...Object.fromEntries(Object.keys(columns).map((name) => [name, true as const])) },
    [row],
  );
}
