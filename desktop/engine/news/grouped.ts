// Combines news into lines: several of a kind in one place, and a module with its contents. Pure.

import type { NewsWhat } from '../../contract/news';
import { daysBetween } from '../../language/dates';
import type { NewsDraft } from './meaning';

type Line = NewsDraft & { readonly id: number; readonly at: string };

/** Up to this number, each is a line of its own. */
const mostAlone = 3;

const gathered: ReadonlySet<NewsWhat> = new Set<NewsWhat>([
  'file new',
  'file replaced',
  'file moved',
  'page new',
  'discussion new',
  'assignment new',
  'event new',
  'event moved',
  'event gone',
  'gone',
  'renamed',
  'opened',
  'shut',
  'text',
  'due',
  'opens',
  'closes',
  'points',
]);

const shifted: ReadonlySet<NewsWhat> = new Set<NewsWhat>(['due', 'opens', 'closes', 'event moved']);

/** Similar news: of one folder, or dates that have moved by the same number of days. */
function placeOf({ what, of, course_id, folder, from, to }: Line): string | undefined {
  if (!gathered.has(what) || course_id === null) return undefined;
  const days = !shifted.has(what) ? '' : from === null || to === null ? 'set' : daysBetween(from, to);
  return [what, of, course_id, of === 'file' ? (folder ?? '') : '', days].join(' ');
}

/** Latest first, as given; a combined line is at the position of its latest item. */
export function groupedNews(given: readonly Line[]): Line[] {
  const news = withoutEchoes(given);
  const groups = Map.groupBy(news, placeOf);
  return news.flatMap((one): Line[] => {
    const place = placeOf(one);
    const all = place === undefined ? undefined : groups.get(place);
    if (!all || all.length <= mostAlone) return [one];
    if (all[0] !== one) return [];
    return [{ ...one, count: all.length, titles: all.map(({ title }) => title), who: null, words: null, pages: undefined }];
  });
}

const came: ReadonlySet<NewsWhat> = new Set<NewsWhat>(['page new', 'file new', 'discussion new', 'assignment new']);
/** An assignment has a date, so it is reported beside its module. */
const comesWithModule = (what: NewsWhat) => came.has(what) && what !== 'assignment new';

/** A module that is added or opened reports its contents; an item that was already reported is not repeated because of its module. */
function withoutEchoes(news: readonly Line[]): Line[] {
  const named = ({ course_id }: Line, title: string) => `${course_id} ${title}`;
  const inModules = (what: NewsWhat) =>
    new Set(
      news.filter((one) => one.of === 'module' && one.what === what).flatMap((one) => (one.titles ?? []).map((title) => named(one, title))),
    );
  const [inNew, inOpened] = [inModules('module new'), inModules('opened')];
  const alone = new Set(news.filter(({ what }) => came.has(what)).map((one) => named(one, one.title)));
  const isAnswered = new Map<number, number>();
  for (const { what, of_id } of news) if (what === 'answer') isAnswered.set(of_id, (isAnswered.get(of_id) ?? 0) + 1);
  return news.flatMap((one): Line[] => {
    if (comesWithModule(one.what) && inNew.has(named(one, one.title))) return [];
    if (one.what === 'opened' && one.of !== 'module' && inOpened.has(named(one, one.title))) return [];
    if (one.what === 'module items') {
      const titles = (one.titles ?? []).filter((title) => !alone.has(named(one, title)));
      return titles.length > 0 ? [{ ...one, titles, count: titles.length }] : [];
    }
    // Replies to the user are reported with their text.
    const count = one.what === 'replies' ? one.count - (isAnswered.get(one.of_id) ?? 0) : one.count;
    return count > 0 || one.what !== 'replies' ? [{ ...one, count }] : [];
  });
}
