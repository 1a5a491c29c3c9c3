// What follows from the person having something before their eyes: it is read, and modules that ask to view it are told.

import type { Reference } from '../ui/views/reading';
import type { ItemBody } from './intents';
import type { Outbox } from './outbox';
import type { ModuleItemJson, ModuleJson, PageJson, TopicJson } from './resources';
import type { Cache } from './store/cache';

interface Seen {
  readonly kind: Exclude<Reference['kind'], 'syllabus'>;
  readonly id: number;
}

/** Returns whether there is anything to tell the server. */
export function see(cache: Cache, outbox: Outbox, seen: Seen): boolean {
  const { kind, id } = seen;
  const course_id = cache.courseIdOf(kind, id);
  if (course_id === null) return false;
  const topic = kind === 'discussion_topic' ? cache.get<TopicJson>(kind, id) : undefined;
  const isUnread = topic?.read_state === 'unread';
  if (isUnread) outbox.readTopic({ course_id, topic_id: id });
  const toView = itemsOf(cache, seen, course_id).filter(({ item, module }) => module.state !== 'locked' && asks(item, 'must_view'));
  for (const { item, module } of toView) outbox.markItem('view', { course_id, module_id: module.id, item_id: item.id });
  return isUnread || toView.length > 0;
}

const asks = ({ completion_requirement: asked }: ModuleItemJson, type: string): boolean => asked?.type === type && !asked.completed;

const typeOf = { page: 'Page', assignment: 'Assignment', discussion_topic: 'Discussion', file: 'File' } as const;

/** The places that something has in the modules of its course. */
export function itemsOf(
  cache: Cache,
  { kind, id }: Seen,
  course_id: number,
): { readonly module: ModuleJson; readonly item: ModuleItemJson }[] {
  const url = kind === 'page' ? cache.get<PageJson>('page', id)?.url : undefined;
  const topic = kind === 'discussion_topic' ? cache.get<TopicJson>('discussion_topic', id) : undefined;
  const isIt = (item: ModuleItemJson): boolean =>
    kind === 'page'
      ? item.type === 'Page' && item.page_url === url
      : (item.type === typeOf[kind] && item.content_id === id) ||
        // A graded discussion may stand in a module as its assignment.
        (item.type === 'Assignment' && topic?.assignment_id != null && item.content_id === topic.assignment_id);
  return cache
    .ofCourse<ModuleJson>('module', course_id)
    .flatMap((module) => (module.items ?? []).filter(isIt).map((item) => ({ module, item })));
}

/** Items looked at or marked here which the server has not confirmed, and how. */
export const unsentItems = (outbox: Outbox): ReadonlyMap<number, 'view' | 'done' | 'undone'> =>
  new Map(
    outbox
      .pending()
      .flatMap(({ verb, body }) =>
        verb === 'view' || verb === 'done' || verb === 'undone' ? [[(body as ItemBody).item_id, verb] as const] : [],
      ),
  );

/** Topics read here which the server has not been told of. */
export const unsentReads = (outbox: Outbox): ReadonlySet<number> =>
  new Set(outbox.pending().flatMap((intent) => (intent.verb === 'read' ? [intent.body.topic_id] : [])));
