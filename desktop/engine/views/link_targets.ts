// Where links to texts and files of the server point in the desk.

import type { PageJson } from '../model/resources';
import type { Cache } from '../store/cache';
import type { Linked } from '../text/links';

/** Addresses every host serves: `/files/<id>` from the study folder, `#/read/…` in the desk itself. */
export function leadIn(cache: Cache): (linked: Linked) => string | undefined {
  return (linked) => {
    if (linked.kind === 'file') return cache.get('file', linked.id) ? `/files/${linked.id}` : undefined;
    const page =
      linked.kind === 'page' ? cache.ofCourse<PageJson>('page', linked.course_id).find(({ url }) => url === linked.url) : undefined;
    const id = linked.kind === 'page' ? page?.page_id : linked.id;
    if (id === undefined || !cache.get(linked.kind, id)) return undefined;
    return `#/read/${linked.kind}/${linked.course_id}/${id}`;
  };
}
