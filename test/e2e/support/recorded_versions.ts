// More of the recorded library: the earlier versions of a page.

import type { Channel, ChannelParams, ChannelResult } from '@carrel/desktop/contract/channels';
import type { VersionCard, VersionKey, VersionsAvailability } from '@carrel/desktop/contract/versions';
import { compared, difference } from '@carrel/desktop/engine/text/compare';
import { biology, recordedReadings } from './content.ts';

type VersionChannel = Extract<Channel, `versions.${string}`>;
type Channels = { readonly [C in VersionChannel]: (given: ChannelParams<C>) => Promise<ChannelResult<C>> };

const page = 201;
export const versionsOf = (id: number): number | null => (id === page ? 3 : id === 203 ? 0 : null);

const said = { ins: ['added since', 'end'], del: ['removed since', 'end'] } as const;

export function recordedVersions(now: Date, asked: () => VersionsAvailability): Channels {
  const current = recordedReadings(now).find(({ reference }) => reference.kind === 'page' && reference.id === page);
  if (!current) throw new Error('the page is not in the library');
  const { html } = current;
  const third = html
    .replace(/<li><strong>The splash zone.*?<\/li>/, '')
    .replace('The upper limit of a species is set by the air', 'How high a species lives is set by the air')
    .replace('<h2>Four zones</h2>', '<h2>Three zones</h2>')
    .replace('to be out of the water', 'to be dry, and not one hour longer');
  const texts: readonly { key: VersionKey; number: number | null; title: string; at: string; until: string; html: string | null }[] = [
    { key: 'r3', number: 3, title: current.title, at: '2026-11-05T16:40:00Z', until: '2026-11-12T09:14:00Z', html: third },
    {
      key: 'k20',
      number: null,
      title: 'Between the tide lines',
      at: '2026-10-30T08:00:00Z',
      until: '2026-11-05T16:40:00Z',
      html: third.replace(/<table>.*?<\/table>/s, ''),
    },
    { key: 'r1', number: 1, title: 'Between the tide lines', at: '2026-09-01T08:00:00Z', until: '2026-10-30T08:00:00Z', html: null },
  ];
  const became = (at: number, title: string, after: string): VersionCard['became'] => {
    const before = texts[at];
    if (!before?.html) return null;
    return { title: title === before.title ? null : title, words: difference(before.html, after) ?? null };
  };
  const cards = texts.map(({ html: text, ...one }, at): VersionCard => {
    const next = at === 0 ? current : texts[at - 1];
    return { ...one, by: 'Ingrid Holm', here: text !== null, became: next?.html ? became(at, next.title, next.html) : null };
  });
  const isKnown = (id: number) => versionsOf(id) !== null;
  return {
    'versions.list': async (reference) =>
      reference.kind === 'page' && isKnown(reference.id)
        ? {
            reference,
            title: reference.id === page ? current.title : 'How to keep a field notebook',
            course_name: 'Marine Biology',
            current: { at: current.updated_at, by: current.author },
            may_ask: true,
            earlier: reference.id === page ? cards : [],
          }
        : null,
    'versions.ask': async () => asked(),
    'versions.open': async ({ key }) => {
      const at = texts.findIndex((one) => one.key === key);
      const [text, card] = [texts[at], cards[at]];
      if (!text || !card) return null;
      const alone = { ...current, reference: { kind: 'page' as const, course_id: biology, id: page }, bookmark: null };
      return {
        card,
        as_it_was: { ...alone, title: text.title, html: text.html ?? '', updated_at: text.at },
        compared: text.html === null ? null : { ...alone, html: compared(text.html, html, said) ?? '' },
        differs: became(at, current.title, html),
        newer: texts[at - 1]?.key ?? null,
        older: texts[at + 1]?.key ?? null,
      };
    },
  };
}
