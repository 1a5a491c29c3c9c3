// Puts content that was chosen in a tool where it was asked for: into a new or an existing assignment, a module, a text, or a submission.

import { sql } from 'drizzle-orm';
import type { CourseContext } from '../../../contexts/course';
import type { Statement } from '../../../database/open';
import type { Call } from '../../../http/call';
import type { RowOf } from '../../../http/listing';
import { notFound } from '../../../http/problem';
import { toolAfter } from '../../assignments/external_tool';
import { valuesOf } from '../../assignments/input';
import type { assignments } from '../../assignments/table';
import { createAssignment, newestAssignment, update } from '../../assignments/writes';
import type { ToolRow } from '../../external_tools/json';
import type { LaunchTicket } from '../../external_tools/launch/ticket';
import { isAtTool } from '../../external_tools/matching';
import { unfiled } from '../../files/folders/paths';
import { courseQuota } from '../../files/upload/quota';
import { queueFetch } from '../../files/upload/start';
import { submissionLimits } from '../../files/upload/submission_limits';
import { linkAddress } from '../../lti_resource_links/json';
import { lti_resource_links } from '../../lti_resource_links/table';
import { renumberItems } from '../../modules/positions';
import { requirementEvent } from '../../modules/progress/record';
import { module_items } from '../../modules/table';
import { notifiedGrades } from '../../submissions/grading/handlers';
import { judgeSubmission, refuseClosed, submit } from '../../submissions/submit/attempt';
import { fileOfSubmission } from '../../submissions/submit/handlers';
import { readSubmitPrecondition, type SubmitPrecondition } from '../../submissions/submit/precondition';
import { line_items } from '../table';
import { contentHtml } from './content_html';
import { type ContentItem, WrongContent } from './content_items';
import { nameOfFile } from './file_item';

export interface ChoosingContent extends Pick<Call, 'db' | 'env' | 'now' | 'origin' | 'me' | 'institution' | 'afterwards'> {
  readonly course: CourseContext;
  readonly tool: ToolRow;
  readonly ticket: LaunchTicket;
  /** The assignment whose tool changes. */
  readonly assignment: RowOf<typeof assignments> | undefined;
}

export interface ChosenContent {
  readonly statements: readonly Statement[];
  /** What was done, for the user. */
  readonly report: string;
  /** Uuids of files that are fetched. */
  readonly files?: readonly string[];
  /** HTML for the text in which the tool was opened. @param ids of the files, by uuid */
  readonly html?: (ids: ReadonlyMap<string, number>) => string;
}

/** Where a link to the tool goes. @throws WrongContent for an address of another tool */
function launchUrl({ url }: ContentItem, tool: ToolRow): string {
  const address = url ?? tool.url;
  if (!address || (url !== undefined && !isAtTool(tool, url) && url !== tool.url))
    throw new WrongContent('url is not an address of the tool');
  return address;
}

const newLink = ({ course, tool, now }: ChoosingContent, item: ContentItem) => ({
  course_id: course.id,
  external_tool_id: tool.id,
  resource_link_uuid: crypto.randomUUID() as string,
  lookup_uuid: crypto.randomUUID() as string,
  title: item.title ?? null,
  url: launchUrl(item, tool),
  custom: item.custom,
  created_at: now,
  updated_at: now,
});

/** The line item of an assignment, where the tool has named it. */
function lineItemStatements(
  { db, course, tool, now }: ChoosingContent,
  { lineItem }: ContentItem,
  id: number | typeof newestAssignment,
): Statement[] {
  if (!lineItem?.tag && !lineItem?.resourceId) return [];
  const said = { tag: lineItem.tag ?? null, resource_id: lineItem.resourceId ?? null, updated_at: now };
  return [
    db.build
      .insert(line_items)
      .values({ id, course_id: course.id, external_tool_id: tool.id, is_coupled: true, ...said, created_at: now })
      .onConflictDoUpdate({ target: line_items.id, set: said }),
  ];
}

/** The link has the uuid by which the tool knows the assignment. */
function assignmentLink(around: ChoosingContent, item: ContentItem, id: number | typeof newestAssignment): Statement {
  const { db } = around;
  const link = newLink(around, item);
  const { title, url, custom, external_tool_id, updated_at } = link;
  return db.build
    .insert(lti_resource_links)
    .values({
      ...link,
      resource_type: 'assignment',
      assignment_id: id,
      resource_link_uuid: sql`(select a.lti_context_id from assignments a where a.id = ${id})`,
    })
    .onConflictDoUpdate({
      target: lti_resource_links.resource_link_uuid,
      set: { title, url, custom, external_tool_id, updated_at, workflow_state: 'active' },
    });
}

function forAssignment(around: ChoosingContent, [item]: readonly ContentItem[]): ChosenContent {
  const { course, tool, institution, assignment } = around;
  if (!item) return nothing;
  const zone = course.time_zone ?? institution.root.default_time_zone;
  const attributes = { url: launchUrl(item, tool), ...(!assignment && { new_tab: !item.isFramed }) };
  if (assignment) {
    const given = { external_tool_tag_attributes: attributes };
    const options = { ...assignment.options, ...toolAfter(attributes, assignment.submission_types, assignment.options, []) };
    return {
      statements: [
        ...update(around, assignment.id, { ...valuesOf(given, course, zone, assignment), options }, given),
        ...lineItemStatements(around, item, assignment.id),
        assignmentLink(around, item, assignment.id),
      ],
      report: 'The assignment opens the content that you chose.',
    };
  }
  const { unlock_at, due_at, lock_at } = item;
  const fields = {
    name: item.lineItem?.label ?? item.title ?? tool.name,
    description: item.text,
    points_possible: item.lineItem?.scoreMaximum ?? 0,
    grading_type: 'points' as const,
    submission_types: ['external_tool'],
    external_tool_tag_attributes: attributes,
    ...(unlock_at && { unlock_at }),
    ...(due_at && { due_at }),
    ...(lock_at && { lock_at }),
    published: false,
  };
  return {
    statements: [
      ...createAssignment(around, valuesOf(fields, course, zone), fields),
      ...lineItemStatements(around, item, newestAssignment),
      assignmentLink(around, item, newestAssignment),
    ],
    report: `The assignment “${fields.name}” was created. It is not published yet.`,
  };
}

const counted = (count: number): string => (count === 1 ? '1 item was' : `${count} items were`);

function forModule(around: ChoosingContent, items: readonly ContentItem[], module_id: number): ChosenContent {
  const { db, course, tool, now } = around;
  const statements = items.flatMap((item): Statement[] => {
    const isTool = item.type === 'ltiResourceLink';
    const external_url = isTool ? launchUrl(item, tool) : item.url;
    const place = db.build.insert(module_items).values({
      course_id: course.id,
      module_id,
      position: sql`coalesce((select max(position) from module_items where module_id = ${module_id} and workflow_state = 'active'), 0) + 1`,
      type: isTool ? 'ExternalTool' : 'ExternalUrl',
      content_id: isTool ? tool.id : null,
      title: item.title ?? item.text?.slice(0, 255) ?? tool.name,
      external_url,
      new_tab: !item.isFramed,
      created_at: now,
      updated_at: now,
    });
    if (!isTool) return [place];
    const link = { ...newLink(around, item), resource_type: 'module_item' as const, module_item_id: sql`last_insert_rowid()` };
    return [place, db.build.insert(lti_resource_links).values(link)];
  });
  return { statements: [...statements, renumberItems(db, module_id)], report: `${counted(items.length)} added to the module.` };
}

interface Piece {
  readonly statements: readonly Statement[];
  readonly file?: string;
  readonly html: (ids: ReadonlyMap<string, number>) => string;
}

/** The most files of one choice, which are fetched at about the same time. */
const mostFiles = 20;

/** A file becomes one of the course, because its address in the tool may be valid for a short time only. */
function fileForText(around: ChoosingContent, item: ContentItem): Piece {
  const { course, institution } = around;
  if (!course.can('manage_files_add')) throw new WrongContent('you may not add files to this course');
  const name = nameOfFile(item);
  const { uuid, statements } = queueFetch(
    around,
    {
      holder: { context_type: 'Course', context_id: course.id },
      folder: { path: unfiled },
      name,
      content_type: item.mediaType,
      on_duplicate: 'rename',
      locked: course.settings.usage_rights_required === true,
      quota: courseQuota(course, institution),
      most: submissionLimits(around.env).most,
    },
    item.url ?? '',
  );
  return {
    statements,
    file: uuid,
    html: (ids) => contentHtml({ ...item, title: item.title ?? name }, `/courses/${course.id}/files/${ids.get(uuid) ?? 0}?wrap=1`),
  };
}

/** Links in texts are kept, so that their custom values come with each launch. */
function linkForText(around: ChoosingContent, item: ContentItem): Piece {
  const { db, course, origin } = around;
  const link = newLink(around, item);
  const address = linkAddress({ course_id: course.id, lookup_uuid: link.lookup_uuid }, origin);
  return {
    html: () => contentHtml({ ...item, title: item.title ?? around.tool.name }, address),
    statements: [db.build.insert(lti_resource_links).values(link)],
  };
}

function forText(around: ChoosingContent, items: readonly ContentItem[]): ChosenContent {
  if (items.filter(({ type }) => type === 'file').length > mostFiles) throw new WrongContent(`more than ${mostFiles} files`);
  const pieces = items.map((item): Piece => {
    if (item.type === 'ltiResourceLink') return linkForText(around, item);
    return item.type === 'file' ? fileForText(around, item) : { html: () => contentHtml(item, item.url ?? ''), statements: [] };
  });
  const files = pieces.flatMap(({ file }) => file ?? []);
  return {
    statements: pieces.flatMap(({ statements }) => statements),
    report: `${counted(items.length)} chosen. Copy the HTML into your text.${files.length > 0 ? ' Files appear in the course in a moment.' : ''}`,
    files,
    html: (ids) => pieces.map(({ html }) => html(ids)).join('\n'),
  };
}

/** Content that needs nothing of a course: its HTML. */
export const contentForText = (items: readonly ContentItem[]): ChosenContent => ({
  statements: [],
  report: items.length === 0 ? nothing.report : `${counted(items.length)} chosen. Copy the HTML into your text.`,
  ...(items.length > 0 && { html: () => items.map((item) => contentHtml(item, item.url ?? '')).join('\n') }),
});

const workTypes = { ltiResourceLink: 'basic_lti_launch', link: 'online_url', html: 'online_text_entry' } as const;

/** The file is fetched first and then submitted, as of now. @throws Problem 400, 401 where the assignment does not accept the file */
function fileForSubmission(around: ChoosingContent, item: ContentItem, ground: SubmitPrecondition): ChosenContent {
  refuseClosed(ground, around.now);
  const about = { name: nameOfFile(item), content_type: item.mediaType };
  const { uuid, statements } = queueFetch(around, fileOfSubmission(around, ground, about, true), item.url ?? '');
  return { statements, files: [uuid], report: `The file is submitted to “${ground.assignment.name}” in a moment.` };
}

/** @throws Problem 400, 401 where the work is not accepted */
async function forSubmission(around: ChoosingContent, [item]: readonly ContentItem[]): Promise<ChosenContent> {
  const { db, course, now, me, ticket, tool } = around;
  if (!item) return nothing;
  if (ticket.assignment_id === undefined) throw notFound();
  const ground = await readSubmitPrecondition(around, {
    course,
    assignment: sql`select ${ticket.assignment_id}`,
    user: sql`select ${me.id}`,
    fileIds: [],
  });
  if (item.type === 'file') return fileForSubmission(around, item, ground);
  const submission_type = workTypes[item.type as keyof typeof workTypes];
  const url = item.type === 'ltiResourceLink' ? launchUrl(item, tool) : item.url;
  const what = judgeSubmission({ submission_type, url, body: item.html }, ground, around);
  return {
    statements: [
      ...[me.id, ...ground.mateIds.slice(0, notifiedGrades)].flatMap((user_id) =>
        requirementEvent(around, course, { type: 'Assignment', content_id: ground.assignment.id }, 'submitted', user_id),
      ),
      ...submit({ db, course, now }, { ...ground, proxy_submitter_id: null }, what, now),
    ],
    report: `Your work was submitted to “${ground.assignment.name}”.`,
  };
}

const nothing: ChosenContent = { statements: [], report: 'Nothing was chosen.' };

/**
 * What the items change at the place of the ticket.
 * @throws WrongContent for an item that does not belong to the tool; Problem where the place does not accept it
 */
export function chosenContent(around: ChoosingContent, items: readonly ContentItem[]): Promise<ChosenContent> | ChosenContent {
  const { placement, module_id } = around.ticket;
  if (items.length === 0) return nothing;
  if (placement === 'assignment_selection') return forAssignment(around, items);
  if (placement === 'homework_submission') return forSubmission(around, items);
  if (module_id !== undefined) return forModule(around, items, module_id);
  return forText(around, items);
}
