// Links to resources of tools in a cartridge: those of its assignments and module items, and those that its texts contain.

import { getTableName, type SQL, sql } from 'drizzle-orm';
import { resourceLinksFolder, writeResourceLink } from '../../../cartridge/content/resource_link';
import { packageKey } from '../../../cartridge/keys';
import { kindFacts } from '../../../rules/copied_kinds';
import { linksMentioned } from '../../../rules/copied_tool_links';
import { newestLink } from '../../../rules/resource_links';
import type { CopiedKind } from '../../course_copy/table';
import type { PackagePart } from '../quiz_parts';
import { customOfAssignment, linkOfAssignment } from './assignment_link';
import type { PartsOf } from './documents';
import type { CartridgePlan } from './plan';

interface LinkRow {
  readonly id: number;
  /** For its identifier in the package. */
  readonly kind: string;
  readonly lookup_uuid: string;
  readonly title: string;
  readonly url: string;
  /** JSON. */
  readonly custom: string;
}

const listed = (ids: readonly (number | string)[]): SQL => sql`(select value from json_each(${JSON.stringify(ids)}))`;

/** Kinds whose texts may contain links. */
const textual = ['page', 'assignment', 'discussion_topic', 'quiz', 'calendar_event'] as const satisfies readonly CopiedKind[];

const chunkedIds = ({ chunks }: CartridgePlan, kind: string): readonly number[] =>
  chunks.flatMap((chunk) => (chunk.of === kind ? chunk.ids : []));

/** The lookup uuids that the texts of the package contain. */
async function mentionedLinks({ db, course }: PartsOf, plan: CartridgePlan): Promise<string[]> {
  const mark = 'resource_link_lookup_uuid=';
  const found = await db.perform([
    ...textual.map((kind) => {
      const { table, text = '' } = kindFacts[kind];
      const ids = kind === 'calendar_event' ? (plan.others.calendar_event ?? []) : chunkedIds(plan, kind);
      const column = sql.raw(`o.${text}`);
      return db.build.all<{ html: string | null }>(
        sql`select ${column} as html from ${sql.raw(getTableName(table))} o where o.id in ${listed(ids)} and instr(${column}, ${mark}) > 0`,
      );
    }),
    db.build.all<{ html: string | null }>(
      sql`select o.question_text as html from quiz_questions o where o.quiz_id in ${listed(chunkedIds(plan, 'quiz'))} and o.workflow_state = 'active' and instr(o.question_text, ${mark}) > 0`,
    ),
    db.build.all<{ html: string | null }>(
      sql`select c.syllabus_body as html from courses c where c.id = ${course.id} and ${plan.syllabus ? 1 : 0} and instr(c.syllabus_body, ${mark}) > 0`,
    ),
  ]);
  return [...new Set(found.flat().flatMap(({ html }) => linksMentioned(html)))];
}

export async function resourceLinkParts(on: PartsOf, plan: CartridgePlan): Promise<PackagePart[]> {
  const { db, course, types } = on;
  const uuids = await mentionedLinks(on, plan);
  const assignments = listed(chunkedIds(plan, 'assignment'));
  const rows = (from: SQL) =>
    db.build.all<LinkRow>(
      // A link without an address opens its tool at the tool's own.
      sql`select o.id, 'lti_resource_link' as kind, o.lookup_uuid, coalesce(o.title, t.name) as title, coalesce(o.url, t.url, 'https://' || t.domain) as url, o.custom from ${from}
        cross join external_tools t on t.id = o.external_tool_id where o.course_id = ${course.id} order by o.id`,
    );
  const [ofAssignments, ofItems, inTexts, without] = await db.perform([
    rows(
      sql`${assignments} j cross join assignments a on a.id = j.value cross join lti_resource_links o on o.id = ${newestLink('assignment', sql.raw('a.id'))}`,
    ),
    rows(
      sql`${listed(plan.others.module_item ?? [])} j cross join lti_resource_links o on o.id = ${newestLink('module_item', sql.raw('j.value'))}`,
    ),
    rows(sql`${listed(uuids)} j cross join lti_resource_links o on o.lookup_uuid = j.value and o.workflow_state = 'active'`),
    db.build.all<LinkRow>(
      sql`select a.id, 'assignment_link' as kind, a.lti_context_id as lookup_uuid, a.name as title, a.options ->> '$.external_tool_tag_attributes.url' as url,
          coalesce(${customOfAssignment}, '{}') as custom
        from ${assignments} j cross join assignments a on a.id = j.value
        where a.course_id = ${course.id} and a.workflow_state <> 'deleted' and ${linkOfAssignment} = a.lti_context_id order by a.id`,
    ),
  ]);
  const all = new Map([...ofAssignments, ...ofItems, ...inTexts, ...without].map((row) => [row.lookup_uuid, row]));
  return [...all.values()].flatMap(({ id, kind, lookup_uuid, title: name, url: address, custom }) => {
    if (!address) return [];
    const identifier = packageKey(course.uuid, kind, id);
    const path = `${resourceLinksFolder}${identifier}.xml`;
    const values = Object.entries(JSON.parse(custom) as Record<string, unknown>).map(([key, value]) => [key, String(value)]);
    const content = writeResourceLink({ title: name, url: address, custom: Object.fromEntries(values), lookup_uuid });
    return [{ files: [{ path, content }], resources: [{ identifier, type: types.resourceLink, files: [path], dependencies: [] }] }];
  });
}
