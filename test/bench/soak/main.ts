// `npm run soak -- --minutes 60`: prints what happened, and fails if anything does not hold that must.

import { parseArgs } from 'node:util';
import { scratchFolder } from '../scratch';
import { print, type Table } from '../table';
import { buildWrapped } from '../wrapped';
import { people } from './scene';
import { type SoakResult, soak } from './soak';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    people: { type: 'string', default: String(people) },
    /** People who do something at the same time. */
    'at-once': { type: 'string', default: '6' },
    /** Kills of the runtime, all in the first half. */
    kills: { type: 'string' },
    markdown: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const [minutes, size, atOnce] = [Number(values.minutes), Number(values.people), Number(values['at-once'])];
if (values.help || !(minutes > 0) || !(size >= 40) || !(atOnce >= 1)) {
  console.error('npm run soak [-- --minutes 60] [--people 200] [--at-once 6] [--kills 10] [--markdown]');
  process.exit(values.help ? 0 : 64);
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

const whole = (value: number) => Math.round(value).toLocaleString('en-US');

function tableOf({ tally, wrong, kills, ticks, faults, signals, samples, slope, heaps, rows, followers, seconds }: SoakResult): Table {
  const warm = samples.filter((sample) => sample.seconds > seconds / 2).map(({ megabytes }) => megabytes);
  const counted = Object.entries(rows).map(([name, count]) => `${whole(count)} ${name.replaceAll('_', ' ')}`);
  return {
    title: `A run of ${minutes} minutes with ${size} people`,
    columns: ['Measure', 'Value'],
    rows: [
      ['Requests answered', `${whole(tally.done)}, ${(tally.done / seconds).toFixed(1)} a second`],
      ['Attempts that failed by a fault and were repeated', whole(tally.failed)],
      ['Requests given up', whole(tally.unsure)],
      ['Kills of the runtime', whole(kills)],
      ['Resets of objects', whole(faults.object)],
      ['Failed deliveries of the queue, before and after their work', `${whole(faults.queue_before)}, ${whole(faults.queue_after)}`],
      ['Failed calls of R2', whole(faults.r2)],
      ['Ticks of the clock', whole(ticks)],
      ['Signals to sockets', whole(signals)],
      ['Rows at the end', counted.join(', ')],
      ['Feeds that equal REST', `${followers - wrong.filter((line) => line.startsWith('the feed of')).length} of ${followers}`],
      ['Memory of the runtime in the second half, MB', `${whole(Math.min(...warm))} to ${whole(Math.max(...warm))}`],
      ['Its slope, MB a minute', slope.toFixed(2)],
      ['Heap of the Worker without garbage, warm and at the end, MB', heaps.map((one) => one.toFixed(1)).join(', ')],
      ['What does not hold', wrong.length === 0 ? 'nothing' : whole(wrong.length)],
    ],
    notes: [`${atOnce} people at a time, in workerd with its local database and storage.`],
    only: 'soak',
    ...(wrong.length > 0 && { wrong: wrong.join('\n') }),
  };
}

const result = await soak({
  persist: scratchFolder(),
  modules: await buildWrapped(scratchFolder()),
  seconds: minutes * 60,
  people: size,
  atOnce,
  kills: Number(values.kills ?? Math.max(1, Math.min(10, Math.round(minutes / 2)))),
  onProgress: (line) => console.error(`  ${line}`),
});
const table = tableOf(result);
console.log(print(table, values.markdown).replace(/npm run bench -- --only soak/, `npm run soak -- --minutes ${minutes}`));
if (table.wrong) console.error(table.wrong);
process.exit(table.wrong ? 1 : 0);
