// More of the recorded library: submissions that are drafts, waiting, rejected and received.

import type { Channel, ChannelParams, ChannelResult } from '@carrel/desktop/contract/channels';
import type { NewsItem, NoticeChoices } from '@carrel/desktop/contract/news';
import type { BookmarkView, Reference } from '@carrel/desktop/contract/reading';
import type { OutboxItem, WorkDraft, WorkView } from '@carrel/desktop/contract/work';
import type { Desk } from '@carrel/desktop/hosts/desk';
import { biology } from './content.ts';

type WorkChannel = Extract<Channel, `work.${string}`>;
type Channels = { readonly [C in WorkChannel]: (given: ChannelParams<C>) => Promise<ChannelResult<C>> };

const hours = 3_600_000;
const empty: WorkDraft = { type: 'online_text_entry', text: '', url: '', files: [] };

/** The lab report is a draft, the field notes were rejected, the poster was received. */
export function recordedWork(now: Date, isEmpty: boolean, changed: () => void) {
  const ago = (many: number) => new Date(now.getTime() - many * hours).toISOString();
  const view: WorkView = {
    types: ['online_text_entry', 'online_url', 'online_upload'],
    allowed_extensions: [],
    attempts_made: 0,
    attempts_allowed: null,
    hold: null,
    draft: { ...empty, changed_at: null },
    on_its_way: null,
    receipts: [],
  };
  const file = { name: 'poster.pdf', size: 2_410_000, sha256: 'a81c'.padEnd(64, '0f') };
  const works = new Map<number, WorkView>([
    [
      304,
      {
        ...view,
        attempts_allowed: 2,
        receipts: [
          {
            ...empty,
            type: 'online_upload',
            files: [file],
            id: 'receipt-1',
            attempt: 1,
            submitted_at: ago(30),
            sha256: null,
            standing: 'signed',
            token: 'eyJhbGciOiJFUzI1NiJ9.eyJhdWQiOiJyZWNlaXB0In0.c2lnbmVk',
          },
        ],
        attempts_made: 1,
      },
    ],
    [
      301,
      {
        ...view,
        hold: 'closed',
        on_its_way: {
          ...empty,
          text: 'Monday, half past six. The net came up green.',
          unsent: { id: 'work-301', refused: 'the assignment is closed' },
          hold: 'closed',
          since: ago(20),
          may_take_back: true,
        },
      },
    ],
  ]);
  const at = (id: number): WorkView => works.get(id) ?? view;
  const set = (id: number, change: Partial<WorkView>) => {
    works.set(id, { ...at(id), ...change });
    changed();
    return null;
  };
  const channels: Channels = {
    'work.open': async ({ course_id, id }) => (course_id === biology ? at(id) : null),
    'work.write': async ({ id, type, text, url }) =>
      set(id, { draft: { ...at(id).draft, type, text, url, changed_at: now.toISOString() } }),
    'work.attach': async ({ id, name }) =>
      set(id, {
        draft: {
          ...at(id).draft,
          type: 'online_upload',
          files: [...at(id).draft.files, { name, size: 1200, sha256: name.padEnd(64, '0') }],
          changed_at: now.toISOString(),
        },
      }),
    'work.detach': async ({ id, sha256 }) => {
      const { draft } = at(id);
      return set(id, { draft: { ...draft, files: draft.files.filter((one) => one.sha256 !== sha256) } });
    },
    'work.hand_in': async ({ id }) => {
      const { draft } = at(id);
      const unsent = { id: `work-${id}`, refused: null };
      return set(id, {
        draft: { ...empty, changed_at: null },
        on_its_way: { ...draft, unsent, hold: null, since: now.toISOString(), may_take_back: true },
      });
    },
  };
  const waiting = (id: string) => [...works].find(([, { on_its_way }]) => on_its_way?.unsent.id === id);
  let order: readonly string[] = ['note-1', 'work-301', 'answer-9', 'seen-1'];
  const item = { is_word: true, excerpt: null, files: [], refused: null, hold: null, may_take_back: true, open: null, letter: null };
  const items: readonly Omit<OutboxItem, 'may_rise' | 'may_sink'>[] = [
    { ...item, id: 'note-1', verb: 'create', title: 'Buy a new net', course_id: null, course_name: null, since: ago(3) },
    {
      ...item,
      id: 'work-301',
      verb: 'hand in',
      title: 'Plankton field notes',
      excerpt: 'Monday, half past six. The net came up green.',
      course_id: biology,
      course_name: 'Marine Biology',
      since: ago(20),
      refused: 'the assignment is closed',
      hold: 'closed',
      open: { kind: 'assignment', course_id: biology, id: 301 },
    },
    {
      ...item,
      id: 'answer-9',
      verb: 'reply',
      title: 'What did you find under the stones?',
      excerpt: 'Two crabs and a glove.',
      files: ['crabs.jpg'],
      course_id: biology,
      course_name: 'Marine Biology',
      since: ago(1),
      refused: 'not here',
      hold: 'declined',
      open: { kind: 'discussion_topic', course_id: biology, id: 604 },
    },
    {
      ...item,
      id: 'seen-1',
      verb: 'view',
      is_word: false,
      title: 'Life between the tide lines',
      course_id: biology,
      course_name: 'Marine Biology',
      since: ago(1),
    },
  ];
  const outbox: Pick<Desk, 'outbox.list' | 'outbox.move' | 'inbox.people' | 'inbox.find' | 'letter.attach' | 'inbox.compose'> = {
    'outbox.list': async () =>
      order.flatMap((id, at) =>
        items.filter((one) => one.id === id).map((one) => ({ ...one, may_rise: at > 0, may_sink: at < order.length - 1 })),
      ),
    'outbox.move': async ({ id, by }) => {
      const at = order.indexOf(id);
      const to = by === 'up' ? at - 1 : at + 1;
      order = order.toSpliced(at, 1).toSpliced(to, 0, id);
      changed();
      return true;
    },
    'inbox.people': async () => [
      { id: 31, name: 'Jonas Lindqvist' },
      { id: 32, name: 'Amara Okafor' },
      { id: 33, name: 'Tomás Ferreira' },
    ],
    'inbox.find': async () => [],
    'letter.attach': async ({ name }) => ({ name, size: 9, sha256: 'b7'.repeat(32) }),
    'inbox.compose': async () => null,
  };
  const line = { from: null, to: null, count: 0, who: null, words: null, course_id: biology, course_name: 'Marine Biology', at: ago(2) };
  let news: readonly NewsItem[] = [
    { ...line, id: 5, what: 'due', of: 'assignment', of_id: 304, title: 'Lab report: tidal zones', from: ago(48), to: ago(-14) },
    {
      ...line,
      id: 4,
      what: 'comment',
      of: 'assignment',
      of_id: 301,
      title: 'Plankton field notes',
      who: 'Ingrid Holm',
      words: 'The drawing is lovely; where is the scale?',
    },
    { ...line, id: 3, what: 'grade', of: 'assignment', of_id: 298, title: 'A walk along the wrack line', to: '35' },
    { ...line, id: 2, what: 'file replaced', of: 'file', of_id: 701, title: 'Safety at sea.pdf' },
    { ...line, id: 1, what: 'gone', of: 'page', of_id: 9, title: 'Old timetable' },
  ];
  let choices: NoticeChoices = {
    enabled: false,
    about: { due: true, grades: true, dates: true, announcements: true, messages: true, discussions: false, content: false },
    quiet: { from: '22:00', to: '07:00' },
  };
  const newsChannels: Pick<Desk, 'news.list' | 'news.seen' | 'notices.take' | 'notices.choices' | 'notices.choose'> = {
    'notices.take': async () => ({ say: [], again: null }),
    'news.list': async () => (isEmpty ? [] : news),
    'news.seen': async ({ until }) => {
      news = news.filter(({ id }) => id > until);
      changed();
      return null;
    },
    'notices.choices': async () => choices,
    'notices.choose': async (chosen) => {
      choices = chosen;
      changed();
      return null;
    },
  };
  const kept = new Map<string, BookmarkView & { reference: Reference }>();
  const nameOf = ({ kind, id }: Reference) => `${kind} ${id}`;
  const bookmarkOf = (reference: Reference): BookmarkView | null => kept.get(nameOf(reference)) ?? null;
  const keep = (reference: Reference, change: Partial<BookmarkView>) => {
    const before = kept.get(nameOf(reference)) ?? { note: '', is_marked: false, highlights: [] };
    kept.set(nameOf(reference), { ...before, ...change, reference });
    changed();
    return null;
  };
  const bookmarks: Pick<Desk, 'bookmarks.list' | 'bookmarks.kept' | 'bookmarks.mark' | 'bookmarks.highlight' | 'bookmarks.unhighlight'> = {
    'bookmarks.list': async () =>
      [...kept.values()].map((one) => ({
        ...one,
        title: 'Life between the tide lines',
        course_name: 'Marine Biology',
        changed_at: ago(1),
      })),
    'bookmarks.kept': async () => [
      { id: 1, name: 'Tide tables', href: 'https://tides.example.edu/kiel' },
      { id: 2, name: 'Life between the tide lines, to read again', href: '#/read/page/11/201' },
    ],
    'bookmarks.mark': async ({ reference, marked, note }) => keep(reference, { is_marked: marked, note }),
    'bookmarks.highlight': async ({ reference, highlight }) =>
      keep(reference, { highlights: [...(bookmarkOf(reference)?.highlights ?? []), highlight] }),
    'bookmarks.unhighlight': async ({ reference, id }) =>
      keep(reference, { highlights: (bookmarkOf(reference)?.highlights ?? []).filter((one) => one.id !== id) }),
  };
  return {
    channels,
    bookmarks,
    bookmarkOf,
    news: newsChannels,
    outbox,
    retry(id: string): boolean {
      const found = waiting(id);
      if (found?.[1].on_its_way) set(found[0], { on_its_way: { ...found[1].on_its_way, unsent: { id, refused: null }, hold: null } });
      return found !== undefined;
    },
    takeBack(id: string): boolean {
      const isListed = order.includes(id);
      order = order.filter((one) => one !== id);
      if (isListed) changed();
      const found = waiting(id);
      if (found?.[1].on_its_way) set(found[0], { on_its_way: null, draft: { ...found[1].on_its_way, changed_at: now.toISOString() } });
      return isListed || found !== undefined;
    },
  };
}
