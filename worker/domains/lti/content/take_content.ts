// Takes content that a user has chosen in a tool: what both versions of LTI share. A choice is bound to the user, the tool and the place by the ticket
// of the launch, and counts once.

import { and, eq, sql } from 'drizzle-orm';
import type { CourseContext } from '../../../contexts/course';
import { type DeveloperKeyRow, isSwitchedOn } from '../../../contexts/developer_key';
import { loadContexts } from '../../../contexts/load';
import type { Statement } from '../../../database/open';
import type { Call } from '../../../http/call';
import { Problem } from '../../../http/problem';
import type { Reply } from '../../../http/reply';
import { type ContentChoice, contentChoiceAt, mayChooseContent } from '../../../rules/content_choices';
import { escapeHtml, signInFrame } from '../../../site/frame';
import { htmlPage } from '../../../site/page';
import { checkAssignmentChange, historyOf, selectHistory } from '../../assignments/change_rules';
import { assignments } from '../../assignments/table';
import { developer_key_account_bindings as bindings, developer_keys } from '../../developer_keys/table';
import type { ToolRow } from '../../external_tools/json';
import { launchTrouble } from '../../external_tools/launch/page';
import { isUsedAgain, type LaunchTicket, type OpenedTicket, openTicket, useOnce } from '../../external_tools/launch/ticket';
import { external_tools } from '../../external_tools/table';
import { files as filesTable } from '../../files/table';
import { presentModules } from '../../modules/policy';
import { modules } from '../../modules/table';
import { type ChoosingContent, chosenContent } from './chosen_content';
import { contentItemsOf, WrongContent } from './content_items';

export type TakingContent = Pick<Call, 'db' | 'env' | 'now' | 'origin' | 'institution' | 'afterwards'>;

/** A response that cannot be taken, in words for the user. */
export class RefusedContent extends Error {}

/** What the response needs: its tool and key, and the places that its ticket names. */
const readPlaces = ({ db, now }: TakingContent, { tool_id, module_id, assignment_id }: LaunchTicket, course: CourseContext) => {
  const ofTool = and(
    eq(assignments.id, assignment_id ?? 0),
    eq(assignments.course_id, course.id),
    sql`assignments.workflow_state <> 'deleted' and instr(assignments.submission_types, 'external_tool') > 0`,
  );
  const key = sql`(select t.developer_key_id from external_tools t where t.id = ${tool_id})`;
  return db.perform([
    db.build.select().from(external_tools).where(sql`external_tools.id = ${tool_id} and external_tools.workflow_state = 'active'`),
    db.build.select().from(developer_keys).where(eq(developer_keys.id, key)),
    db.build.select().from(bindings).where(eq(bindings.developer_key_id, key)),
    db.build
      .select({ id: modules.id })
      .from(modules)
      .where(presentModules(course, module_id ?? 0)),
    db.build.select().from(assignments).where(ofTool),
    selectHistory({ db, now }, course, ofTool),
  ]);
};

const isUsable = ({ context_type, context_id }: ToolRow, { id, chain }: CourseContext): boolean =>
  context_type === 'Course' ? context_id === id : chain.includes(context_id);

interface ContentPlace {
  readonly around: ChoosingContent;
  readonly choice: ContentChoice;
  /** Of a tool of LTI 1.3, switched on. */
  readonly key: DeveloperKeyRow | undefined;
  readonly histories: Parameters<typeof historyOf>[0];
}

/** The place of a ticket, if its user may still add content there. @throws RefusedContent */
async function placeOf(call: TakingContent, { ticket }: OpenedTicket<LaunchTicket>, version: ToolRow['version']): Promise<ContentPlace> {
  const { db, env, now, origin, institution, afterwards } = call;
  const { me, course } = await loadContexts(db, {
    tokenHash: undefined,
    sessionHash: undefined,
    speaksFor: sql`select id from users where id = ${ticket.user_id}`,
    asUser: undefined,
    path: { course_id: String(ticket.context_id) },
    bySisId: false,
    within: {},
    idempotencyKey: undefined,
    now,
  });
  const choice = contentChoiceAt(ticket.placement);
  if (!choice || !course || !me.isKnown || !mayChooseContent(course, ticket.placement, ticket.assignment_id))
    throw new RefusedContent('You may no longer add content here.');
  const [[tool], [key], said, [module], [assignment], histories] = await readPlaces(call, ticket, course);
  const isOn = version === '1.1' || (key && isSwitchedOn(key, said, institution.root.id));
  if (!tool || tool.version !== version || !isUsable(tool, course) || !isOn) throw new RefusedContent('The tool is no longer there.');
  const isGone =
    (ticket.module_id !== undefined && !module) ||
    (ticket.placement === 'assignment_selection' && ticket.assignment_id !== undefined && !assignment);
  if (isGone) throw new RefusedContent('The place for the content is no longer there.');
  return {
    around: { db, env, now, origin, institution, afterwards, me, course, tool, ticket, assignment },
    choice,
    key,
    histories,
  };
}

/** What a tool has sent, once its signature was verified. */
interface SentContent {
  readonly items: unknown;
  /** What is used up with the response, besides its ticket. */
  readonly uses?: Statement;
}

interface Done {
  readonly report: string;
  readonly html: string | undefined;
}

async function perform(place: ContentPlace, opened: OpenedTicket<LaunchTicket>, { items, uses }: SentContent): Promise<Done> {
  const { db, course, me, ticket, assignment } = place.around;
  if (ticket.placement === 'assignment_selection' && assignment)
    checkAssignmentChange({ external_tool_tag_attributes: {} }, assignment, historyOf(place.histories), { course, me });
  const { statements, report, files = [], html } = await chosenContent(place.around, contentItemsOf(items, place.choice));
  const named = db.build
    .select({ id: filesTable.id, uuid: filesTable.uuid })
    .from(filesTable)
    .where(sql`files.uuid in (select value from json_each(${JSON.stringify(files)}))`);
  const results: readonly unknown[] = await db.perform([
    useOnce(db, opened),
    ...(uses ? [uses] : []),
    ...statements,
    ...(files.length > 0 ? [named] : []),
  ]);
  const found = files.length > 0 ? (results.at(-1) as { id: number; uuid: string }[]) : [];
  return { report, html: html?.(new Map(found.map(({ id, uuid }) => [uuid, id]))) };
}

const longestWords = 1000;

function resultPage({ report, html }: Done, words: string): Reply {
  const said = words ? `<p>The tool reports: ${escapeHtml(words.slice(0, longestWords))}</p>` : '';
  const shown = html === undefined ? '' : `<pre class="address">${escapeHtml(html)}</pre>`;
  return htmlPage(
    signInFrame('Content of the tool', `<h1>Done</h1><p>${escapeHtml(report)}</p>${said}${shown}<p>You can close this window.</p>`),
  );
}

/** The ticket of a choice in a course; undefined for another text, and where it has expired. */
export async function contentTicket({ env, now }: Pick<Call, 'env' | 'now'>, text: string, any_course: string) {
  const opened = await openTicket<LaunchTicket>(env, 'content', text, now);
  return opened && String(opened.ticket.context_id) === any_course ? opened : undefined;
}

export const unreadableContent = (): Reply =>
  launchTrouble(400, 'The response of the tool cannot be read, or has expired. Open the tool again.');

/**
 * @param words what the tool says to the user
 * @param verify checks who has sent the response @throws RefusedContent
 */
export async function takeContent(
  call: TakingContent,
  opened: OpenedTicket<LaunchTicket>,
  version: ToolRow['version'],
  words: string,
  verify: (place: ContentPlace) => Promise<SentContent>,
): Promise<Reply> {
  try {
    const place = await placeOf(call, opened, version);
    return resultPage(await perform(place, opened, await verify(place)), words);
  } catch (error) {
    if (isUsedAgain(error)) return launchTrouble(400, 'This response of the tool was used before.');
    if (error instanceof RefusedContent || error instanceof WrongContent) return launchTrouble(400, error.message);
    if (error instanceof Problem) return launchTrouble(400, 'The content is not accepted here.');
    throw error;
  }
}
