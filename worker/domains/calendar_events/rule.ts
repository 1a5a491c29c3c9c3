// Rules of recurrence (RFC 5545): read, unrolled on the clocks of a time zone, shortened, and said in words. Pure.

import { fromClock, onClock } from '@carrel/shared/wire/clock';
import { lookUp } from '@carrel/shared/wire/look_up';
import * as library from 'rrule';
import { invalid } from '../../http/problem';

// Bundled, the library is a module with names; read by Node as it is, all of it is the default of an older kind of module.
const { Frequency, RRule } = (Reflect.get(library, 'default') ?? library) as typeof library;

const many = (one: string) => `(?:${one})(?:,(?:${one})){0,30}`;
const number = '[1-9]\\d{0,4}';
const grammar: Readonly<Record<string, RegExp>> = Object.fromEntries(
  Object.entries({
    FREQ: '[A-Z]+',
    INTERVAL: number,
    COUNT: number,
    UNTIL: '\\d{8}(?:T\\d{6}Z?)?',
    WKST: 'MO|TU|WE|TH|FR|SA|SU',
    BYDAY: many('[+-]?[1-5]?(?:MO|TU|WE|TH|FR|SA|SU)'),
    BYMONTHDAY: many('-?(?:[1-9]|[12]\\d|3[01])'),
    BYMONTH: many('[1-9]|1[0-2]'),
    BYSETPOS: many('-?[1-9]\\d{0,2}'),
  }).map(([name, pattern]) => [name, new RegExp(`^(?:${pattern})$`)]),
);
const nameOf = (part: string): string | undefined => {
  const [name = '', value = '', ...more] = part.split('=');
  return more.length === 0 && Object.hasOwn(grammar, name) && lookUp(grammar, name)?.test(value) ? name : undefined;
};
const frequencies: readonly library.Frequency[] = [Frequency.DAILY, Frequency.WEEKLY, Frequency.MONTHLY, Frequency.YEARLY];
/** So many events a rule may make. */
const mostEvents = 400;

const wrong = (message: string) => invalid('rrule', 'invalid', message);
const pad = (number: number, width = 2) => String(number).padStart(width, '0');

/**
 * A rule as it is kept: without its name, in capitals.
 * @throws Problem 400 for what is no rule, or one without an end
 */
export function ruleGiven(given: string): string {
  const written = given
    .trim()
    .toUpperCase()
    .replace(/^RRULE:/, '');
  const parts = written.split(';').filter((part) => part !== '');
  const names = parts.map(nameOf);
  if (parts.length === 0 || names.includes(undefined) || new Set(names).size < names.length) throw wrong('is not a rule of recurrence');
  if (names.includes('COUNT') === names.includes('UNTIL')) throw wrong('needs either COUNT or UNTIL');
  const options = optionsOf(parts.join(';'));
  if (!frequencies.includes(options.freq as library.Frequency)) throw wrong('FREQ is not DAILY, WEEKLY, MONTHLY or YEARLY');
  if (options.count && options.count > mostEvents) throw tooMany();
  return parts.join(';');
}

const tooMany = () => wrong(`only a maximum of ${mostEvents} events can be created`);

function optionsOf(rule: string): Partial<library.Options> {
  try {
    const options = RRule.parseString(rule);
    if (options.until && Number.isNaN(options.until.getTime())) throw wrong('UNTIL is not a date');
    return options;
  } catch {
    throw wrong('is not a rule of recurrence');
  }
}

/** Clocks are read as if they were UTC: a rule knows days and times of the clock, not instants. */
const asClock = (at: string, zone: string) => new Date(`${onClock(at, zone)}Z`);

// How far a rule is followed: one that meets no day at all would otherwise be followed for millions of days.
const horizon = { [Frequency.DAILY]: 100, [Frequency.WEEKLY]: 400, [Frequency.MONTHLY]: 400, [Frequency.YEARLY]: 2000 } as Record<
  number,
  number
>;

/**
 * The beginnings of the events of a rule.
 * @throws Problem 400 for none, or more than can be
 */
export function unrolled(rule: string, start_at: string, zone: string): string[] {
  const { until, ...options } = optionsOf(rule);
  const dtstart = asClock(start_at, zone);
  const furthest = new Date(
    Math.min(Date.UTC(9998, 0), new Date(dtstart).setUTCFullYear(dtstart.getUTCFullYear() + (horizon[options.freq ?? 3] ?? 100))),
  );
  const isDay = /UNTIL=\d{8}(;|$)/.test(rule);
  // A last day counts to its end.
  const asked =
    until && (isDay ? new Date(until.getTime() + 86_399_000) : /UNTIL=[0-9T]+Z/.test(rule) ? asClock(until.toISOString(), zone) : until);
  const last = asked && asked < furthest ? asked : furthest;
  const found: string[] = [];
  const follow = (day: Date) => {
    found.push(fromClock(day.toISOString().slice(0, 19), zone));
    return found.length <= mostEvents;
  };
  try {
    new RRule({ ...options, dtstart, until: last }, true).all(follow);
  } catch {
    throw wrong('is not a rule of recurrence');
  }
  if (found.length === 0) throw wrong('makes no event');
  if (found.length > mostEvents) throw tooMany();
  return found;
}

/** The same rule for so many of its events, of which the last begins then. */
export function shortened(rule: string, count: number, last_at: string): string {
  const at = new Date(last_at);
  const until = `${pad(at.getUTCFullYear(), 4)}${pad(at.getUTCMonth() + 1)}${pad(at.getUTCDate())}T${pad(at.getUTCHours())}${pad(at.getUTCMinutes())}${pad(at.getUTCSeconds())}Z`;
  return rule.includes('COUNT=') ? rule.replace(/COUNT=\d+/, `COUNT=${count}`) : rule.replace(/UNTIL=[0-9TZ]+/, `UNTIL=${until}`);
}

const said = new Map<string, string>();

/** A rule in words; the rules of one answer are few. */
export function inWords(rule: string | null): string | null {
  if (rule === null) return null;
  const known = said.get(rule);
  if (known !== undefined) return known;
  if (said.size > 200) said.clear();
  let text = '';
  try {
    text = RRule.fromString(rule).toText();
  } catch {
    return null;
  }
  said.set(rule, text);
  return text;
}
