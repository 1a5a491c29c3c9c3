// The planner's case table: one line per combination of the agreed state, the local state and the server's state.

import { isInMyFiles, isNowhere, isParked, isRemoved, isYourCopy, nowhere, removed } from '@carrel/desktop/engine/model/names';
import { type Agreed, type FoundFile, fold, type Step, type Trees, type Wanted } from '@carrel/desktop/engine/model/trees';
import { isTooMuch, takenAway } from '@carrel/desktop/engine/planner/mass_removal_limit';
import { order } from '@carrel/desktop/engine/planner/order';
import { plan } from '@carrel/desktop/engine/planner/plan';
import { describe, expect, test } from 'vitest';

const at = 'Carrel/Course/a.txt';
const elsewhere = 'Carrel/Course/week 1/a.txt';
const base = (hash: string, path = at, wanted = at): Agreed => ({ wanted, path, hash });
const here = (hash: string, path = at): FoundFile => ({ path, hash });
const there = (hash: string, path = at, more: Partial<Wanted> = {}): Wanted => ({
  path,
  hash,
  size: 1,
  available: true,
  generated: false,
  ...more,
});

interface Case {
  readonly says: string;
  readonly base?: Agreed;
  readonly here?: FoundFile | 'unseen';
  readonly server?: Wanted | 'withdrawn';
  readonly stranger?: FoundFile;
  readonly unwanted?: true;
  readonly expected: string;
}

const cases: readonly Case[] = [
  { says: 'a new file is downloaded', server: there('1'), expected: `pull to ${at}` },
  { says: 'a new locked file cannot be downloaded yet', server: there('1', at, { available: false }), expected: 'nothing' },
  { says: 'a new file whose bytes are already at its path is agreed', server: there('1'), stranger: here('1'), expected: 'agree' },
  {
    says: 'another local file at its path is moved aside',
    server: there('1'),
    stranger: here('mine'),
    expected: `pull to ${at}, aside ${at}`,
  },
  {
    says: 'another local file at the path of its folder is moved aside',
    server: there('1', elsewhere),
    stranger: here('mine', 'Carrel/Course/Week 1'),
    expected: `pull to ${elsewhere}, aside Carrel/Course/Week 1`,
  },
  {
    says: 'a local folder at the path of the file is moved aside',
    server: there('1'),
    stranger: here('mine', `${at}/mine`),
    expected: `pull to ${at}, aside ${at}/mine`,
  },
  { says: 'an unchanged file stays', base: base('1'), here: here('1'), server: there('1'), expected: 'nothing' },
  { says: 'the server changed it', base: base('1'), here: here('1'), server: there('2'), expected: `pull to ${at}, over 1` },
  {
    says: 'the server changed and locked it',
    base: base('1'),
    here: here('1'),
    server: there('2', at, { available: false }),
    expected: 'nothing',
  },
  {
    says: 'an interrupted move of a file that is no longer wanted is forgotten',
    base: { ...base('1'), going: elsewhere },
    here: here('1'),
    server: there('1'),
    expected: 'agree',
  },
  { says: 'the user changed it', base: base('1'), here: here('mine'), server: there('1'), expected: 'nothing' },
  { says: 'both changed it', base: base('1'), here: here('mine'), server: there('2'), expected: `pull to ${at}, aside ${at}` },
  { says: 'both made the same change', base: base('1'), here: here('2'), server: there('2'), expected: 'agree' },
  { says: 'the server moved it', base: base('1'), here: here('1'), server: there('1', elsewhere), expected: `move to ${elsewhere}` },
  {
    says: 'the server moved it, the user changed it',
    base: base('1'),
    here: here('mine'),
    server: there('1', elsewhere),
    expected: `move to ${elsewhere}`,
  },
  {
    says: 'the server moved and changed it',
    base: base('1'),
    here: here('1'),
    server: there('2', elsewhere),
    expected: `move to ${elsewhere}`,
  },
  { says: 'the user moved it', base: base('1'), here: here('1', elsewhere), server: there('1'), expected: 'agree' },
  {
    says: 'both moved it to the same path',
    base: base('1'),
    here: here('1', elsewhere),
    server: there('1', elsewhere),
    expected: 'agree',
  },
  {
    says: 'both moved it',
    base: base('1'),
    here: here('1', 'Carrel/Course/mine.txt'),
    server: there('1', elsewhere),
    expected: `move to ${elsewhere}`,
  },
  { says: 'the user deleted it', base: base('1'), server: there('1'), expected: 'forget, not wanted' },
  { says: 'the user deleted it, the server changed it', base: base('1'), server: there('2'), expected: 'forget, not wanted' },
  { says: 'its current state is unknown', base: base('1'), here: 'unseen', server: there('2'), expected: 'nothing' },
  {
    says: 'the teacher deleted it',
    base: base('1'),
    here: here('1'),
    server: 'withdrawn',
    expected: 'withdraw to Carrel/Course/Removed by teacher/a.txt',
  },
  {
    says: 'the teacher deleted it, the user changed it',
    base: base('1'),
    here: here('mine'),
    server: 'withdrawn',
    expected: 'withdraw to Carrel/Course/Removed by teacher/a.txt',
  },
  { says: 'both deleted it', base: base('1'), server: 'withdrawn', expected: 'forget' },
  {
    says: 'it was already moved to the removed files',
    base: base('1'),
    here: here('1', removed(at)),
    server: 'withdrawn',
    expected: 'forget',
  },
  {
    says: 'it came back from the removed files',
    base: base('1'),
    here: here('1', removed(at)),
    server: there('1'),
    expected: `move to ${at}`,
  },
  { says: 'it is absent from the listing, without a tombstone', base: base('1'), here: here('1'), expected: 'nothing' },
  { says: 'it is not wanted here', server: there('1'), unwanted: true, expected: 'nothing' },
  { says: 'it is no longer wanted here', base: base('1'), here: here('1'), server: there('1'), unwanted: true, expected: 'discard' },
  {
    says: 'it is no longer wanted, but the user changed it',
    base: base('1'),
    here: here('mine'),
    server: there('1'),
    unwanted: true,
    expected: 'forget',
  },
  { says: 'it is no longer wanted, and was also deleted', base: base('1'), server: there('1'), unwanted: true, expected: 'forget' },
  {
    says: 'it was removed because it was deselected, that was not recorded, and it is selected again',
    base: { ...base('1'), going: nowhere },
    server: there('1'),
    expected: 'forget',
  },
  {
    says: 'it is deselected, and the teacher removed it',
    base: base('1'),
    here: here('1'),
    server: 'withdrawn',
    expected: 'withdraw to Carrel/Course/Removed by teacher/a.txt',
  },
];

const tell = (step: Step | undefined): string => {
  if (!step) return 'nothing';
  const aside = 'aside' in step ? step.aside.map(({ path }) => `, aside ${path}`).join('') : '';
  if (step.do === 'pull') return `pull to ${step.path}${step.over ? `, over ${step.over.hash}` : ''}${aside}`;
  if (step.do === 'move' || step.do === 'withdraw') return `${step.do} to ${step.to}${aside}`;
  return step.do === 'forget' && step.unwanted ? 'forget, not wanted' : step.do;
};

const rules = { fold, removed, isRemoved, isOwn: isInMyFiles, isParked, isYourCopy, isNowhere };
const trees = (given: Partial<Trees>): Trees => ({
  remote: new Map(),
  withdrawn: new Set(),
  base: new Map(),
  local: new Map(),
  strangers: new Map(),
  unwanted: new Set(),
  ...given,
});

describe('the planner', () => {
  test.each(cases)('$says: $expected', ({ base, here, server, stranger, unwanted, expected }) => {
    const steps = plan(
      trees({
        base: new Map(base ? [['file:1', base]] : []),
        local: new Map(here ? [['file:1', here]] : []),
        remote: new Map(server && server !== 'withdrawn' ? [['file:1', server]] : []),
        withdrawn: new Set(server === 'withdrawn' ? ['file:1'] : []),
        strangers: new Map(stranger ? [[fold(stranger.path), stranger]] : []),
        unwanted: new Set(unwanted ? ['file:1'] : []),
      }),
      rules,
    );
    expect(steps.map(tell).join('; ') || 'nothing').toBe(expected);
  });

  test('an upload that replaces a file has a new id and takes over the local copy', () => {
    const steps = plan(
      trees({
        base: new Map([['file:1', base('1')]]),
        local: new Map([['file:1', here('1')]]),
        remote: new Map([['file:2', there('2')]]),
        withdrawn: new Set(['file:1']),
      }),
      rules,
    );
    expect(steps).toMatchObject([{ do: 'inherit', key: 'file:2', from: 'file:1' }]);
  });

  test('files that swap paths form a ring, and one of them gets a temporary name', () => {
    const paths = ['Carrel/Course/a', 'Carrel/Course/b', 'Carrel/Course/c'];
    const next = (at: number) => paths[(at + 1) % paths.length] as string;
    const keyed = <T>(make: (path: string, at: number) => T) => new Map(paths.map((path, at) => [`file:${at}`, make(path, at)]));
    const steps = plan(
      trees({
        base: keyed((path) => base(path, path, path)),
        local: keyed((path) => here(path, path)),
        remote: keyed((path, at) => there(path, next(at))),
      }),
      rules,
    );
    expect(order(steps, fold).map(({ do: verb }) => verb)).toEqual(['park', 'move', 'move']);
  });
});

describe('names of own files', () => {
  const [a, b] = ['My files/a.txt', 'My files/x/b.txt'] as const;
  const own = (local: Trees['local'], more: Partial<Trees> = {}) =>
    plan(
      trees({
        base: new Map([
          ['file:1', base('1', a, a)],
          ['file:2', base('2', b, b)],
        ]),
        remote: new Map([
          ['file:1', there('1', a)],
          ['file:2', there('2', b)],
        ]),
        mine: new Set(['file:1', 'file:2']),
        local,
        ...more,
      }),
      rules,
    );
  const swapped = new Map([
    ['file:1', here('1', b)],
    ['file:2', here('2', a)],
  ]);

  test('that were swapped on the desk stay swapped', () => expect(own(swapped).map(({ do: verb }) => verb)).not.toContain('move'));
  test('a file put at the path of a deleted one stays there', () =>
    expect(own(new Map([['file:1', here('1', b)]])).map(({ do: verb }) => verb)).not.toContain('move'));
  test('a file put at the path of one that is being moved stays there', () =>
    expect(
      own(
        new Map<string, FoundFile | 'unseen'>([
          ['file:1', 'unseen'],
          ['file:2', here('2', a)],
        ]),
      ).map(({ do: verb }) => verb),
    ).not.toContain('move'));
  test('that the server has changed, too, are the server’s', () => {
    const remote = new Map([
      ['file:1', there('1', 'My files/c.txt')],
      ['file:2', there('2', b)],
    ]);
    expect(own(swapped, { remote })[0]).toMatchObject({ do: 'move', key: 'file:1', to: 'My files/c.txt' });
  });
  test('in courses follow the server', () => expect(own(swapped, { mine: new Set() })).toMatchObject([{ do: 'move' }, { do: 'move' }]));
  test('a conflict copy that was deleted elsewhere goes if the server has its bytes under another name, and is kept otherwise', () => {
    const copy = 'My files/a (your copy 2026-11-22).txt';
    const planned = (hash: string) =>
      plan(
        trees({
          base: new Map([['file:9', base('mine', copy, copy)]]),
          local: new Map([['file:9', here('mine', copy)]]),
          remote: new Map([['file:1', there(hash, a)]]),
          withdrawn: new Set(['file:9']),
          mine: new Set(['file:1', 'file:9']),
        }),
        rules,
      ).map(tell);
    expect(planned('mine')).toContain('discard');
    expect(planned('theirs')).toContain('withdraw to My files/Deleted elsewhere/a (your copy 2026-11-22).txt');
  });
  test('an edit that meets a deletion keeps its path', () => {
    const remote = new Map([['file:2', there('2', b)]]);
    const local = new Map([
      ['file:1', here('edited', a)],
      ['file:2', here('2', b)],
    ]);
    expect(own(local, { remote, withdrawn: new Set(['file:1']) }).map(tell)).toEqual(['forget']);
  });
});

describe('the limit for removals', () => {
  const withdrawals = (count: number): Step[] =>
    Array.from({ length: count }, (_, id) => ({ do: 'withdraw', key: `file:${id}`, from: here('1'), to: removed(at) }));

  test('a few deletions pass', () => expect(isTooMuch(takenAway(withdrawals(50), 60))).toBe(false));
  test('many deletions among very many pass', () => expect(isTooMuch(takenAway(withdrawals(60), 2000))).toBe(false));
  test('many deletions need confirmation', () => expect(isTooMuch(takenAway(withdrawals(60), 200))).toBe(true));
  test('all deletions need confirmation if there is more than a handful', () => {
    expect(isTooMuch(takenAway(withdrawals(12), 12))).toBe(true);
    expect(isTooMuch(takenAway(withdrawals(9), 9))).toBe(false);
  });
  test('hundreds need confirmation, however large the folder', () => expect(isTooMuch(takenAway(withdrawals(501), 50_000))).toBe(true));
  test('pages that are generated again do not count', () => {
    const pulls: Step[] = Array.from({ length: 200 }, (_, id) => ({
      do: 'pull',
      key: `page:${id}`,
      path: at,
      wanted: there('2', at, { generated: true }),
      over: here('1'),
      aside: [],
    }));
    expect(isTooMuch(takenAway(pulls, 200))).toBe(false);
  });
});
