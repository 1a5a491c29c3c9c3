// Actions on an outbox item: try again, undo, send earlier or later.

import { t } from '../../language/texts.ts';
import { call } from '../host.ts';
import { complain, showToast } from '../parts/Toast.tsx';

export const retry = (id: string) =>
  call('outbox.retry', { id }).then((isQueued) => showToast(t(isQueued ? 'outbox.triedAgain' : 'outbox.gone')), complain);

/** @param isWritten its text becomes a draft again where it was written */
export const cancelIntent = (id: string, isWritten: boolean) =>
  call('outbox.take_back', { id }).then(
    (isTaken) => showToast(t(!isTaken ? 'outbox.gone' : isWritten ? 'outbox.takenBackWords' : 'outbox.takenBack')),
    complain,
  );

export const moveIntent = (id: string, by: 'up' | 'down') => call('outbox.move', { id, by }).catch(complain);
