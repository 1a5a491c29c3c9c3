// The bill of a school: a described day is replayed at small scale against the real Worker, everything that it uses is counted, and the counts
// are multiplied with the numbers of the day and with the price list.

import { hashPassword } from '@carrel/worker/database/passwords';
import { withDatabase } from '../support/server';
import { type ActionName, actionsOf } from './bill/actions';
import { dayOfSchool, school, ticksOfDay } from './bill/day';
import { emailPrice, planDollars, prices, pricesReadOn } from './bill/prices';
import { type Replay, replay, Sockets } from './bill/replay';
import { dollarsOf, dollarsOfAll, noUsage, scaled, type Unit, type Usage, usageSum } from './bill/usage';
import { bytesOfRows, bytesWith } from './capacity';
import { admitCrowd, crowdTokenOf } from './crowd';
import { institution } from './measured';
import { scratchFolder } from './scratch';
import type { Table } from './table';
import { buildWrapped, startWrapped } from './wrapped';

const courses = 200;
const crowd = 40;
const password = 'only for the benchmark';

/** Passwords for signing in; the crowd's addresses receive email. */
const furnish = (persist: string): Promise<unknown> =>
  withDatabase(persist, async (d1) => {
    const hash = await hashPassword(password);
    await d1.prepare("update logins set password_hash = ? where unique_id like 'crowd-%'").bind(hash).run();
    await d1
      .prepare(
        `insert into communication_channels (user_id, address, workflow_state, created_at, updated_at)
         select user_id, unique_id, 'active', created_at, updated_at from logins where unique_id like 'crowd-%'`,
      )
      .run();
    const { results } = await d1
      .prepare("select user_id from logins where unique_id like 'crowd-%' order by id")
      .all<{ user_id: number }>();
    return results.map(({ user_id }) => user_id);
  });

interface Line {
  readonly name: string;
  /** Per student and month. */
  readonly times: number;
  readonly one: Usage;
  /** Of all its times. */
  readonly month: Usage;
}

const { students, daysOfTeaching, daysOfMonth } = school;

/** What each action uses in a month, for a student. */
function linesOf({ each, chores }: Replay, d1AtStart: number): Line[] {
  const usage = (name: ActionName): Usage => each.get(name) as Usage;
  const line = (name: ActionName, times: number): Line => ({ name, times, one: usage(name), month: scaled(usage(name), times) });
  const caused = Object.entries(dayOfSchool).map(([name, { times }]) => line(name as ActionName, times * daysOfTeaching));
  const signals = caused.reduce((sum, { month }) => sum + month.signals, 0);
  const pings = (school.deskShare * school.deskHours * 3600 * daysOfTeaching) / school.pingSeconds;
  // Divided, because what is added to storage in a month counts for several.
  const stored = { ...noUsage, d1_bytes: d1AtStart / school.monthsOfGrowth, r2_bytes: school.filesAtStart / school.monthsOfGrowth };
  const hours = (24 * daysOfMonth) / students;
  const ping = { ...noUsage, object_requests: 1 / 20 };
  return [
    ...caused,
    line('feed_changed', signals),
    line('tick', (ticksOfDay * daysOfMonth) / students),
    // As if those of the day ran every hour.
    { name: 'chores of an hour', times: hours, one: chores, month: scaled(chores, hours) },
    { name: 'ping', times: pings, one: ping, month: scaled(ping, pings) },
    { name: 'stored at the start', times: 1, one: stored, month: stored },
  ];
}

const dollars = (value: number): string => `${value.toFixed(6)} $`;
const unitsOf = () => Object.keys(prices) as Unit[];

/** Dollars a month of what the plan includes, of the whole school. */
function includedIn(month: Usage): number {
  const included = unitsOf().map((unit) => {
    const { included: free, unit: size, dollars: price } = prices[unit];
    const used = unit.endsWith('bytes') ? month[unit] * school.monthsOfGrowth : month[unit];
    return (Math.min(free, Math.max(0, used * students)) * price) / size;
  });
  return included.reduce((sum, one) => sum + one, 0);
}

/** Dollars of a month per student, as the platform's invoice has them. */
const paidOf = (month: Usage): number => dollarsOfAll(month) + (planDollars - includedIn(month)) / students;

function unitTable(month: Usage, note: readonly string[]): Table {
  const rows = unitsOf()
    .filter((unit) => month[unit] !== 0)
    .map((unit) => {
      const cost = dollarsOf(month, unit);
      const isStored = unit.endsWith('bytes');
      return [
        prices[unit].name,
        isStored ? '' : Math.round((month[unit] * students) / daysOfTeaching),
        Math.round(month[unit] * students * (isStored ? school.monthsOfGrowth : 1)),
        `${prices[unit].dollars} $ / ${prices[unit].unit.toLocaleString('en-US')}`,
        `${Math.round(cost * students)} $`,
        dollars(cost),
      ];
    });
  const total = dollarsOfAll(month);
  const free = includedIn(month);
  return {
    title: `The bill of a school of ${students.toLocaleString('en-US')} students`,
    columns: ['Used', 'On a day of teaching', 'In a month', 'Price', 'Dollars a month', 'Per student and month'],
    rows: [
      ...rows,
      ['All of it', '', '', '', `${Math.round(total * students)} $`, dollars(total)],
      ['Base price of the plan', '', '', '', `${planDollars} $`, dollars(planDollars / students)],
      ['Included in the plan, not subtracted above', '', '', '', `−${Math.round(free)} $`, `−${dollars(free / students)}`],
      ['What the school pays', '', '', '', `${Math.round(paidOf(month) * students)} $`, dollars(paidOf(month))],
    ],
    notes: note,
    only: 'bill',
  };
}

function lineTable(lines: readonly Line[], total: number): Table {
  const sorted = lines.toSorted((a, b) => dollarsOfAll(b.month) - dollarsOfAll(a.month));
  return {
    title: 'What each action uses, and its part of the bill',
    columns: [
      'Action',
      'Times a month',
      'CPU ms',
      'Rows read',
      'Rows written',
      'D1 bytes',
      'Object requests',
      'R2 A',
      'R2 B',
      'Signals',
      'Dollars',
      'Part',
    ],
    rows: sorted.map(({ name, times, one, month }) => [
      name,
      times,
      one.cpu_ms,
      Math.round(one.d1_rows_read),
      one.d1_rows_written,
      Math.round(one.d1_bytes),
      one.object_requests,
      one.r2_class_a,
      one.r2_class_b,
      one.signals,
      dollars(dollarsOfAll(month)),
      `${((dollarsOfAll(month) / total) * 100).toFixed(1)} %`,
    ]),
    notes: [
      'Per student. Each action is measured with all work after its response: signals, batches of page views, queued jobs.',
      `Signals are messages to sockets, ${school.openSockets} of ${crowd} students having one open; each makes a desk ask the feed, which is the line feed_changed.`,
    ],
    only: 'bill',
  };
}

/** Of what the school pays, everything included. */
const aim = 0.003;

/** The lines that cost most, with the unit that costs most in each. */
function costliest(lines: readonly Line[], month: Usage): string[] {
  const byUnit = unitsOf().toSorted((a, b) => dollarsOf(month, b) - dollarsOf(month, a));
  const top = byUnit.slice(0, 3).map((unit) => {
    const causes = lines.toSorted((a, b) => dollarsOf(b.month, unit) - dollarsOf(a.month, unit)).slice(0, 3);
    return `${prices[unit].name} (${dollars(dollarsOf(month, unit))}), mostly ${causes.map(({ name }) => name).join(', ')}`;
  });
  return [`Most expensive: ${top.join('; ')}.`];
}

export async function billTables(): Promise<Table[]> {
  const whole = await institution(courses);
  await admitCrowd(whole, crowd);
  const ids = (await furnish(whole.persist)) as number[];
  const wrapped = await startWrapped(whole.persist, await buildWrapped(scratchFolder()));
  const sockets = new Sockets(wrapped.url);
  try {
    for (let nth = 0; nth < school.openSockets; nth++) await sockets.add(crowdTokenOf(nth));
    const openSocket = (token: string) => sockets.add(token);
    const actions = actionsOf({ url: wrapped.url, built: whole.built, ids, password, openSocket, tick: (at) => wrapped.tickAndSettle(at) });
    const replayed = await replay(wrapped, sockets, actions);
    const { idle, seconds } = replayed;
    const lines = linesOf(replayed, bytesWith(school.students, await bytesOfRows()) / school.students);
    const month = usageSum(lines.map((line) => line.month));
    const total = dollarsOfAll(month);
    const growth = usageSum(lines.slice(0, -1).map((line) => line.month)).d1_bytes * students * 12;
    const emails = (month.emails * emailPrice.dollars) / emailPrice.unit;
    const paid = paidOf(month);
    const verdict = paid <= aim ? `Within the aim of ${aim} $.` : `The aim of ${aim} $ is missed by ${dollars(paid - aim)}.`;
    return [
      unitTable(month, [
        verdict,
        ...costliest(lines, month),
        `Prices of ${pricesReadOn} (test/bench/bill/prices.ts). The numbers of the day are described, not measured (test/bench/bill/day.ts): ${daysOfTeaching.toFixed(1)} days of teaching a month, ${Math.round(usageSum(lines.map((line) => line.month)).requests / daysOfTeaching)} requests a day and student.`,
        `Counts are those at the bindings of the real Worker in workerd, in ${Math.round(seconds)} s with ${crowd} students, paced as ${school.requestsPerIsolate} requests a second and isolate. Storage is that of the average month of the first year: what there is at its start (measured rows in D1, ${school.filesAtStart / 1_000_000} MB of files for each student) and the growth of ${school.monthsOfGrowth} months.`,
        `CPU is the processor time of the whole runtime, less ${idle.toFixed(1)} ms a second while it is idle. It contains the local database and storage, which the platform does not bill as CPU: an upper bound.`,
        `Log events: one for each invocation and line, of ${school.logSampling * 100} % of all invocations (head_sampling_rate). Of all of them, they would cost ${dollars(dollarsOf(month, 'log_events') / school.logSampling)}.`,
        `D1 grows by ${Math.round((growth / 1_000_000_000) * 10) / 10} GB a year; each student adds ${Math.round(growth / students / 1000)} KB, nothing deleted or archived.`,
        `Not in the sum: ${Math.round(month.emails * students).toLocaleString('en-US')} emails a month, sent by the mail service of the school, or by the platform's for ${dollars(emails)} per student and month (${emailPrice.dollars} $ for ${emailPrice.unit.toLocaleString('en-US')}).`,
      ]),
      lineTable(lines, total),
    ];
  } finally {
    sockets.close();
    await wrapped.runtime.dispose();
  }
}
