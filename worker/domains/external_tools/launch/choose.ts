// Which tool a launch opens, and about what: by id, address, assignment, module item or link (reference 06 §6.4).

import type { PlacementName } from '@carrel/shared/resources/external_tool';
import { idField, optional, type Shape, text } from '@carrel/shared/wire/fields';
import { lookUp } from '@carrel/shared/wire/look_up';
import { and, eq, sql } from 'drizzle-orm';
import type { AccountContext } from '../../../contexts/account';
import type { CourseContext } from '../../../contexts/course';
import type { Call } from '../../../http/call';
import { notFound, Problem, unauthorized } from '../../../http/problem';
import { contentChoiceAt, mayChooseContent, mayChooseInAccount } from '../../../rules/content_choices';
import { activeLink } from '../../../rules/resource_links';
import { isPlacement, offersContent } from '../../../rules/tool_placements';
import { visibleAssignments } from '../../assignments/policy';
import { assignments } from '../../assignments/table';
import { lti_resource_links } from '../../lti_resource_links/table';
import { itemSeen, presentModules } from '../../modules/policy';
import { module_items, modules } from '../../modules/table';
import type { ToolRow } from '../json';
import { toolFor } from '../matching';
import { type ToolContext, usableTools } from '../policy';
import { external_tools } from '../table';
import type { LaunchTicket } from './ticket';

export const launchParams = {
  id: optional(idField('external_tool')),
  url: optional(text),
  launch_type: optional(text),
  assignment_id: optional(idField('assignment')),
  module_item_id: optional(idField('module_item')),
  context_module_id: optional(idField('module')),
  resource_link_lookup_uuid: optional(text),
};

type Asked = Shape<typeof launchParams>;
type Choosing = Pick<Call, 'db' | 'me' | 'now' | 'user' | 'path'> & { readonly course?: CourseContext; readonly account?: AccountContext };

const wrong = (errors: Readonly<Record<string, string>>) =>
  new Problem(400, {
    errors: Object.fromEntries(Object.entries(errors).map(([name, message]) => [name, [{ attribute: name, type: 'invalid', message }]])),
  });

/** No tool is at the address. Canvas' clients read this body with status 200. */
const noTool = () => new Problem(200, { errors: { external_tool: 'Unable to find a matching external tool' } });

const needsOne = () => {
  const message = 'An id, a url, a module_item_id or a resource_link_lookup_uuid must be given';
  return wrong({ id: message, url: message, module_item_id: message, resource_link_lookup_uuid: message });
};

/** Members who read work only, and those who may hand it in. */
const mayHandIn = (course: CourseContext) => course.readsAsAdmin || course.participates;

const toolAttributes = ({ options }: { readonly options: Readonly<Record<string, unknown>> }) =>
  (options.external_tool_tag_attributes ?? {}) as { readonly url?: string; readonly content_id?: number };

/** Reads the tools of the context and what else the request names, in one trip. */
async function readChoice(looking: Choosing, context: ToolContext, asked: Asked) {
  const { db, course } = looking;
  return db.perform([
    db.build.select().from(external_tools).where(usableTools(context)),
    db.build
      .select()
      .from(assignments)
      .where(
        course && asked.assignment_id !== undefined
          ? and(visibleAssignments(course, looking), eq(assignments.id, asked.assignment_id))
          : sql`0`,
      ),
    db.build
      .select()
      .from(module_items)
      .where(course && asked.module_item_id !== undefined ? itemSeen(course, looking, asked.module_item_id) : sql`0`),
    db.build
      .select()
      .from(lti_resource_links)
      .where(
        and(
          eq(lti_resource_links.lookup_uuid, asked.resource_link_lookup_uuid ?? ''),
          eq(lti_resource_links.course_id, course?.id ?? 0),
          activeLink,
        ),
      ),
    db.build
      .select({ id: modules.id })
      .from(modules)
      .where(course && asked.context_module_id !== undefined ? presentModules(course, asked.context_module_id) : sql`0`),
  ]);
}

export interface Chosen {
  readonly tool: ToolRow;
  readonly ticket: LaunchTicket;
}

/** What a request names: the address of the launch with the preferred tool, or the tool, and what it is about. */
interface Named {
  readonly url?: string;
  readonly preferred?: number | undefined;
  readonly tool?: number;
  readonly about?: Partial<LaunchTicket>;
}

type Read = Awaited<ReturnType<typeof readChoice>>;

/** @throws Problem 400 for an assignment without a tool, 401 for one that the caller may not hand in */
function ofAssignment(course: CourseContext | undefined, [, [work]]: Read): Named {
  if (!course || !work?.submission_types.includes('external_tool'))
    throw wrong({ assignment_id: 'The assignment must be one that opens an external tool' });
  if (!mayHandIn(course)) throw unauthorized();
  const { url, content_id } = toolAttributes(work);
  if (!url) throw noTool();
  return { url, preferred: content_id, about: { assignment_id: work.id } };
}

/** @throws Problem 400 for another item */
function ofItem([, , [item]]: Read): Named {
  if (!item?.external_url || item.type !== 'ExternalTool')
    throw wrong({ module_item_id: 'The item must be one that opens an external tool' });
  return { url: item.external_url, preferred: item.content_id ?? undefined, about: { module_item_id: item.id } };
}

/** @throws Problem 404 */
function ofLink([, , , [link]]: Read): Named {
  if (!link) throw notFound();
  return { tool: link.external_tool_id, about: { resource_link_id: link.id, ...(link.url && { url: link.url }) } };
}

/**
 * The place for which content is chosen in a tool.
 * @throws Problem 400 for an assignment that opens no tool, 401 without the right to change the place, 404 for an unknown place
 */
function contentPlace(
  course: CourseContext,
  placement: PlacementName,
  { assignment_id, context_module_id }: Asked,
  [, [work], , , [module]]: Read,
) {
  if (!mayChooseContent(course, placement, assignment_id)) throw unauthorized();
  if (assignment_id !== undefined && !work) throw notFound();
  if (context_module_id !== undefined && !module) throw notFound();
  if (placement === 'assignment_selection' && work && !work.submission_types.includes('external_tool'))
    throw wrong({ assignment_id: 'The assignment must be one that opens an external tool' });
  return {
    ...(work && (placement === 'assignment_selection' || placement === 'homework_submission') && { assignment_id: work.id }),
    ...(module && (placement === 'link_selection' || placement === 'resource_selection') && { module_id: module.id }),
  };
}

/** @throws Problem 400 where nothing is named */
function namedBy(asked: Asked, course: CourseContext | undefined, read: Read): Named {
  if (asked.resource_link_lookup_uuid !== undefined) return ofLink(read);
  if (asked.launch_type === 'assessment') return ofAssignment(course, read);
  if (asked.launch_type === 'module_item') return ofItem(read);
  if (asked.url) return { url: asked.url, preferred: asked.id };
  if (asked.id === undefined) throw needsOne();
  return { tool: asked.id };
}

/**
 * @throws Problem 400 without a tool, 401 for work that the caller may not hand in, 404 for a tool or link that is not in the context
 */
export async function chooseLaunch(call: Choosing, context: ToolContext, asked: Asked): Promise<Chosen> {
  const { me, course, account } = call;
  const found = await readChoice(call, context, asked);
  const tools = nearest(found[0], context);
  const { url, preferred, tool: id, about } = namedBy(asked, course, found);
  const tool = url === undefined ? tools.find((one) => one.id === id) : toolFor(tools, url, preferred);
  if (!tool) throw url === undefined ? notFound() : noTool();
  const placement = asked.launch_type !== undefined && isPlacement(asked.launch_type) ? asked.launch_type : undefined;
  const isChoice = placement !== undefined && offersContent(tool, placement) && contentChoiceAt(placement, context.type) !== undefined;
  if (isChoice && account && !mayChooseInAccount(account, placement)) throw unauthorized();
  return {
    tool,
    ticket: {
      user_id: me.id,
      real_user_id: me.real_user_id,
      context_type: context.type,
      context_id: context.id,
      tool_id: tool.id,
      ...(placement && { placement }),
      ...(url !== undefined && { url }),
      ...about,
      ...(isChoice && course && contentPlace(course, placement, asked, found)),
    },
  };
}

/** The tools of the context first, then upwards. */
function nearest(tools: readonly ToolRow[], { type, chain }: ToolContext): ToolRow[] {
  const distance = (tool: ToolRow) => (tool.context_type === type && type === 'Course' ? -1 : chain.toReversed().indexOf(tool.context_id));
  return [...tools].sort((a, b) => distance(a) - distance(b) || a.id - b.id);
}

/** Where a launch goes; undefined for a tool that has a domain only. */
export function launchTargetOf(tool: ToolRow, { placement, url }: LaunchTicket): string | undefined {
  if (url) return url;
  const placed = placement && lookUp(tool.placements, placement);
  return [placed?.target_link_uri, placed?.url, tool.url].find((one): one is string => typeof one === 'string' && one !== '');
}
