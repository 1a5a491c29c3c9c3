// Why an outbox item is held back, and what to do about it.

import type { Hold } from '../contract/work.ts';
import type { MessageKey } from './texts.ts';

export const holdWords: Readonly<Record<Hold, MessageKey>> = {
  gone: 'hold.gone',
  'not yet': 'hold.notYet',
  closed: 'hold.closed',
  locked: 'hold.locked',
  'other kind': 'hold.otherKind',
  'attempts used': 'hold.attemptsUsed',
  'newer attempt': 'hold.newerAttempt',
  'graded meanwhile': 'hold.gradedMeanwhile',
  'changed meanwhile': 'hold.changedMeanwhile',
  'no bytes': 'hold.noBytes',
  declined: 'hold.declined',
  trouble: 'hold.trouble',
  unsure: 'hold.unsure',
};

/** What is held decides what a new attempt means: one's own work, or that of a student. */
export const wordsOfHold = (hold: Hold, verb: string): MessageKey => {
  if (verb === 'author' && hold === 'no bytes') return 'hold.noImage';
  return verb === 'grade' && hold === 'newer attempt' ? 'hold.newerWork' : holdWords[hold];
};
