// What is told in one line: many of a kind in one place, and what a module says of itself and of what it holds. Pure.

import type { NewsWhat } from '../../ui/views/news';
import { daysBetween } from '../../ui/words/dates';
import type { News } from './meaning';

type Line = News & { readonly id: number; readonly at: string };

/** So many stand each by itself. */
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

/** Alike is what a person would say in one breath: of a folder, and dates that have moved by the same days. */
function placeOf({ what, of, course_id, folder, from, to }: Line): string | undefined {
  if (!gathered.has(what) || course_id === null) return undefined;
  const days = !shifted.has(what) ? '' : from === null || to === null ? 'set' : daysBetween(from, to);
  return [what, of, course_id, of === 'file' ? (folder ?? '') : '', days].join(' ');
}

/** The latest first, as they are given; a line that stands for many stands where the latest of them does. */
export function together(given: readonly Line[]): Line[] {
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
/** An assignment has a date: it is told beside its module. */
const comesWithModule = (what: NewsWhat) => came.has(what) && what !== 'assignment new';

/** A module that comes or opens says so for what it holds; what came by itself is not told again for being in a module. */
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
    // Those who answer the person are told by what they say.
    const count = one.what === 'replies' ? one.count - (isAnswered.get(one.of_id) ?? 0) : one.count;
    return count > 0 || one.what !== 'replies' ? [{ ...one, count }] : [];
  });
}
