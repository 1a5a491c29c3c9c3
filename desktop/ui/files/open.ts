// A file of the course opens from the study folder, in a window of its own.

import { call } from '../host.ts';
import { complain, say } from '../parts/Said.tsx';
import { t } from '../words/texts.ts';

export async function openFile(id: number) {
  const found = await call('file.open', { id }).catch(complain);
  if (found) void call('reader.seen', { kind: 'file', id }).catch(() => undefined);
  if (found?.url) window.open(found.url, '_blank', 'noopener');
  else if (found === null) say(t('files.notYetHere'));
}
