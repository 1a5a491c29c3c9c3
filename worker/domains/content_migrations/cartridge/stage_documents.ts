// Stages pages, discussions and announcements, some at a time.

import { sanitise } from '@carrel/shared/html/sanitise';
import { sql } from 'drizzle-orm';
import { type PackagedPage, readPackagedPage } from '../../../cartridge/content/page';
import { type PackagedTopic, readTopic } from '../../../cartridge/content/topic';
import { pathsMeant } from '../../../cartridge/links';
import { readTopicSettings, type TopicSettings } from '../../../cartridge/settings/topic';
import { firstFree, slugOf } from '../../../rules/pages/names';
import type { PackagedDocument } from './contents';
import { stageAssignments } from './stage_assignments';
import { shortName } from './stage_settings';
import type { Staging } from './staging';

export interface PackagedPageText {
  readonly document: PackagedDocument;
  readonly text: string;
}

const roles = new Set(['teachers', 'students', 'members', 'public']);

const rolesIn = (given: string | undefined): string =>
  (given ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter((one) => roles.has(one))
    .join(',') || 'teachers';

const decodedName = (path: string): string => {
  const name =
    path
      .split('/')
      .at(-1)
      ?.replace(/\.html?$/i, '') ?? '';
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
};

/** In wire form; null for anything else. */
const timeOr = (given: string | undefined): string | null => {
  const at = Date.parse(given === undefined || /(Z|[+-]\d\d:?\d\d)$/.test(given) ? (given ?? '') : `${given}Z`);
  return Number.isNaN(at) ? null : `${new Date(at).toISOString().slice(0, 19)}Z`;
};

/** Pure. @param taken URLs of pages, to which the new one is added */
export function pageRow({ identifier, path }: PackagedDocument, page: PackagedPage, taken: Set<string>) {
  const title = shortName(page.title, decodedName(path) || 'Page');
  const url = firstFree(slugOf(decodedName(path)) || slugOf(title) || 'page', taken);
  taken.add(url);
  return {
    identifier: page.identifier || identifier,
    url,
    title,
    body: page.body ? sanitise(page.body) : null,
    editing_roles: rolesIn(page.editing_roles),
    front_page: page.front_page === 'true',
    todo_date: timeOr(page.todo_date),
    publish_at: timeOr(page.publish_at),
    workflow_state: page.workflow_state === 'unpublished' ? 'unpublished' : 'active',
  };
}

export async function stagePages(staging: Staging, given: readonly PackagedPageText[]): Promise<void> {
  const { db } = staging.work;
  const here = sql`p.context_type = 'Course' and p.context_id = ${staging.course}`;
  const [before] = await db.perform([
    db.build.all<{ url: string; front_page: number }>(sql`select p.url, p.front_page from pages p where ${here}`),
  ]);
  const taken = new Set(before.map(({ url }) => url));
  let hasFront = before.some(({ front_page }) => front_page === 1);
  const rows = given.map(({ document, text }) => {
    const row = pageRow(document, readPackagedPage(text), taken);
    const front_page = row.front_page && !hasFront;
    hasFront ||= front_page;
    return { ...row, front_page };
  });
  const { identifier, ...values } = rows[0] ?? { identifier: '' };
  staging.insert(
    'pages',
    {
      context_type: sql`'Course'`,
      context_id: sql`${staging.course}`,
      last_edited_by_id: sql`${staging.work.it.user_id}`,
      ...Object.fromEntries(Object.keys(values).map((name) => [name, true as const])),
    },
    rows,
    'page',
  );
  // Some packages name the resource, others the page.
  const others = given.flatMap(({ document }, at) => {
    const own = rows[at]?.identifier ?? '';
    return document.identifier === own ? [] : [{ identifier: document.identifier, own }];
  });
  for (const { identifier: other, own } of others) staging.remember('page', [{ identifier: other }], staging.found('page', sql`${own}`));
}

export interface PackagedTopicText {
  readonly document: PackagedDocument;
  readonly text: string;
  /** The document of its settings. */
  readonly meta?: string;
}

const types = ['side_comment', 'threaded', 'not_threaded', 'flat'] as const;
const anonymities = ['full_anonymity', 'partial_anonymity'] as const;

function stateOf(settings: TopicSettings | undefined, now: string): string {
  const { workflow_state: state, delayed_post_at: delayed } = settings ?? {};
  if (state === 'unpublished') return 'unpublished';
  return delayed && delayed > now ? 'post_delayed' : 'active';
}

/** Pure. @param now time in wire form */
export function topicRow(identifier: string, topic: PackagedTopic, settings: TopicSettings | undefined, now: string) {
  const is_announcement = settings?.type === 'announcement';
  const assignment = is_announcement ? undefined : settings?.assignment;
  const on = (name: 'pinned' | 'locked' | 'require_initial_post' | 'allow_rating' | 'only_graders_can_rate' | 'sort_by_rating') =>
    settings?.[name] === true;
  const anonymous_state = anonymities.find((one) => one === settings?.anonymous_state) ?? null;
  return {
    identifier,
    title: shortName(settings?.title ?? topic.title, 'Discussion'),
    message: topic.text ? sanitise(topic.text) : null,
    is_announcement,
    discussion_type: types.find((one) => one === settings?.discussion_type) ?? 'threaded',
    position: Math.floor(settings?.position ?? 0),
    pinned: on('pinned'),
    locked: on('locked'),
    require_initial_post: on('require_initial_post'),
    allow_rating: on('allow_rating'),
    only_graders_can_rate: on('only_graders_can_rate'),
    sort_by_rating: on('sort_by_rating'),
    posted_at: settings?.posted_at ?? now,
    delayed_post_at: settings?.delayed_post_at ?? null,
    lock_at: settings?.lock_at ?? null,
    todo_date: settings?.todo_date ?? null,
    anonymous_state,
    is_anonymous_author: anonymous_state !== null && settings?.is_anonymous_author === true,
    workflow_state: stateOf(settings, now),
    assignment: assignment?.identifier ?? '',
    attachment: settings?.attachment_identifierref ?? '',
    paths: (topic.attachments[0] === undefined ? [] : pathsMeant(topic.attachments[0].replace(/^.*\/package_file\//, ''))).map(
      (one) => `path:${one}`,
    ),
  };
}

export function stageTopics(staging: Staging, given: readonly PackagedTopicText[]): void {
  const read = given.map(({ document, text, meta }) => ({
    identifier: document.identifier,
    topic: readTopic(text),
    settings: meta === undefined ? undefined : readTopicSettings(meta),
  }));
  const graded = read.flatMap(({ topic, settings }) =>
    settings?.assignment && settings.type !== 'announcement'
      ? [
          {
            settings: { ...settings.assignment, submission_types: ['discussion_topic'], title: settings.title ?? topic.title },
            html: topic.text,
          },
        ]
      : [],
  );
  if (graded.length > 0) stageAssignments(staging, graded);
  const rows = read.map(({ identifier, topic, settings }) => topicRow(identifier, topic, settings, staging.now));
  const { identifier, assignment, attachment, paths, ...values } =
    rows[0] ?? topicRow('', { title: '', text: '', attachments: [] }, undefined, '');
  const byPath = sql`(select i.item_id from imported_items i where i.context_type = 'Course' and i.context_id = ${staging.course} and i.kind = 'file' and i.identifier in (select path.value from json_each(j.value -> 'paths') path) limit 1)`;
  staging.insert(
    'discussion_topics',
    {
      context_type: sql`'Course'`,
      context_id: sql`${staging.course}`,
      user_id: sql`${staging.work.it.user_id}`,
      assignment_id: staging.ref('assignment', 'assignment'),
      attachment_id: sql`coalesce(${staging.ref('file', 'attachment')}, ${byPath})`,
      ...Object.fromEntries(Object.keys(values).map((name) => [name, true as const])),
    },
    rows,
    'discussion_topic',
  );
}
