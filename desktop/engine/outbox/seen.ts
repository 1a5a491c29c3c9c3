// The effects of viewing an item: it becomes read, and module items with a view requirement are marked as viewed.

import type { Reference } from '../../contract/reading';
import type { ModuleItemJson, ModuleJson, PageJson, TopicJson } from '../model/resources';
import { roleIn } from '../model/teaching';
import type { Cache } from '../store/cache';
import type { ItemBody } from './intents';
import type { Outbox } from './outbox';

interface Seen {
  readonly kind: Exclude<Reference['kind'], 'syllabus'>;
  readonly id: number;
}

/** Returns whether there is anything to send. Only students meet the requirements of a module. */
export function see(cache: Cache, outbox: Outbox, seen: Seen, userId: number): boolean {
  const { kind, id } = seen;
  const course_id = cache.courseIdOf(kind, id);
  if (course_id === null) return false;
  const topic = kind === 'discussion_topic' ? cache.get<TopicJson>(kind, id) : undefined;
  const isUnread = topic?.read_state === 'unread';
  if (isUnread) outbox.readTopic({ course_id, topic_id: id });
  const isStudent = roleIn(cache, course_id, userId) === 'studies';
  const toView = (isStudent ? itemsOf(cache, seen, course_id) : []).filter(
    ({ item, module }) => module.state !== 'locked' && asks(item, 'must_view'),
  );
  for (const { item, module } of toView) outbox.markItem('view', { course_id, module_id: module.id, item_id: item.id });
  return isUnread || toView.length > 0;
}

const asks = ({ completion_requirement: asked }: ModuleItemJson, type: string): boolean => asked?.type === type && !asked.completed;

const typeOf = { page: 'Page', assignment: 'Assignment', discussion_topic: 'Discussion', file: 'File' } as const;

/** The module items of its course that contain the item. */
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
        // A graded discussion can be in a module as its assignment.
        (item.type === 'Assignment' && topic?.assignment_id != null && item.content_id === topic.assignment_id);
  return cache
    .ofCourse<ModuleJson>('module', course_id)
    .flatMap((module) => (module.items ?? []).filter(isIt).map((item) => ({ module, item })));
}

/** Items viewed or marked here, with the mark, that the server has not confirmed. */
export const unsentItems = (outbox: Outbox): ReadonlyMap<number, 'view' | 'done' | 'undone'> =>
  new Map(
    outbox
      .pending()
      .flatMap(({ verb, body }) =>
        verb === 'view' || verb === 'done' || verb === 'undone' ? [[(body as ItemBody).item_id, verb] as const] : [],
      ),
  );

/** Topics read here that the server has not confirmed. */
export const unsentReads = (outbox: Outbox): ReadonlySet<number> =>
  new Set(outbox.pending().flatMap((intent) => (intent.verb === 'read' ? [intent.body.topic_id] : [])));
