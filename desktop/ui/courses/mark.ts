// Reports to the server that a module item was viewed or marked as done.

import type { Given } from '../../contract/channels.ts';
import { t } from '../../language/texts.ts';
import { call } from '../host.ts';
import { complain, say } from '../parts/Said.tsx';

type Item = Omit<Given<'module.mark'>, 'as'>;

const mark = (item: Item, as: Given<'module.mark'>['as']) => call('module.mark', { ...item, as });

export const markViewed = (item: Item) => void mark(item, 'viewed').catch(() => undefined);

export async function markDone(item: Item, title: string, done: boolean) {
  const set = (value: boolean) => mark(item, value ? 'done' : 'not done');
  try {
    await set(done);
    say(t(done ? 'mark.done' : 'mark.notDone', { title }), () => void set(!done).catch(complain));
  } catch (failure) {
    complain(failure);
  }
}
