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
import { type ContentChoice, contentChoiceAt, mayChooseContent, mayChooseInAccount } from '../../../rules/content_choices';
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
import { type ChoosingContent, type ChosenContent, chosenContent, contentForText } from './chosen_content';
import { type ContentItem, contentItemsOf, WrongContent } from './content_items';

export type TakingContent = Pick<Call, 'db' | 'env' | 'now' | 'origin' | 'institution' | 'afterwards'>;

/** A response that cannot be taken, in words for the user. */
export class RefusedContent extends Error {}

/** The tool of a ticket, with its key. */
const readTool = ({ db }: Pick<TakingContent, 'db'>, { tool_id }: Pick<LaunchTicket, 'tool_id'>) => {
  const key = sql`(select t.developer_key_id from external_tools t where t.id = ${tool_id})`;
  return [
    db.build.select().from(external_tools).where(sql`external_tools.id = ${tool_id} and external_tools.workflow_state = 'active'`),
    db.build.select().from(developer_keys).where(eq(developer_keys.id, key)),
    db.build.select().from(bindings).where(eq(bindings.developer_key_id, key)),
  ] as const;
};

/** What the response needs: its tool and key, and the places that its ticket names. */
const readPlaces = ({ db, now }: TakingContent, { tool_id, module_id, assignment_id }: LaunchTicket, course: CourseContext) => {
  const ofTool = and(
    eq(assignments.id, assignment_id ?? 0),
    eq(assignments.course_id, course.id),
    sql`assignments.workflow_state <> 'deleted' and instr(assignments.submission_types, 'external_tool') > 0`,
  );
  return db.perform([
    ...readTool({ db }, { tool_id }),
    db.build
      .select({ id: modules.id })
      .from(modules)
      .where(presentModules(course, module_id ?? 0)),
    db.build.select().from(assignments).where(ofTool),
    selectHistory({ db, now }, course, ofTool),
  ]);
};

interface ContentPlace {
  readonly tool: ToolRow;
  readonly ticket: LaunchTicket;
  readonly choice: ContentChoice;
  /** Of a tool of LTI 1.3, switched on. */
  readonly key: DeveloperKeyRow | undefined;
  /** @throws WrongContent, Problem */
  readonly take: (items: readonly ContentItem[]) => ChosenContent | Promise<ChosenContent>;
}

const contextsOf = ({ db, now }: TakingContent, { user_id }: LaunchTicket, path: Readonly<Record<string, string>>) =>
  loadContexts(db, {
    tokenHash: undefined,
    sessionHash: undefined,
    speaksFor: sql`select id from users where id = ${user_id}`,
    asUser: undefined,
    path,
    bySisId: false,
    within: {},
    idempotencyKey: undefined,
    now,
  });

/** The tool that may still answer. @throws RefusedContent */
function presentTool(
  [[tool], [key], said]: readonly [readonly ToolRow[], readonly DeveloperKeyRow[], Parameters<typeof isSwitchedOn>[1], ...unknown[]],
  version: ToolRow['version'],
  isUsable: (tool: ToolRow) => boolean,
  { root }: TakingContent['institution'],
): ToolRow {
  const isOn = version === '1.1' || (key && isSwitchedOn(key, said, root.id));
  if (!tool || tool.version !== version || !isUsable(tool) || !isOn) throw new RefusedContent('The tool is no longer there.');
  return tool;
}

const noLonger = () => new RefusedContent('You may no longer add content here.');

/** The place of a ticket, if its user may still add content there. @throws RefusedContent */
async function placeInCourse(call: TakingContent, ticket: LaunchTicket, version: ToolRow['version']): Promise<ContentPlace> {
  const { db, env, now, origin, institution, afterwards } = call;
  const { me, course } = await contextsOf(call, ticket, { course_id: String(ticket.context_id) });
  const choice = contentChoiceAt(ticket.placement);
  if (!choice || !course || !me.isKnown || !mayChooseContent(course, ticket.placement, ticket.assignment_id)) throw noLonger();
  const found = await readPlaces(call, ticket, course);
  const [, [key], , [module], [assignment], histories] = found;
  const tool = presentTool(
    found,
    version,
    ({ context_type, context_id }) => (context_type === 'Course' ? context_id === course.id : course.chain.includes(context_id)),
    institution,
  );
  const isGone =
    (ticket.module_id !== undefined && !module) ||
    (ticket.placement === 'assignment_selection' && ticket.assignment_id !== undefined && !assignment);
  if (isGone) throw new RefusedContent('The place for the content is no longer there.');
  const around: ChoosingContent = { db, env, now, origin, institution, afterwards, me, course, tool, ticket, assignment };
  return {
    tool,
    ticket,
    choice,
    key,
    take: (items) => {
      if (ticket.placement === 'assignment_selection' && assignment)
        checkAssignmentChange({ external_tool_tag_attributes: {} }, assignment, historyOf(histories), { course, me });
      return chosenContent(around, items);
    },
  };
}

/** The same for the texts of an account. @throws RefusedContent */
async function placeInAccount(call: TakingContent, ticket: LaunchTicket, version: ToolRow['version']): Promise<ContentPlace> {
  const { me, account } = await contextsOf(call, ticket, { account_id: String(ticket.context_id) });
  const choice = contentChoiceAt(ticket.placement, 'Account');
  if (!choice || !account || !me.isKnown || !mayChooseInAccount(account, ticket.placement)) throw noLonger();
  const found = await call.db.perform(readTool(call, ticket));
  const tool = presentTool(
    found,
    version,
    ({ context_type, context_id }) => context_type === 'Account' && account.chain.includes(context_id),
    call.institution,
  );
  return { tool, ticket, choice, key: found[1][0], take: contentForText };
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

async function perform(
  { db }: TakingContent,
  place: ContentPlace,
  opened: OpenedTicket<LaunchTicket>,
  { items, uses }: SentContent,
): Promise<Done> {
  const { statements, report, files = [], html } = await place.take(contentItemsOf(items, place.choice));
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

/** Where answers of tools arrive. */
export const answeredPlaces = ['/courses/:any_course', '/accounts/:any_account'] as const;

/** The place in the path of an answer. */
export interface AnsweredPlace {
  readonly any_course?: string;
  readonly any_account?: string;
}

/** The ticket of a choice in a course or account; undefined for another text, and where it has expired. */
export async function contentTicket({ env, now }: Pick<Call, 'env' | 'now'>, text: string, { any_course, any_account }: AnsweredPlace) {
  const opened = await openTicket<LaunchTicket>(env, 'content', text, now);
  const { context_type, context_id } = opened?.ticket ?? {};
  return String(context_id) === (context_type === 'Account' ? any_account : any_course) ? opened : undefined;
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
    const { ticket } = opened;
    const place = await (ticket.context_type === 'Account' ? placeInAccount : placeInCourse)(call, ticket, version);
    return resultPage(await perform(call, place, opened, await verify(place)), words);
  } catch (error) {
    if (isUsedAgain(error)) return launchTrouble(400, 'This response of the tool was used before.');
    if (error instanceof RefusedContent || error instanceof WrongContent) return launchTrouble(400, error.message);
    if (error instanceof Problem) return launchTrouble(400, 'The content is not accepted here.');
    throw error;
  }
}
