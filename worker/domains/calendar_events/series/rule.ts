// Recurrence rules (RFC 5545): parsed, expanded in a time zone, shortened, and described in words. Pure.

import { fromClock, onClock } from '@carrel/shared/wire/clock';
import { lookUp } from '@carrel/shared/wire/look_up';
import { RRuleTemporal } from 'rrule-temporal';
import { toText } from 'rrule-temporal/totext';
import { invalid } from '../../../http/problem';

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
/**
 * For how many intervals of years a rule is followed. A rule that matches no day would otherwise be followed for thousands of years; 400 years
 * hold every combination of date and weekday.
 */
const horizons = new Map([
  ['DAILY', 28],
  ['WEEKLY', 100],
  ['MONTHLY', 100],
  ['YEARLY', 400],
]);
/** The most events that a rule may make. */
const mostEvents = 400;

const wrong = (message: string) => invalid('rrule', 'invalid', message);

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
  if (parts.length === 0 || names.includes(undefined) || new Set(names).size < names.length) throw wrong('is not a recurrence rule');
  if (names.includes('COUNT') === names.includes('UNTIL')) throw wrong('needs either COUNT or UNTIL');
  const { freq = '', count, until } = partsOf(parts.join(';'));
  if (!horizons.has(freq)) throw wrong('FREQ is not DAILY, WEEKLY, MONTHLY or YEARLY');
  if (until !== undefined && Number.isNaN(Date.parse(instantOf(until)))) throw wrong('UNTIL is not a date');
  if (count !== undefined && Number(count) > mostEvents) throw tooMany();
  return parts.join(';');
}

const tooMany = () => wrong(`only a maximum of ${mostEvents} events can be created`);

interface Parts {
  readonly freq?: string;
  readonly interval?: string;
  readonly count?: string;
  readonly until?: string;
}

const partsOf = (rule: string): Parts =>
  Object.fromEntries(rule.split(';').map((part) => [part.slice(0, part.indexOf('=')).toLowerCase(), part.slice(part.indexOf('=') + 1)]));

/** `20261231T100000Z`, `20261231T100000` or `20261231` as ISO 8601, read as UTC. A day counts to its end. */
const instantOf = (until: string): string =>
  until.replace(
    /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)Z?)?$/,
    (_, year, month, day, hour = '23', minute = '59', second = '59') => `${year}-${month}-${day}T${hour}:${minute}:${second}Z`,
  );
const basic = (at: Date): string => `${at.toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`;

/** Clocks are read as if they were UTC: a rule knows days and times of the clock, not instants. */
const asClock = (at: string, zone: string) => new Date(`${onClock(at, zone)}Z`);

/**
 * The start times of the events of a rule.
 * @throws Problem 400 when there are no events, or too many
 */
export function unrolled(rule: string, start_at: string, zone: string): string[] {
  const { freq = '', interval = '1', count = mostEvents + 1, until } = partsOf(rule);
  const dtstart = asClock(start_at, zone);
  const years = dtstart.getUTCFullYear() + (horizons.get(freq) ?? 1) * Number(interval);
  const furthest = new Date(Math.min(Date.UTC(9998, 0), new Date(dtstart).setUTCFullYear(Math.min(years, 9998))));
  // An UNTIL in UTC is an instant; the others are read on the clock of the zone.
  const asked = until && (until.endsWith('Z') ? asClock(instantOf(until), zone) : new Date(instantOf(until)));
  const last = asked && asked < furthest ? asked : furthest;
  // COUNT is obeyed below, because the library takes either COUNT or UNTIL.
  const endless = rule
    .split(';')
    .filter((part) => !/^(UNTIL|COUNT)=/.test(part))
    .join(';');
  const found: string[] = [];
  try {
    const expanded = new RRuleTemporal({
      rruleString: `DTSTART:${basic(dtstart)}\nRRULE:${endless};UNTIL=${basic(last)}`,
      maxIterations: 40_000,
    });
    expanded.all(({ epochMilliseconds }) => {
      found.push(fromClock(new Date(epochMilliseconds).toISOString().slice(0, 19), zone));
      return found.length < Number(count);
    });
  } catch {
    throw wrong('is not a recurrence rule');
  }
  if (found.length === 0) throw wrong('results in no events');
  if (found.length > mostEvents) throw tooMany();
  return found;
}

/** The same rule for its first `count` events, of which the last starts at `last_at`. */
export const shortened = (rule: string, count: number, last_at: string): string =>
  rule.replace(/COUNT=\d+/, `COUNT=${count}`).replace(/UNTIL=[0-9TZ]+/, `UNTIL=${basic(new Date(last_at))}`);

const described = new Map<string, string>();

/** A rule in words, cached because one answer has few different rules. Null when it cannot be read. */
export function inWords(rule: string | null): string | null {
  if (rule === null) return null;
  const known = described.get(rule);
  if (known !== undefined) return known;
  if (described.size > 200) described.clear();
  let text = '';
  try {
    // The time of day belongs to the event, so the rule is described without it.
    const options = new RRuleTemporal({ rruleString: `DTSTART:20000101T000000Z\nRRULE:${rule}` });
    text = toText(options, 'en', { excludeTzAbbreviation: true }).replace(/ at 12 AM\b/, '');
  } catch {
    return null;
  }
  described.set(rule, text);
  return text;
}
