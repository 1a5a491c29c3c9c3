// The effective feature flag, with inheritance.

import { describe, expect, test } from 'vitest';
import type { FlagState } from './definitions';
import { effectiveFlagOf, type FlagLevel, transitionsFrom } from './inheritance';

type Case = [
  name: string,
  definition: FlagState | 'hidden' | 'opt_in',
  /** Flags of the root account, a sub-account and a course. */
  flags: readonly (FlagState | undefined)[],
  expected: { state: string; enabled: boolean; locked: boolean; parent: string; at?: FlagLevel['type'] },
];

const cases: Case[] = [
  ['allowed, without a flag', 'allowed', [undefined, undefined, undefined], told('allowed', false, false, 'allowed')],
  ['allowed on: on until a flag is set', 'allowed_on', [undefined, undefined, undefined], told('allowed_on', true, false, 'allowed_on')],
  ['allowed on, and turned off here', 'allowed_on', [undefined, undefined, 'off'], told('off', false, false, 'allowed_on', 'Course')],
  ['the nearest flag decides', 'allowed', ['allowed', 'allowed_on', 'on'], told('on', true, false, 'allowed_on', 'Course')],
  [
    'an allowing flag above is inherited',
    'allowed',
    ['allowed_on', undefined, undefined],
    told('allowed_on', true, false, 'allowed_on', 'Account'),
  ],
  ['on above locks', 'allowed', ['on', undefined, 'off'], told('on', true, true, 'on', 'Account')],
  ['off above locks', 'allowed', ['allowed', 'off', 'on'], told('off', false, true, 'off', 'Account')],
  ['the highest deciding flag counts', 'allowed', ['off', 'on', 'on'], told('off', false, true, 'off', 'Account')],
  ['turned on in the root account itself, it is not locked there', 'allowed', ['on'], told('on', true, false, 'allowed', 'Account')],
  ['on for everyone: locked everywhere', 'on', ['off'], told('on', true, true, 'on')],
  ['off for everyone: locked everywhere', 'off', [undefined, undefined, 'on'], told('off', false, true, 'off')],
  ['opt-in: off until the root account sets a flag', 'opt_in', [undefined, undefined, 'on'], told('off', false, true, 'off')],
  ['the root account may opt in', 'opt_in', [undefined], told('off', false, false, 'off')],
  ['opted in', 'opt_in', ['allowed', undefined, 'on'], told('on', true, false, 'allowed', 'Course')],
  ['hidden features are hidden in sub-accounts', 'hidden', [undefined, 'on', 'on'], told('hidden', false, true, 'hidden')],
  [
    'hidden until the root account sets a flag',
    'hidden',
    ['allowed', undefined, undefined],
    told('allowed', false, false, 'allowed', 'Account'),
  ],
];

function told(state: string, enabled: boolean, locked: boolean, parent: string, at?: FlagLevel['type']) {
  return { state, enabled, locked, parent, ...(at && { at }) };
}

const levels = (flags: readonly (FlagState | undefined)[]): FlagLevel[] =>
  flags.map((state, at) => ({ type: at === 2 ? 'Course' : 'Account', id: at + 1, ...(state && { state }) }));

describe('the effective flag', () => {
  test.each(cases)('%s', (_name, kind, flags, expected) => {
    const definition = kind === 'opt_in' ? ({ state: 'allowed', root_opt_in: true } as const) : { state: kind };
    const standing = effectiveFlagOf(definition, levels(flags));
    expect({
      state: standing.state,
      enabled: standing.isEnabled,
      locked: standing.locked,
      parent: standing.parent_state,
      ...(standing.level && { at: standing.level.type }),
    }).toEqual(expected);
  });

  test('an account may allow its sub-accounts to choose, a course may not', () => {
    const open = { state: 'off', locked: false } as const;
    expect(Object.keys(transitionsFrom(open, {}, 'Account'))).toEqual(['allowed', 'allowed_on', 'on']);
    expect(transitionsFrom(open, {}, 'Course')).toEqual({ on: { locked: false } });
    expect(transitionsFrom({ state: 'on', locked: true }, {}, 'User')).toEqual({ off: { locked: true } });
  });

  test('a flag that cannot be turned off gives the reason, and a change with consequences gives a warning', () => {
    expect(transitionsFrom({ state: 'on', locked: false }, { stays: 'because' }, 'Course')).toEqual({
      off: { locked: true, message: 'because' },
    });
    expect(transitionsFrom({ state: 'on', locked: false }, { warning: 'beware' }, 'Course')).toEqual({
      off: { locked: false, warning: 'beware' },
    });
  });
});
