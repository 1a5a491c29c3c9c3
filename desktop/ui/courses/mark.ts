// Reports to the server that a module item was viewed or marked as done.

import type { ChannelParams } from '../../contract/channels.ts';
import { t } from '../../language/texts.ts';
import { call } from '../host.ts';
import { complain, showToast } from '../parts/Toast.tsx';

type Item = Omit<ChannelParams<'module.mark'>, 'as'>;

const mark = (item: Item, as: ChannelParams<'module.mark'>['as']) => call('module.mark', { ...item, as });

export const markViewed = (item: Item) => void mark(item, 'viewed').catch(() => undefined);

export async function markItemDone(item: Item, title: string, done: boolean) {
  const set = (value: boolean) => mark(item, value ? 'done' : 'not done');
  try {
    await set(done);
    showToast(t(done ? 'mark.done' : 'mark.notDone', { title }), () => void set(!done).catch(complain));
  } catch (failure) {
    complain(failure);
  }
}
