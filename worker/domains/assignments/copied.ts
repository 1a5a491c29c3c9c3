// How assignments are copied to another course.

import { sql } from 'drizzle-orm';
import { shared } from '../../database/shared';
import { type CopiedKindFacts, copyOf, notDeletedAs, type Route, randomHex } from '../../rules/copied_kind';
import { toolThere } from '../../rules/copied_tool_links';
import { copiedStandard } from '../../rules/grading_schemes';
import { assignments } from './table';

const document = sql`(o.options ->> '$.annotatable_attachment_id')`;
const toolId = sql.raw("o.options ->> '$.external_tool_tag_attributes.content_id'");

/** The final grader is an instructor of the other course, and the tool may be one of it. */
const ownOptions = (
  route: Route,
) => sql`json_patch(json_remove(o.options, '$.final_grader_id', '$.external_tool_tag_attributes.content_id'),
  case when ${toolThere(toolId, route)} is null then '{}' else json_object('external_tool_tag_attributes', json_object('content_id', ${toolThere(toolId, route)})) end)`;

export const assignmentCopied: CopiedKindFacts = {
  kind: 'assignment',
  table: assignments,
  asset: 'assignment',
  title: 'name',
  there: (a, course) => sql`${sql.raw(a)}.course_id = ${course} and ${notDeletedAs(a)}`,
  planned: "o.assignment_group_id, o.grading_standard_id, o.options ->> '$.annotatable_attachment_id' as document_id",
  text: 'description',
  kept: [
    'assignment_group_id',
    'position',
    'lti_context_id',
    'sis_assignment_id',
    'integration_id',
    'only_visible_to_overrides',
    'group_category_id',
  ],
  differing: (route) => ({
    course_id: shared('course', route.to),
    assignment_group_id: sql`coalesce(${copyOf('assignment_group', sql`o.assignment_group_id`, route)}, (select id from assignment_groups where course_id = ${shared('course', route.to)} and workflow_state = 'available' order by position, id limit 1))`,
    grading_standard_id: copiedStandard(sql`o.grading_standard_id`, route),
    options: sql`case when ${document} is null then ${ownOptions(route)} else json_set(${ownOptions(route)}, '$.annotatable_attachment_id', coalesce(${copyOf('file', document, route)}, (select f.id from files f where f.id = ${document} and f.context_type = 'User'))) end`,
    only_visible_to_overrides: sql`0`,
    group_category_id: sql`(select here.id from group_categories there join group_categories here on here.name = there.name and here.context_type = 'Course' and here.context_id = ${shared('course', route.to)} and here.workflow_state = 'available' where there.id = o.group_category_id)`,
    sis_assignment_id: sql`null`,
    integration_id: sql`null`,
    lti_context_id: randomHex,
  }),
};
