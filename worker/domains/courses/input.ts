// The parameters of `course[...]`, and the changes that a caller may make with them: columns and settings (reference 02 §1.4, §1.7).

import { sanitise } from '@carrel/shared/html/sanitise';
import { bool, idField, int, maybe, object, optional, referenceTo, text, time, word } from '@carrel/shared/wire/fields';
import { lookUp } from '@carrel/shared/wire/look_up';
import { type SQL, sql } from 'drizzle-orm';
import { idOf } from '../../contexts/references';
import { withoutHost } from '../../html/addresses';
import { invalid, problem } from '../../http/problem';
import { accountDefault, knownStandard } from '../../rules/grading_schemes';
import { type blueprintSettingsAfter, restrictionParams, typesByObject } from '../blueprint_templates/restrictions';
import { timeZone } from '../users/settings/time_zones';
import { settingDefaults } from './settings';
import type { courses } from './table';

const flag = optional(bool);
const words = optional(maybe(text));

/** Keys of the settings object, by type of value. */
export const settingParams = {
  allow_final_grade_override: flag,
  allow_student_discussion_topics: flag,
  allow_student_forum_attachments: flag,
  allow_student_discussion_editing: flag,
  allow_student_discussion_reporting: flag,
  allow_student_anonymous_discussion_topics: flag,
  filter_speed_grader_by_student_group: flag,
  allow_student_organized_groups: flag,
  hide_final_grades: flag,
  hide_distribution_graphs: flag,
  hide_sections_on_course_users_page: flag,
  lock_all_announcements: flag,
  usage_rights_required: flag,
  restrict_student_past_view: flag,
  restrict_student_future_view: flag,
  restrict_quantitative_data: flag,
  show_announcements_on_home_page: flag,
  home_page_announcement_limit: optional(maybe(int)),
  syllabus_course_summary: flag,
  homeroom_course: flag,
  homeroom_course_id: optional(maybe(referenceTo('course'))),
  sync_enrollments_from_homeroom: flag,
  enable_course_paces: flag,
  conditional_release: flag,
  default_due_time: words,
  show_total_grade_as_points: flag,
  grade_passback_setting: words,
  course_color: words,
  friendly_name: words,
  grading_standard_id: optional(maybe(idField('grading_standard'))),
  grading_standard_enabled: flag,
  image_id: optional(maybe(referenceTo('file'))),
  image_url: words,
  remove_image: flag,
  banner_image_id: optional(maybe(referenceTo('file'))),
  banner_image_url: words,
  remove_banner_image: flag,
};

const courseParams = {
  ...settingParams,
  /** Carrel's own: Canvas sets it over GraphQL only. */
  post_manually: flag,
  name: optional(text),
  course_code: words,
  start_at: optional(maybe(time)),
  end_at: optional(maybe(time)),
  conclude_at: optional(maybe(time)),
  restrict_enrollments_to_course_dates: flag,
  term_id: optional(referenceTo('term')),
  enrollment_term_id: optional(referenceTo('term')),
  license: words,
  is_public: flag,
  indexed: flag,
  is_public_to_auth_users: flag,
  public_syllabus: flag,
  public_syllabus_to_auth: flag,
  course_visibility: words,
  syllabus_visibility_option: words,
  public_description: words,
  syllabus_body: words,
  allow_student_wiki_edits: flag,
  allow_wiki_comments: flag,
  open_enrollment: flag,
  self_enrollment: flag,
  apply_assignment_group_weights: flag,
  group_weighting_scheme: words,
  time_zone: words,
  locale: words,
  default_view: words,
  course_format: words,
  sis_course_id: words,
  integration_id: words,
  storage_quota_mb: optional(maybe(int)),
  account_id: optional(referenceTo('account')),
  event: optional(word),
  blueprint: flag,
  template: flag,
};
const blueprintParams = {
  blueprint_restrictions: optional(restrictionParams),
  use_blueprint_restrictions_by_object_type: flag,
  blueprint_restrictions_by_object_type: optional(
    object(
      Object.fromEntries(typesByObject.map((type) => [type, optional(restrictionParams)])) as Record<
        string,
        ReturnType<typeof optional<typeof restrictionParams>>
      >,
    ),
  ),
};
export type BlueprintGiven = Parameters<typeof blueprintSettingsAfter>[1];
export const courseBody = { course: optional(object({ ...courseParams, ...blueprintParams })) };

type Value = string | number | boolean | null | undefined;
export type CourseGiven = { readonly [K in keyof typeof courseParams]?: Value };
type Row = typeof courses.$inferInsert;
/** Columns of a course that are written, as values or as SQL. */
export type CourseRowChange = { [K in keyof Row]?: Row[K] | SQL };

/** The caller's permissions that decide about protected fields. */
export interface CourseRights {
  readonly sis: boolean;
  readonly quota: boolean;
  readonly terms: boolean;
  readonly visibility: boolean;
  readonly blueprint: boolean;
  readonly rename: boolean;
  /** The posting policy. */
  readonly posting: boolean;
}

const licenses = new Set(['private', 'cc_by_nc_nd', 'cc_by_nc_sa', 'cc_by_nc', 'cc_by_nd', 'cc_by_sa', 'cc_by', 'public_domain']);
const views = new Set(['feed', 'wiki', 'modules', 'syllabus', 'assignments']);
const passbacks = new Set(['nightly_sync', 'disabled']);
const visibilities: Record<string, readonly [everybody: boolean, institution: boolean]> = {
  public: [true, true],
  institution: [false, true],
  course: [false, false],
};

const oneOf = (field: string, known: ReadonlySet<string>, value: Value) => {
  if (typeof value === 'string' && !known.has(value)) throw invalid(field, 'inclusion');
  return value;
};
const upTo255 = (field: string, value: Value) => {
  if (typeof value === 'string' && value.length > 255) throw invalid(field, 'too_long');
  return value;
};

function colour(given: Value): Value {
  if (typeof given !== 'string') return given;
  if (!/^#?(?:[0-9a-f]{3}|[0-9a-f]{6})$/i.test(given)) throw invalid('course_color', 'invalid');
  return given.startsWith('#') ? given : `#${given}`;
}

function zone(given: Value): Value {
  if (typeof given !== 'string') return given;
  const name = timeZone(given);
  if (name === undefined) throw invalid('time_zone', 'invalid');
  return name;
}

function pictures(given: CourseGiven, kind: 'image' | 'banner_image'): Record<string, Value> {
  const [id, url] = [given[`${kind}_id`], given[`${kind}_url`]];
  if (id && url) throw problem(400, `You cannot provide both ${kind}_id and ${kind}_url.`);
  if (given[`remove_${kind}`] === true) return { [`${kind}_id`]: null, [`${kind}_url`]: null };
  return {
    ...(id !== undefined && { [`${kind}_id`]: id, [`${kind}_url`]: null }),
    ...(url !== undefined && { [`${kind}_url`]: url, [`${kind}_id`]: null }),
  };
}

const columnsAmongSettings = new Set(['friendly_name', 'grading_standard_id', 'grading_standard_enabled']);

/** The changed settings; null resets to the default. */
export function settingsPatch(given: CourseGiven): Record<string, Value> {
  const plain = Object.keys(settingParams).filter((name) => !columnsAmongSettings.has(name) && !/image/.test(name));
  const patch: Record<string, Value> = Object.fromEntries(
    plain.flatMap((name) => {
      const value = lookUp<unknown>(given, name) as Value | undefined;
      return value === undefined ? [] : [[name, value]];
    }),
  );
  oneOf('grade_passback_setting', passbacks, patch.grade_passback_setting);
  if (patch.course_color !== undefined) patch.course_color = colour(patch.course_color);
  if (patch.default_due_time === 'inherit') patch.default_due_time = null;
  const limit = patch.home_page_announcement_limit;
  if (typeof limit === 'number' && (limit < 1 || limit > 15)) throw invalid('home_page_announcement_limit', 'inclusion');
  if (given.post_manually !== undefined) patch.post_manually = given.post_manually === true || null;
  Object.assign(patch, pictures(given, 'image'), pictures(given, 'banner_image'));
  for (const name of Object.keys(patch))
    if (lookUp(patch, name) === lookUp(settingDefaults as Record<string, Value>, name) && !Object.hasOwn(inheritable, name))
      patch[name] = null;
  return patch;
}

/** An account may set another default, so for these even the default value is stored. */
const inheritable = { lock_all_announcements: 1, usage_rights_required: 1, restrict_student_past_view: 1, restrict_student_future_view: 1 };

/** The settings with a patch applied in SQL, so that concurrent changes are both kept. */
export const patched = (patch: Record<string, Value>): SQL | undefined =>
  Object.keys(patch).length === 0 ? undefined : sql`json_patch(courses.settings, ${JSON.stringify(patch)})`;

/**
 * The grading standard after the change; 0 is the built-in scheme. Standards of other courses and accounts are ignored, like unknown ids.
 * @param account of a new course; an existing course keeps what it has
 */
function standardOf({ grading_standard_enabled: isEnabled, grading_standard_id: id }: CourseGiven, account: SQL | undefined) {
  if (isEnabled === false || id === null) return null;
  if (id === 0) return 0;
  const [place, kept] = account ? [account, sql`null`] : [sql`courses.account_id`, sql`courses.grading_standard_id`];
  if (typeof id === 'number') return sql<number>`coalesce(${knownStandard(id, place, account ? undefined : sql`courses.id`)}, ${kept})`;
  return isEnabled === true ? sql<number>`coalesce(${kept}, ${accountDefault(place)}, 0)` : undefined;
}

/** The course as sent, with this host's URLs in the syllabus made relative. */
export const withKeptSyllabus = (given: CourseGiven, { origin }: { readonly origin: string }): CourseGiven =>
  typeof given.syllabus_body === 'string' ? { ...given, syllabus_body: withoutHost(given.syllabus_body, origin) } : given;

/** Whether groups are to be weighted; undefined when that does not change. */
export const weightingOf = (given: CourseGiven): boolean | undefined =>
  (given.apply_assignment_group_weights ??
    (given.group_weighting_scheme === undefined ? undefined : given.group_weighting_scheme === 'percent')) as boolean | undefined;

/**
 * The changed columns; fields that the caller may not set are ignored.
 * @param account a select of the account of a new course
 */
export function columnChanges(given: CourseGiven, rights: CourseRights, account?: SQL): CourseRowChange {
  const [everybody, institution] = lookUp(visibilities, given.course_visibility as string | undefined) ?? [
    given.is_public,
    given.is_public_to_auth_users,
  ];
  const [syllabus, syllabusToAuth] = lookUp(visibilities, given.syllabus_visibility_option as string | undefined) ?? [
    given.public_syllabus,
    given.public_syllabus_to_auth,
  ];
  const term = given.enrollment_term_id ?? given.term_id;
  return {
    ...(rights.rename && { name: (upTo255('name', given.name) || undefined) as string | undefined }),
    course_code: upTo255('course_code', given.course_code) as string | undefined,
    friendly_name: upTo255('friendly_name', given.friendly_name) as string | undefined,
    ...(rights.terms &&
      term !== undefined && {
        enrollment_term_id: sql`(select id from terms where id = (${idOf('term', String(term))}) and workflow_state <> 'deleted')`,
      }),
    license: (oneOf('license', licenses, given.license) ?? undefined) as string | undefined,
    ...(rights.visibility && { indexed: given.indexed as boolean | undefined }),
    ...(rights.visibility && { is_public: everybody as boolean, is_public_to_auth_users: institution as boolean }),
    ...(rights.visibility && { public_syllabus: syllabus as boolean, public_syllabus_to_auth: syllabusToAuth as boolean }),
    public_description: given.public_description as string | undefined,
    syllabus_body: sanitise(given.syllabus_body as string | null | undefined),
    allow_student_wiki_edits: given.allow_student_wiki_edits as boolean | undefined,
    allow_wiki_comments: given.allow_wiki_comments as boolean | undefined,
    open_enrollment: given.open_enrollment as boolean | undefined,
    self_enrollment: given.self_enrollment as boolean | undefined,
    apply_assignment_group_weights: weightingOf(given),
    grading_standard_id: standardOf(given, account),
    time_zone: zone(given.time_zone) as string | undefined,
    locale: given.locale as string | undefined,
    default_view: (oneOf('default_view', views, given.default_view) ?? undefined) as Row['default_view'],
    course_format: given.course_format as string | undefined,
    ...(rights.sis && { sis_course_id: given.sis_course_id as string, integration_id: given.integration_id as string }),
    ...(rights.quota && { storage_quota_mb: given.storage_quota_mb as number }),
    ...(rights.blueprint && { is_template: given.template as boolean }),
  };
}

/**
 * The dates after a change: without `restrict_enrollments_to_course_dates`, the end date is dropped, and so is the start date of an unpublished
 * course.
 * @param before undefined for a new course
 */
export function dateChanges(
  given: CourseGiven,
  before: CourseBefore | undefined,
): Pick<CourseRowChange, 'start_at' | 'end_at' | 'restrict_enrollments_to_course_dates'> {
  const end = (given.end_at === undefined ? given.conclude_at : given.end_at) as string | null | undefined;
  const start = given.start_at as string | null | undefined;
  const asked = given.restrict_enrollments_to_course_dates as boolean | undefined;
  if (start === undefined && end === undefined && asked === undefined) return {};
  if (asked ?? before?.restrict_enrollments_to_course_dates ?? false)
    return { start_at: start, end_at: end, restrict_enrollments_to_course_dates: asked };
  const isPublished = before?.workflow_state === 'available' || before?.workflow_state === 'completed';
  return { start_at: isPublished ? start : null, end_at: null, restrict_enrollments_to_course_dates: asked };
}

/** All changes of a request to an existing course. `code` is the self-enrollment code to use if the course has none. */
export const courseChangesOf = (given: CourseGiven, rights: CourseRights, before: CourseBefore, code: string): CourseRowChange => ({
  ...columnChanges(given, rights),
  ...dateChanges(given, before),
  settings: patched(settingsPatch(rights.posting ? given : { ...given, post_manually: undefined })),
  ...(given.self_enrollment === true && { self_enrollment_code: sql`coalesce(courses.self_enrollment_code, ${code})` }),
});

export type CourseBefore = Pick<typeof courses.$inferSelect, 'restrict_enrollments_to_course_dates' | 'workflow_state'>;

/** The first word of the name, and the next word with a digit. */
export function codeFrom(name: string): string {
  const [first = name, ...later] = name.trim().split(/\s+/);
  const numbered = later.find((word) => /\d/.test(word));
  return numbered === undefined ? first : `${first}${numbered}`;
}
