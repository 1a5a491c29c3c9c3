// Stages what Canvas packages have in single files: groups of assignments, grading standards, events, outcomes, rubrics.

import { calculationMethods } from '@carrel/shared/grading/outcome_scores';
import { sanitise } from '@carrel/shared/html/sanitise';
import { sql } from 'drizzle-orm';
import type { PackagedOutcome, PackagedOutcomeGroup, PackagedOutcomes } from '../../../cartridge/settings/outcomes';
import type { Packaged } from '../../../cartridge/settings/shape';
import type { assignmentGroupsShape, eventsShape, externalFeedsShape, gradingStandardsShape } from '../../../cartridge/settings/shapes';
import type { Staging } from './staging';

/** A name of at most 255 characters. */
export const shortName = (given: string | null | undefined, none: string): string =>
  (given ?? '').trim().slice(0, 255).toWellFormed() || none;

type Groups = Packaged<typeof assignmentGroupsShape>;

const dropCount = (rules: readonly { readonly drop_type?: string | null; readonly drop_count?: number | null }[], type: string): number =>
  Math.max(0, Math.floor(rules.find(({ drop_type }) => drop_type === type)?.drop_count ?? 0));

export function stageGroups(staging: Staging, { groups = [] }: Groups): void {
  const rows = groups.map(({ identifier = '', title, position, group_weight, rules = [] }, at) => {
    const [drop_lowest, drop_highest] = [dropCount(rules, 'drop_lowest'), dropCount(rules, 'drop_highest')];
    return {
      identifier,
      name: shortName(title, 'Assignments'),
      position: Math.max(1, Math.floor(position ?? at + 1)),
      group_weight: Math.max(0, group_weight ?? 0),
      rules: { ...(drop_lowest ? { drop_lowest } : {}), ...(drop_highest ? { drop_highest } : {}) },
    };
  });
  const course_id = sql`${staging.course}`;
  staging.insert(
    'assignment_groups',
    { course_id, name: true, position: true, group_weight: true, rules: true, workflow_state: sql`'available'` },
    rows,
    'assignment_group',
  );
}

/** The group of assignments whose package has no groups. */
export const stageDefaultGroup = (staging: Staging): void =>
  staging.run(
    sql`insert into assignment_groups (course_id, name, position, group_weight, rules, workflow_state, created_at, updated_at)
      select ${staging.course}, 'Assignments', 1, 0, '{}', 'available', ${staging.now}, ${staging.now} where not exists (select 1 from assignment_groups g where g.course_id = ${staging.course})`,
  );

/** Rules that name assignments, once these are staged. */
export function stageNeverDrop(staging: Staging, { groups = [] }: Groups): void {
  for (const { identifier = '', rules = [] } of groups) {
    const never = rules.flatMap(({ drop_type, identifierref }) => (drop_type === 'never_drop' && identifierref ? [identifierref] : []));
    if (never.length === 0) continue;
    staging.run(
      sql`update assignment_groups set rules = json_set(rules, '$.never_drop', (select json_group_array(i.item_id) from imported_items i
          where i.context_type = 'Course' and i.context_id = ${staging.course} and i.kind = 'assignment' and i.identifier in (select value from json_each(${JSON.stringify(never)}))))
        where id = ${staging.found('assignment_group', sql`${identifier}`)}`,
    );
  }
}

/** `[["A",0.94],["F",0]]`; undefined for anything else. Pure. */
export function schemeEntriesIn(data: string | null | undefined): { readonly name: string; readonly value: number }[] | undefined {
  try {
    const given: unknown = JSON.parse(data ?? '');
    if (!Array.isArray(given) || given.length === 0 || given.length > 100) return undefined;
    const entries = given.map((one) => ({ name: String(one?.[0] ?? '').slice(0, 255), value: Number(one?.[1]) }));
    return entries.every(({ value }) => Number.isFinite(value) && value >= 0) ? entries.sort((a, b) => b.value - a.value) : undefined;
  } catch {
    return undefined;
  }
}

export function stageStandards(staging: Staging, { standards = [] }: Packaged<typeof gradingStandardsShape>): void {
  const rows = standards.flatMap(({ identifier = '', title, data, points_based, scaling_factor }) => {
    const entries = schemeEntriesIn(data);
    if (!entries) staging.issue('warning', `The grading scheme ${shortName(title, identifier)} could not be read.`);
    return entries
      ? [
          {
            identifier,
            title: shortName(title, 'Grading scheme'),
            entries,
            points_based: points_based === true,
            scaling_factor: scaling_factor || 1,
          },
        ]
      : [];
  });
  const here = { context_type: sql`'Course'`, context_id: sql`${staging.course}` };
  staging.insert(
    'grading_standards',
    { ...here, title: true, entries: true, points_based: true, scaling_factor: true, workflow_state: sql`'active'` },
    rows,
    'grading_standard',
  );
}

const day = (text: string | null | undefined): string | null => (/^\d{4}-\d\d-\d\d$/.test(text ?? '') ? (text as string) : null);

const isRule = (rule: string | null | undefined): rule is string => /^[A-Z0-9;=,:+-]{5,500}$/.test(rule ?? '');

export function stageEvents(staging: Staging, { events = [] }: Packaged<typeof eventsShape>): void {
  // Names of the package could be those of series elsewhere.
  const series = [...new Set(events.flatMap(({ series_uuid }) => series_uuid ?? []))];
  const seriesOf = ({ series_uuid, rrule }: (typeof events)[number]) =>
    series_uuid && isRule(rrule) ? { series_uuid: `package-${staging.course}-${series.indexOf(series_uuid)}`, rrule } : undefined;
  const rows = events.map(({ identifier = '', title, description, start_at = null, end_at = null, ...one }) => ({
    identifier,
    title: shortName(title, 'Event'),
    description: description ? sanitise(description) : null,
    start_at,
    end_at: end_at === null || start_at === null || end_at >= start_at ? end_at : start_at,
    all_day: one.all_day === true,
    all_day_date: day(one.all_day_date),
    location_name: one.location_name?.slice(0, 255) ?? null,
    location_address: one.location_address?.slice(0, 255) ?? null,
    series_uuid: null,
    rrule: null,
    ...seriesOf(one),
    important_dates: one.important_dates === true,
    blackout_date: one.blackout_date === true,
  }));
  staging.insert(
    'calendar_events',
    {
      context_code: sql`${`course_${staging.course}`}`,
      user_id: sql`${staging.work.it.user_id}`,
      title: true,
      description: true,
      start_at: true,
      end_at: true,
      all_day: true,
      all_day_date: true,
      location_name: true,
      location_address: true,
      series_uuid: true,
      rrule: true,
      important_dates: true,
      blackout_date: true,
      details: sql`'{}'`,
      workflow_state: sql`'active'`,
    },
    rows,
    'calendar_event',
  );
}

interface PlacedGroup {
  readonly identifier: string;
  readonly title: string;
  readonly description: string | null;
  readonly vendor_guid: string | null;
  /** The identifier of the group above; blank at the top. */
  readonly parent: string;
}

const deepestGroup = 50;

/** Groups by level, the highest first, and the group of each outcome. Pure. */
export function packagedOutcomeTree(root: PackagedOutcomes) {
  const levels: PlacedGroup[][] = [];
  const outcomes = new Map<string, PackagedOutcome>();
  const links: { readonly group: string; readonly outcome: string }[] = [];
  const visit = (parent: string, content: PackagedOutcomes, depth: number) => {
    for (const one of content.outcomes) {
      outcomes.set(one.identifier, one);
      links.push({ group: parent, outcome: one.identifier });
    }
    for (const group of depth < deepestGroup ? content.groups : ([] as readonly PackagedOutcomeGroup[])) {
      levels[depth] ??= [];
      levels[depth].push({
        identifier: group.identifier,
        title: shortName(group.title, 'Outcomes'),
        description: group.description ? sanitise(group.description) : null,
        vendor_guid: group.vendor_guid ?? null,
        parent,
      });
      visit(group.identifier, group, depth + 1);
    }
  };
  visit('', root, 0);
  return { levels, outcomes: [...outcomes.values()], links };
}

function outcomeRow(one: PackagedOutcome) {
  const ratings = one.ratings
    .map(({ description, points }) => ({ description: shortName(description, 'Rating'), points: points ?? 0 }))
    .sort((a, b) => b.points - a.points);
  const known = ratings.length > 0 ? ratings : [{ description: 'Meets expectations', points: one.points_possible ?? 1 }];
  return {
    identifier: one.identifier,
    title: shortName(one.title, 'Outcome'),
    display_name: one.display_name?.slice(0, 255) ?? null,
    description: one.description ? sanitise(one.description) : null,
    friendly_description: one.friendly_description?.slice(0, 255) ?? null,
    vendor_guid: one.vendor_guid?.slice(0, 255) ?? null,
    calculation_method: calculationMethods.find((word) => word === one.calculation_method) ?? 'decaying_average',
    calculation_int: one.calculation_int ?? null,
    mastery_points: one.mastery_points ?? known[0]?.points ?? 0,
    points_possible: one.points_possible ?? known[0]?.points ?? 0,
    ratings: known,
  };
}

export function stageOutcomes(staging: Staging, given: PackagedOutcomes): void {
  const { levels, outcomes, links } = packagedOutcomeTree(given);
  const here = { context_type: sql`'Course'`, context_id: sql`${staging.course}` };
  const root = sql`(select g.id from learning_outcome_groups g where g.context_type = 'Course' and g.context_id = ${staging.course} and g.parent_outcome_group_id is null)`;
  staging.run(
    sql`insert into learning_outcome_groups (context_type, context_id, parent_outcome_group_id, title, created_at, updated_at) values ('Course', ${staging.course}, null, 'Cartridge', ${staging.now}, ${staging.now})`,
  );
  const columns = { ...here, title: true, description: true, vendor_guid: true, workflow_state: sql`'active'` } as const;
  for (const level of levels) {
    const parent_outcome_group_id = sql`coalesce(${staging.ref('outcome_group', 'parent')}, ${root})`;
    staging.insert('learning_outcome_groups', { ...columns, parent_outcome_group_id }, level, 'outcome_group');
  }
  const rows = outcomes.map(outcomeRow);
  const [first] = rows;
  if (!first) return;
  const { identifier, ...values } = first;
  staging.insert(
    'learning_outcomes',
    { ...here, ...Object.fromEntries(Object.keys(values).map((name) => [name, true as const])), workflow_state: sql`'active'` },
    rows,
    'learning_outcome',
  );
  staging.run(
    sql`insert into learning_outcome_links (learning_outcome_group_id, learning_outcome_id, context_type, context_id, title, created_at, updated_at)
      select coalesce(${staging.ref('outcome_group', 'group')}, ${root}), o.id, 'Course', ${staging.course}, o.title, ${staging.now}, ${staging.now}
      from json_each(${JSON.stringify(links)}) j join learning_outcomes o on o.id = ${staging.ref('learning_outcome', 'outcome')} order by j.key on conflict do nothing`,
  );
}

/** The question banks that outcomes assess, once these are staged. */
export function stageAlignments(staging: Staging, given: PackagedOutcomes): void {
  const rows = packagedOutcomeTree(given).outcomes.flatMap(({ identifier, alignments }) =>
    alignments.flatMap(({ content_type, content_id, mastery_score }) =>
      content_type === 'AssessmentQuestionBank' && content_id
        ? [{ outcome: identifier, bank: content_id, mastery_score: mastery_score == null ? null : Math.min(1, Math.max(0, mastery_score)) }]
        : [],
    ),
  );
  if (rows.length === 0) return;
  staging.run(
    sql`insert into outcome_alignments (learning_outcome_id, content_type, content_id, mastery_score)
      select made.outcome, 'AssessmentQuestionBank', made.bank, made.score from (select ${staging.ref('learning_outcome', 'outcome')} as outcome, ${staging.ref('question_bank', 'bank')} as bank,
        j.value ->> 'mastery_score' as score from json_each(${JSON.stringify(rows)}) j) made where made.outcome is not null and made.bank is not null on conflict do nothing`,
  );
}

const verbosities = ['full', 'truncate', 'link_only'] as const;
/** The staging course itself reads no feeds. */
const mostFeeds = 100;
const never = '9999-01-01T00:00:00Z';

export function stageFeeds(staging: Staging, { feeds = [] }: Packaged<typeof externalFeedsShape>): void {
  const rows = feeds.flatMap(({ title, url, verbosity, header_match }) => {
    const address = URL.parse(url ?? '');
    return address && /^https?:$/.test(address.protocol) && address.href.length <= 2000
      ? [
          {
            url: address.href,
            title: title?.slice(0, 255) ?? null,
            header_match: header_match?.slice(0, 255) || null,
            verbosity: verbosities.find((one) => one === verbosity) ?? 'full',
          },
        ]
      : [];
  });
  if (rows.length === 0) return;
  staging.run(
    sql`insert or ignore into external_feeds (context_type, context_id, user_id, url, title, header_match, verbosity, refresh_at, created_at, updated_at)
      select 'Course', ${staging.course}, ${staging.work.it.user_id}, j.value ->> 'url', j.value ->> 'title', j.value ->> 'header_match', j.value ->> 'verbosity', ${never}, ${staging.now}, ${staging.now}
      from json_each(${JSON.stringify(rows.slice(0, mostFeeds))}) j order by j.key`,
  );
}
