// More of the recorded library: work that is written, waits, was refused and has arrived.

import type { Answer, Channel, Given, WorkDraft, WorkView } from '@carrel/desktop/ui/channels';
import { biology } from './content.ts';

type WorkChannel = Extract<Channel, `work.${string}`>;
type Channels = { readonly [C in WorkChannel]: (given: Given<C>) => Promise<Answer<C>> };

const hours = 3_600_000;
const empty: WorkDraft = { type: 'online_text_entry', text: '', url: '', files: [] };

/** The lab report is still to be written, the field notes were refused, the poster has arrived. */
export function recordedWork(now: Date, changed: () => void) {
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
  return {
    channels,
    retry(id: string): boolean {
      const found = waiting(id);
      if (found?.[1].on_its_way) set(found[0], { on_its_way: { ...found[1].on_its_way, unsent: { id, refused: null }, hold: null } });
      return found !== undefined;
    },
    takeBack(id: string): boolean {
      const found = waiting(id);
      if (found?.[1].on_its_way) set(found[0], { on_its_way: null, draft: { ...found[1].on_its_way, changed_at: now.toISOString() } });
      return found !== undefined;
    },
  };
}
