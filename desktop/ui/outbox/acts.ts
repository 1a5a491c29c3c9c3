// What can be done with something that waits: try again, take back, send earlier or later.

import { call } from '../host.ts';
import { complain, say } from '../parts/Said.tsx';
import { t } from '../words/texts.ts';

export const retry = (id: string) =>
  call('outbox.retry', { id }).then((isQueued) => say(t(isQueued ? 'outbox.triedAgain' : 'outbox.gone')), complain);

export const takeBack = (id: string) =>
  call('outbox.take_back', { id }).then((isTaken) => say(t(isTaken ? 'outbox.takenBack' : 'outbox.gone')), complain);

export const move = (id: string, by: 'up' | 'down') => call('outbox.move', { id, by }).catch(complain);
