// The files of `course_settings`: everything that has no document of its own. It is one step.

import { lookUp } from '@carrel/shared/wire/look_up';
import { type SQL, sql } from 'drizzle-orm';
import { writePackagedPage } from '../../../cartridge/content/page';
import { packageKey } from '../../../cartridge/keys';
import type { PackageFile } from '../../../cartridge/manifest';
import { courseFlags, writeCourseSettings } from '../../../cartridge/settings/course';
import { writeOutcomes } from '../../../cartridge/settings/outcomes';
import { writeSettings } from '../../../cartridge/settings/shape';
import {
  assignmentGroupsShape,
  eventsShape,
  externalFeedsShape,
  gradingStandardsShape,
  latePolicyShape,
  modulesShape,
  rubricsShape,
} from '../../../cartridge/settings/shapes';
import { among } from '../../../database/ids';
import { assignment_groups } from '../../assignment_groups/table';
import { calendar_events } from '../../calendar_events/table';
import { courses } from '../../courses/table';
import { external_feeds } from '../../external_feeds/table';
import { grading_standards } from '../../grading_standards/table';
import { late_policies } from '../../late_policies/table';
import { learning_outcome_groups, learning_outcome_links, learning_outcomes, outcome_alignments } from '../../outcomes/table';
import { rubrics } from '../../rubrics/table';
import type { PackagePart } from '../quiz_parts';
import { mediaTracks } from './caption_parts';
import type { PartsOf } from './documents';
import { filesMeta } from './file_parts';
import { linkParts, type ModuleTree, packagedModules } from './module_parts';
import { type Repack, repackFor } from './names';
import { packagedOutcomes, packagedRubrics } from './packaged_outcomes';
import type { CartridgePlan } from './plan';
import { resourceLinkParts } from './resource_link_parts';
import { toolParts } from './tool_parts';

/** What the step reads besides modules and files. */
async function read({ db, course }: PartsOf, { others, chunks }: CartridgePlan) {
  const { build } = db;
  const {
    assignment_group = [],
    calendar_event = [],
    grading_standard = [],
    rubric = [],
    learning_outcome = [],
    outcome_group = [],
  } = others;
  const banks = chunks.flatMap((chunk) => (chunk.of === 'question_bank' ? chunk.ids : []));
  const here = (alias: string): SQL => sql`${sql.raw(`${alias}.context_type = 'Course' and ${alias}.context_id`)} = ${course.id}`;
  const [[row], [policy], groups, events, standards, theRubrics, outcomes, outcomeGroups, links, alignments, feeds] = await db.perform([
    build.select().from(courses).where(sql`${courses.id} = ${course.id}`),
    build.select().from(late_policies).where(sql`${late_policies.course_id} = ${course.id}`),
    build
      .select()
      .from(assignment_groups)
      .where(sql`${among(assignment_groups.id, assignment_group)} and ${assignment_groups.course_id} = ${course.id}`)
      .orderBy(assignment_groups.position, assignment_groups.id),
    build.select().from(calendar_events).where(among(calendar_events.id, calendar_event)).orderBy(calendar_events.id),
    build
      .select()
      .from(grading_standards)
      .where(sql`${among(grading_standards.id, grading_standard)} and ${here('grading_standards')}`)
      .orderBy(grading_standards.id),
    build
      .select()
      .from(rubrics)
      .where(sql`${among(rubrics.id, rubric)} and ${here('rubrics')}`)
      .orderBy(rubrics.id),
    build
      .select()
      .from(learning_outcomes)
      .where(sql`${among(learning_outcomes.id, learning_outcome)} and ${here('learning_outcomes')}`)
      .orderBy(learning_outcomes.id),
    build
      .select()
      .from(learning_outcome_groups)
      .where(sql`${among(learning_outcome_groups.id, outcome_group)} and ${here('learning_outcome_groups')}`)
      .orderBy(learning_outcome_groups.id),
    build
      .select()
      .from(learning_outcome_links)
      .where(among(learning_outcome_links.learning_outcome_group_id, outcome_group))
      .orderBy(learning_outcome_links.id),
    build
      .select()
      .from(outcome_alignments)
      .where(
        sql`${among(outcome_alignments.learning_outcome_id, learning_outcome)} and outcome_alignments.content_type = 'AssessmentQuestionBank' and ${among(outcome_alignments.content_id, banks)}`,
      )
      .orderBy(outcome_alignments.learning_outcome_id, outcome_alignments.content_id),
    build
      .select()
      .from(external_feeds)
      .where(sql`${here('external_feeds')}`)
      .orderBy(external_feeds.id),
  ]);
  return { row, policy, groups, events, standards, rubrics: theRubrics, outcomes, outcomeGroups, links, alignments, feeds };
}
type Read = Awaited<ReturnType<typeof read>>;

/** A file, unless there is nothing to write. */
const file = (name: string, rows: readonly unknown[], content: () => string): PackageFile[] =>
  rows.length === 0 ? [] : [{ path: `course_settings/${name}`, content: content() }];

function courseSettings(source: string, row: NonNullable<Read['row']>, standards: Read['standards']): string {
  const { settings } = row;
  const flags = Object.fromEntries(Object.keys(courseFlags).map((name) => [name, lookUp(settings, name) ?? undefined]));
  const picture = (name: 'image' | 'banner_image') => {
    const [id, url] = [settings[`${name}_id`], settings[`${name}_url`]];
    return id ? { [`${name}_identifier_ref`]: packageKey(source, 'file', Number(id)) } : url ? { [`${name}_url`]: String(url) } : {};
  };
  const standard = standards.find(({ id }) => id === row.grading_standard_id);
  return writeCourseSettings({
    identifier: packageKey(source, 'course', row.id),
    title: row.name,
    course_code: row.course_code,
    start_at: row.start_at,
    conclude_at: row.end_at,
    is_public: row.is_public,
    is_public_to_auth_users: row.is_public_to_auth_users,
    public_syllabus: row.public_syllabus,
    public_syllabus_to_auth: row.public_syllabus_to_auth,
    indexed: row.indexed,
    public_description: row.public_description,
    default_view: row.default_view,
    license: row.license,
    course_format: row.course_format,
    group_weighting_scheme: row.apply_assignment_group_weights ? 'percent' : 'equal',
    allow_student_wiki_edits: row.allow_student_wiki_edits,
    allow_wiki_comments: row.allow_wiki_comments,
    open_enrollment: row.open_enrollment,
    restrict_enrollments_to_course_dates: row.restrict_enrollments_to_course_dates,
    locale: row.locale,
    time_zone: row.time_zone,
    grading_standard_enabled: row.grading_standard_id !== null,
    ...(standard ? { grading_standard_identifier_ref: packageKey(source, 'grading_standard', standard.id) } : {}),
    ...picture('image'),
    ...picture('banner_image'),
    ...(settings.tab_configuration ? { tab_configuration: JSON.stringify(settings.tab_configuration) } : {}),
    flags,
    post_manually: settings.post_manually === true,
  });
}

const latePolicy = (source: string, { id, course_id, created_at, updated_at, ...values }: NonNullable<Read['policy']>): string =>
  writeSettings(latePolicyShape, { identifier: packageKey(source, 'late_policy', id), ...values });

const groupDocument = (source: string, groups: Read['groups']): string =>
  writeSettings(assignmentGroupsShape, {
    groups: groups.map(({ id, name, position, group_weight, rules }) => ({
      identifier: packageKey(source, 'assignment_group', id),
      title: name,
      position,
      group_weight,
      rules: [
        ...(['drop_lowest', 'drop_highest'] as const).flatMap((rule) =>
          rules[rule] ? [{ drop_type: rule, drop_count: rules[rule] }] : [],
        ),
        ...(rules.never_drop ?? []).map((one) => ({ drop_type: 'never_drop', identifierref: packageKey(source, 'assignment', one) })),
      ],
    })),
  });

const eventDocument = (source: string, events: Read['events'], repack: Repack): string =>
  writeSettings(eventsShape, {
    events: events.map((one) => ({
      identifier: packageKey(source, 'calendar_event', one.id),
      title: one.title,
      description: repack(one.description),
      start_at: one.start_at,
      end_at: one.end_at,
      all_day: one.all_day,
      ...(one.all_day_date === null ? {} : { all_day_date: one.all_day_date }),
      location_name: one.location_name,
      location_address: one.location_address,
      ...(one.series_uuid === null || one.rrule === null ? {} : { series_uuid: one.series_uuid, rrule: one.rrule }),
      important_dates: one.important_dates,
      blackout_date: one.blackout_date,
    })),
  });

const feedDocument = (source: string, feeds: Read['feeds']): string =>
  writeSettings(externalFeedsShape, {
    feeds: feeds.map(({ id, title, url, verbosity, header_match }) => ({
      identifier: packageKey(source, 'external_feed', id),
      title,
      url,
      verbosity,
      ...(header_match === null ? {} : { header_match }),
    })),
  });

const standardDocument = (source: string, standards: Read['standards']): string =>
  writeSettings(gradingStandardsShape, {
    standards: standards.map((one) => ({
      identifier: packageKey(source, 'grading_standard', one.id),
      version: '2',
      title: one.title,
      data: JSON.stringify(one.entries.map(({ name, value }) => [name, value])),
      points_based: one.points_based,
      scaling_factor: one.scaling_factor,
    })),
  });

/** The marker that makes it a package of Canvas, with the settings; the syllabus; the links of modules. */
export async function courseParts(on: PartsOf, plan: CartridgePlan, tree: ModuleTree): Promise<PackagePart[]> {
  const { db, course, types } = on;
  const it = await read(on, plan);
  const { uuid: source } = course;
  const repack = await repackFor(db, course, [
    it.row?.syllabus_body ?? null,
    ...it.events.map(({ description }) => description),
    ...it.outcomes.map(({ description }) => description),
  ]);
  const wanted = plan.settings && it.row ? [it.row] : [];
  const [meta, tracks] = [await filesMeta(on, plan), await mediaTracks(on, plan)];
  const files: PackageFile[] = [
    { path: 'course_settings/canvas_export.txt', content: 'This package was exported by Carrel in the format of Canvas.\n' },
    ...file('course_settings.xml', wanted, () => courseSettings(source, it.row as NonNullable<Read['row']>, it.standards)),
    ...file('late_policy.xml', plan.settings && it.policy ? [1] : [], () => latePolicy(source, it.policy as NonNullable<Read['policy']>)),
    ...file('module_meta.xml', tree.modules, () => writeSettings(modulesShape, { modules: packagedModules(course, tree) })),
    ...file('assignment_groups.xml', it.groups, () => groupDocument(source, it.groups)),
    ...file('grading_standards.xml', it.standards, () => standardDocument(source, it.standards)),
    ...file('rubrics.xml', it.rubrics, () =>
      writeSettings(rubricsShape, { rubrics: packagedRubrics(source, it.rubrics, new Set(it.outcomes.map(({ id }) => id))) }),
    ),
    ...file('learning_outcomes.xml', [...it.outcomes, ...it.outcomeGroups], () => writeOutcomes(packagedOutcomes(source, it, repack))),
    ...file('events.xml', it.events, () => eventDocument(source, it.events, repack)),
    ...file('external_feeds.xml', plan.settings ? it.feeds : [], () => feedDocument(source, it.feeds)),
    ...(meta === undefined ? [] : [{ path: 'course_settings/files_meta.xml', content: meta }]),
    ...(tracks === undefined ? [] : [{ path: 'course_settings/media_tracks.xml', content: tracks }]),
  ];
  const key = packageKey(source, 'course', course.id);
  const syllabus: PackageFile[] =
    plan.syllabus && it.row?.syllabus_body
      ? [{ path: 'course_settings/syllabus.html', content: writePackagedPage({ title: 'Syllabus', body: repack(it.row.syllabus_body) }) }]
      : [];
  const resource = (identifier: string, some: readonly PackageFile[], more: object = {}) => ({
    identifier,
    type: types.associated,
    href: some[0]?.path ?? '',
    files: some.map(({ path }) => path),
    dependencies: [],
    ...more,
  });
  return [
    { files, resources: [resource(key, files)] },
    ...(syllabus.length > 0 ? [{ files: syllabus, resources: [resource(`${key}_syllabus`, syllabus, { intendeduse: 'syllabus' })] }] : []),
    ...linkParts(on, tree),
    ...(await toolParts(on, plan.others.external_tool ?? [])),
    ...(await resourceLinkParts(on, plan)),
  ];
}
