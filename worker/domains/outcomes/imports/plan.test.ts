// What a step of an import changes, given what exists.

import { expect, test } from 'vitest';
import { defaultScale } from '../criterion';
import { type ImportFacts, type KnownGroup, type KnownOutcome, planImport } from './plan';
import { importRowsOf } from './rows';

const names = 'vendor_guid,object_type,title,parent_guids,workflow_state,calculation_method,calculation_int\n';
const rowsOf = (...lines: string[]) => importRowsOf(names + lines.join('\n')).rows;
const group = (id: number, more: Partial<KnownGroup> = {}): KnownGroup => ({
  id,
  parent: 1,
  title: 'G',
  description: null,
  isActive: true,
  ...more,
});
const outcome = (id: number, more: Partial<KnownOutcome> = {}): KnownOutcome => ({
  id,
  title: 'O',
  display_name: null,
  description: null,
  friendly_description: null,
  ...defaultScale,
  calculation_method: 'highest',
  calculation_int: null,
  isOwn: true,
  isActive: true,
  isNeededHere: false,
  links: [{ id: 70 + id, group: 1 }],
  ...more,
});
const factsOf = (
  groups: Record<string, KnownGroup> = {},
  outcomes: Record<string, KnownOutcome> = {},
  needed: number[] = [],
): ImportFacts => ({
  target: 1,
  above: new Set([1]),
  groups: new Map(Object.entries(groups)),
  outcomes: new Map(Object.entries(outcomes)),
  neededGroups: new Set(needed),
});
const nothing = planImport([], factsOf()).plan;

test('what is new refers to its new parents by guid, and to known ones by id', () => {
  const { plan } = planImport(rowsOf('g,group,G,', 'h,group,H,g', 'o,outcome,O,g h'), factsOf({ g: group(5) }));
  expect(plan).toMatchObject({
    newGroups: [{ guid: 'h', title: 'H', parent: { id: 5 } }],
    changedGroups: [],
    newOutcomes: [{ guid: 'o', calculation_method: 'decaying_average', calculation_int: 65 }],
    links: [
      { outcome: { guid: 'o' }, group: { id: 5 } },
      { outcome: { guid: 'o' }, group: { guid: 'h' } },
    ],
    errors: [],
  });
});

test('what is as in the file is not written', () => {
  const { plan } = planImport(rowsOf('g,group,G,', 'o,outcome,O,,,highest'), factsOf({ g: group(5) }, { o: outcome(3) }));
  expect(plan).toEqual(nothing);
});

test('parents are set exactly, and deleted groups and outcomes restored', () => {
  const facts = factsOf(
    { g: group(5, { isActive: false }) },
    {
      o: outcome(3, { isActive: false, links: [] }),
      p: outcome(4, {
        links: [
          { id: 74, group: 1 },
          { id: 75, group: 9 },
        ],
      }),
    },
  );
  const { plan } = planImport(rowsOf('g,group,G,', 'o,outcome,O,g', 'p,outcome,O,g'), facts);
  expect(plan.changedGroups).toEqual([{ id: 5, title: 'G', description: null, parent: { id: 1 } }]);
  expect(plan.changedOutcomes).toMatchObject([{ id: 3 }]);
  expect(plan.links).toEqual([
    { outcome: { id: 3 }, group: { id: 5 } },
    { outcome: { id: 4 }, group: { id: 5 } },
  ]);
  expect(plan.removedLinks).toEqual([74, 75]);
});

test('an outcome of another context is linked as it is, and not changed', () => {
  const facts = factsOf({}, { o: outcome(3, { isOwn: false, links: [] }) });
  expect(planImport(rowsOf('o,outcome,O,'), facts).plan.links).toEqual([{ outcome: { id: 3 }, group: { id: 1 } }]);
  const changed = planImport(rowsOf('o,outcome,Other,'), facts).plan;
  expect([changed.links, changed.errors]).toEqual([[], [[2, expect.stringContaining('belongs to another context')]]]);
});

test.each([
  ['canvas_outcome:9,outcome,O,', 'does not exist in this context'],
  ['canvas_outcome_group:9,group,G,', 'does not exist in this context'],
  ['root,group,G,', 'contains the group below which'],
  ['n,group,G,,deleted', 'aligned to content'],
  ['needed,outcome,O,,deleted', 'aligned to content'],
  ['o,outcome,O,,,average,3', 'calculation_int is not used'],
])('the row %s is an error', (line, message) => {
  const facts = factsOf({ root: group(1, { parent: null }), n: group(6) }, { needed: outcome(8, { isNeededHere: true }) }, [6]);
  const { plan } = planImport(rowsOf(line), facts);
  expect(plan).toEqual({ ...nothing, errors: [[2, expect.stringContaining(message)]] });
});

test('a parent that could not be imported or was deleted is an error of its children', () => {
  const facts = factsOf({ g: group(5, { isActive: false }) });
  const rows = rowsOf('g,group,G,,deleted', 'h,group,H,g', 'o,outcome,O,h');
  expect(planImport(rows, facts).plan.errors).toEqual([
    [3, 'the parent g was not imported'],
    [4, 'the parent h was not imported'],
  ]);
});

test('a deletion removes what is there, and a second row about the same object waits', () => {
  const facts = factsOf({ g: group(5) }, { o: outcome(3), 'canvas_outcome:3': outcome(3), q: outcome(4, { links: [] }) });
  const { plan, count } = planImport(
    rowsOf('g,group,G,,deleted', 'q,outcome,O,,deleted', 'o,outcome,O,,deleted', 'canvas_outcome:3,outcome,O,'),
    facts,
  );
  expect(plan).toEqual({ ...nothing, deletedGroups: [5], unlinkedOutcomes: [3] });
  expect(count).toBe(3);
});
