// The list of drafts: each can be found here even if its place was closed or deleted.

import type { UnfinishedItem, WritingPlace } from '../../contract/writing';
import { place as placeIn } from '../model/places';
import type { AssignmentJson, ConversationJson, NoteJson, TopicJson } from '../model/resources';
import { allTextDrafts } from '../outbox/text_drafts';
import { drafts } from '../outbox/work_drafts';
import type { Cache } from '../store/cache';
import type { UserStore } from '../store/user';

interface Here {
  readonly cache: Cache;
  readonly user: UserStore;
}

type Where = Pick<UnfinishedItem, 'title' | 'course_id' | 'open' | 'letter'>;
const nowhere: Where = { title: null, course_id: null, open: null, letter: null };

export function unfinished({ cache, user }: Here): UnfinishedItem[] {
  const course = (id: number | null) => (id === null ? null : (placeIn(cache, id)?.name ?? null));
  const listed = (item: Pick<UnfinishedItem, 'place' | 'words' | 'changed_at'>, where: Where): UnfinishedItem => ({
    ...item,
    ...where,
    course_name: course(where.course_id),
  });
  const work = drafts(user).map(({ assignment_id: id, course_id, text, url, type, files, changed_at }) => {
    const words = type === 'online_upload' ? { text: '', files } : { text: type === 'online_url' ? url : text };
    const title = cache.get<AssignmentJson>('assignment', id)?.name ?? null;
    const open = title === null ? null : ({ kind: 'assignment', course_id, id } as const);
    return listed({ place: { kind: 'work', course_id, id }, words, changed_at }, { ...nowhere, title, course_id, open });
  });
  const others = allTextDrafts(user).map(({ place, words, changed_at }) => listed({ place, words, changed_at }, whereOf(cache, place)));
  return [...work.filter(({ words }) => words.text.trim() !== '' || words.files?.length), ...others].sort((a, b) =>
    b.changed_at.localeCompare(a.changed_at),
  );
}

function whereOf(cache: Cache, place: WritingPlace): Where {
  if (place.kind === 'reply') {
    const { course_id, id } = place;
    const topic = cache.get<TopicJson>('discussion_topic', id);
    return { ...nowhere, course_id, title: topic?.title ?? null, open: topic ? { kind: 'discussion_topic', course_id, id } : null };
  }
  if (place.kind === 'comment') {
    const { course_id, assignment_id: id } = place;
    return { ...nowhere, course_id, title: cache.get<AssignmentJson>('assignment', id)?.name ?? null };
  }
  if (place.kind === 'authored') {
    const { of, course_id, id } = place;
    const item = cache.get<{ readonly title?: string; readonly name?: string }>(of, id);
    return { ...nowhere, course_id, title: id < 0 ? '' : (item?.title ?? item?.name ?? null) };
  }
  if (place.kind === 'announcement') return { ...nowhere, course_id: place.course_id, title: placeIn(cache, place.course_id) ? '' : null };
  if (place.kind === 'letter') {
    const message = cache.get<ConversationJson>('conversation', place.id);
    return message ? { ...nowhere, title: message.subject ?? '', letter: place.id } : nowhere;
  }
  if (place.kind === 'note' && place.id !== null)
    return { ...nowhere, title: cache.get<NoteJson>('planner_note', place.id)?.title ?? null };
  return { ...nowhere, title: '' };
}
