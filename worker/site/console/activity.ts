// Request counts of the last day: per hour, errors, slow routes.

import { getJson } from './api';
import { type Child, h, svg } from './dom';
import { amount, blank, button, dataTable, factList, hourOf, part } from './parts';
import type { ScreenContext } from './place';

interface Hour {
  readonly hour: string;
  readonly succeeded: number;
  readonly redirected: number;
  readonly refused: number;
  readonly failed: number;
  readonly mean_ms: number;
}

interface Counts {
  readonly hours: readonly Hour[];
  readonly routes: readonly {
    readonly route: string;
    readonly requests: number;
    readonly refused: number;
    readonly failed: number;
    readonly mean_ms: number;
    readonly slowest_ms: number;
  }[];
}

const kinds = [
  ['succeeded', 'Successful', '2xx'],
  ['redirected', 'Redirected', '3xx'],
  ['refused', 'Refused', '4xx'],
  ['failed', 'Failed', '5xx'],
] as const;
type Kind = (typeof kinds)[number][0];

const width = 960;
const height = 200;
const left = 46;
const foot = 22;

/** The next round number. */
function roof(most: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, most)));
  return ([1, 2, 3, 4, 5, 6, 8, 10].find((one) => one * power >= most) ?? 10) * power;
}

/** A stacked bar chart by hour; the table below has the numbers. */
function chart(hours: readonly Hour[], shown: readonly Kind[], label: string): Child {
  const sum = (hour: Hour) => shown.reduce((all, kind) => all + hour[kind], 0);
  const top = roof(Math.max(1, ...hours.map(sum)));
  const step = (width - left) / hours.length;
  const y = (value: number) => (height - foot) * (1 - value / top) + 4;
  const lines = [0, 0.5, 1].map((part) => [
    svg('line', { x1: left, x2: width, y1: y(top * part), y2: y(top * part), class: 'rule' }),
    top * part === Math.round(top * part) && svg('text', { x: left - 8, y: y(top * part) + 4, 'text-anchor': 'end' }, amount(top * part)),
  ]);
  const bars = hours.map((hour, at) => {
    let under = 0;
    const pieces = shown.map((kind) => {
      const value = hour[kind];
      const box = svg('rect', {
        class: kind,
        x: left + at * step + step * 0.14,
        width: step * 0.72,
        y: y(under + value),
        height: Math.max(0, y(under) - y(under + value)),
        rx: 1.5,
      });
      under += value;
      return value > 0 && box;
    });
    const words = `${hourOf(hour.hour)}: ${kinds
      .filter(([kind]) => shown.includes(kind))
      .map(([kind, name]) => `${amount(hour[kind])} ${name.toLowerCase()}`)
      .join(', ')}`;
    return svg(
      'g',
      {},
      svg('title', {}, words),
      svg('rect', { class: 'ground', x: left + at * step, y: 0, width: step, height: height - foot + 4 }),
      pieces,
    );
  });
  const hoursBelow = hours.map(
    (hour, at) => at % 3 === 0 && svg('text', { x: left + (at + 0.5) * step, y: height - 2, 'text-anchor': 'middle' }, hourOf(hour.hour)),
  );
  return h(
    'div',
    { class: 'chart' },
    svg('svg', { viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': label }, lines, bars, hoursBelow),
  );
}

const legend = (shown: readonly Kind[]) =>
  h(
    'ul',
    { class: 'legend' },
    kinds
      .filter(([kind]) => shown.includes(kind))
      .map(([kind, name, code]) => h('li', {}, h('span', { class: `swatch ${kind}` }), `${name} `, h('span', { class: 'quiet' }, code))),
  );

export async function activity({ account, signal }: ScreenContext): Promise<Child> {
  const whole: HTMLElement = part(
    'Last 24 hours',
    async () => {
      const { hours, routes } = await getJson<Counts>(`/accounts/${account.id}/request_counts`, signal);
      const sum = (kind: Kind) => hours.reduce((all, hour) => all + hour[kind], 0);
      const total = kinds.reduce((all, [kind]) => all + sum(kind), 0);
      if (total === 0) return blank('No requests yet', 'Requests appear here after a few seconds.');
      const spent = hours.reduce((all, hour) => all + hour.mean_ms * (hour.succeeded + hour.redirected + hour.refused + hour.failed), 0);
      const all: readonly Kind[] = ['succeeded', 'redirected', 'refused', 'failed'];
      const wrong: readonly Kind[] = ['refused', 'failed'];
      return [
        factList(
          ['Requests', h('strong', { class: 'number' }, amount(total))],
          ['Refused', h('strong', { class: 'number' }, amount(sum('refused')))],
          ['Failed', h('strong', { class: sum('failed') > 0 ? 'number alarm' : 'number' }, amount(sum('failed')))],
          ['Average', h('strong', { class: 'number' }, `${amount(Math.round(spent / total))} ms`)],
        ),
        h('h3', {}, 'Requests per hour'),
        legend(all),
        chart(hours, all, `Requests per hour; ${amount(total)} in all`),
        h('h3', {}, 'Errors per hour'),
        legend(wrong),
        chart(hours, wrong, `Errors per hour; ${amount(sum('refused'))} refused and ${amount(sum('failed'))} failed`),
        h(
          'details',
          {},
          h('summary', {}, 'Show as table'),
          dataTable(
            'Requests per hour',
            ['Hour', ...kinds.map(([, name]) => name), 'Average ms'],
            [...hours].reverse().map((hour) =>
              h(
                'tr',
                {},
                h('th', { scope: 'row' }, hourOf(hour.hour)),
                kinds.map(([kind]) => h('td', { class: 'number' }, amount(hour[kind]))),
                h('td', { class: 'number' }, hour.mean_ms),
              ),
            ),
          ).whole,
        ),
        h('h3', {}, 'Slowest routes'),
        dataTable(
          'Slowest routes',
          ['Route', 'Requests', 'Refused', 'Failed', 'Average ms', 'Slowest ms'],
          routes.map((one) =>
            h(
              'tr',
              {},
              h('th', { scope: 'row', class: 'code' }, one.route),
              [one.requests, one.refused, one.failed, one.mean_ms, one.slowest_ms].map((value) =>
                h('td', { class: 'number' }, amount(value)),
              ),
            ),
          ),
        ).whole,
      ];
    },
    button('Refresh', () => whole.dispatchEvent(new Event('changed'))),
  );
  return whole;
}
