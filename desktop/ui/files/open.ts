// Opens a course file in the system's program for it; in a browser, in a new window.

import { t } from '../../language/texts.ts';
import { call } from '../host.ts';
import { complain, showToast } from '../parts/Toast.tsx';

export async function openElsewhere(id: number) {
  const found = await call('file.open', { id }).catch(complain);
  if (found) void call('reader.seen', { kind: 'file', id }).catch(() => undefined);
  if (found?.url) window.open(found.url, '_blank', 'noopener');
  else if (found === null) showToast(t('files.notYetHere'));
}

/** Shows the file in its folder, or shows its path where that is not possible. */
export async function revealFile(id: number) {
  const found = await call('file.open', { id }).catch(() => null);
  try {
    await call('file.reveal', { id });
    showToast(found ? t('files.shownAt', { path: found.path }) : t('files.shown'));
  } catch (failure) {
    if (found) showToast(t('files.isAt', { path: found.path }));
    else complain(failure);
  }
}
