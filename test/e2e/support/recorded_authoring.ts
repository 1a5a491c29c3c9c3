// More of the recorded library: texts of a teacher, one in a conflict, one that is new, and any others by their HTML.

import type { AuthoredBase, AuthoringView, MergeView } from '@carrel/desktop/contract/authoring';
import type { WritingPlace } from '@carrel/desktop/contract/writing';
import { mergeTexts } from '@carrel/desktop/engine/authoring/authored';
import { prose } from '@carrel/desktop/engine/text/prose';
import type { Desk } from '@carrel/desktop/hosts/desk';
import { biology } from './content.ts';

type Channels = Pick<Desk, 'authoring.open' | 'authoring.save' | 'authoring.resolve' | 'authoring.image'>;

/** Pages from this number on have the texts that a test gives. */
export const firstAuthored = 5000;

const paragraph = (text: string) => `<p>${text}</p>`;
const notebook = [
  'Write on the right-hand page only. The left-hand page is for what you understand later.',
  'Date every entry, and say how the weather was.',
  'A pencil survives the rain.',
];
const page = (html: string, more: Partial<AuthoredBase> = {}): AuthoredBase => ({
  title: 'How to keep a field notebook',
  html,
  published: true,
  facts: null,
  version: '1',
  ...more,
});

const rich = `<p>Twice a day the sea leaves, and twice a day it comes back. What lives between the two lines has to be a <em>land animal and a sea animal by turns</em>.</p><h2>Four zones</h2><p><img src="https://canvas.example.edu/courses/11/files/702/preview" alt="The four zones of a rocky shore"></p><ol><li><strong>The splash zone</strong>, wet by spray only.</li><li><strong>The high zone</strong>, covered at high tide.</li><li><strong>The low zone</strong>, bare only at spring tides.</li></ol><blockquote>The upper limit of a species is set by the air, the lower one by its neighbours.</blockquote><table><thead><tr><th>Zone</th><th>Hours out of the water</th></tr></thead><tbody><tr><td>High</td><td>9</td></tr><tr><td>Low</td><td>1</td></tr></tbody></table><p>The <a href="https://tides.example.org/">harbour office</a> publishes the tides.</p>`;

const changed = (...lines: readonly string[]) => lines.map(paragraph).join('');

/** Both have changed the first paragraph and the title; I have changed the second, they the third. */
function conflict(now: Date): NonNullable<AuthoringView['waiting']> {
  const base = page(changed(...notebook));
  const mine = page(
    changed('Write on the right-hand page only, and in pencil.', 'Date every entry, and note wind and weather.', notebook[2] ?? ''),
    {
      title: 'Keeping a field notebook',
    },
  );
  const theirs = page(changed('Write on both pages. Paper is cheap.', notebook[1] ?? '', 'A pencil survives the rain; a pen does not.'), {
    title: 'Your field notebook',
  });
  const piece = (html: string) => ({ html, words: prose(html, { base: 'https://canvas.example.edu', to: () => undefined }) });
  const { merged, fields, parts } = mergeTexts(base, mine, theirs);
  const merge: MergeView = {
    who: 'Ingrid Holm',
    at: new Date(now.getTime() - 3_600_000).toISOString(),
    merged,
    fields,
    parts: parts.map((part) => {
      if (part.from === 'both') return { from: 'both', piece: piece(part.html) };
      if (part.from === 'conflict') return { from: 'conflict', mine: piece(part.mine), theirs: piece(part.theirs) };
      return { from: part.from, piece: piece(part.html), was: piece(part.was) };
    }),
  };
  return {
    id: 'waits-203',
    text: mine,
    base,
    refused: 'Someone else has changed it.',
    hold: 'changed meanwhile',
    is_under_way: false,
    merge,
  };
}

export function recordedAuthoring(
  now: Date,
  texts: readonly string[],
  finish: (place: WritingPlace | undefined) => void,
  changedNow: () => void,
): Channels {
  const blank: AuthoringView = {
    course_name: 'Marine Biology',
    there: null,
    waiting: null,
    is_front_page: false,
    has_other_dates: false,
    is_closed: false,
    images: { 'https://canvas.example.edu/courses/11/files/702/preview': '/files/702' },
  };
  let isDecided = false;
  const facts = { points: 40, due_at: '2026-11-21T22:59:00Z', unlock_at: null, lock_at: null };
  const views: Readonly<Record<string, () => AuthoringView>> = {
    'page 201': () => ({ ...blank, there: page(rich, { title: 'Life between the tide lines' }) }),
    'page 200': () => ({ ...blank, is_front_page: true, there: page(paragraph('Welcome.'), { title: 'Welcome to the shore' }) }),
    'page 203': () => ({ ...blank, there: page(changed(...notebook)), waiting: isDecided ? null : conflict(now) }),
    'assignment 304': () => ({
      ...blank,
      there: page(paragraph('Count what you find in a square of a metre.'), { title: 'Lab report: tidal zones', facts }),
    }),
    'assignment 301': () => ({
      ...blank,
      has_other_dates: true,
      there: page(paragraph('Draw five kinds of plankton.'), { title: 'Plankton field notes', facts }),
    }),
  };
  return {
    'authoring.open': async ({ kind, course_id, id }) => {
      if (course_id !== biology) return null;
      if (id < 0) return blank;
      const html = id >= firstAuthored ? texts[id - firstAuthored] : undefined;
      return html === undefined ? (views[`${kind} ${id}`]?.() ?? null) : { ...blank, there: page(html, { title: `Text ${id}` }) };
    },
    'authoring.save': async ({ finished }) => {
      finish(finished);
      changedNow();
      return null;
    },
    'authoring.resolve': async () => {
      isDecided = true;
      changedNow();
      return true;
    },
    'authoring.image': async () =>
      'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  };
}
