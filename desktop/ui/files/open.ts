// A file of the course in the program that the system has for it; in a browser, in a window of its own.

import { call } from '../host.ts';
import { complain, say } from '../parts/Said.tsx';
import { t } from '../words/texts.ts';

export async function openElsewhere(id: number) {
  const found = await call('file.open', { id }).catch(complain);
  if (found) void call('reader.seen', { kind: 'file', id }).catch(() => undefined);
  if (found?.url) window.open(found.url, '_blank', 'noopener');
  else if (found === null) say(t('files.notYetHere'));
}

/** Shows where it lies, or says it where nothing can show it. */
export async function revealFile(id: number) {
  const found = await call('file.open', { id }).catch(() => null);
  try {
    await call('file.reveal', { id });
    say(found ? t('files.shownAt', { path: found.path }) : t('files.shown'));
  } catch (failure) {
    if (found) say(t('files.isAt', { path: found.path }));
    else complain(failure);
  }
}
