// Adds one event or due date to the system's calendar program: Electron opens the file, a browser saves it.

import type { CalendarItem } from '../../contract/calendar.ts';
import { t } from '../../language/texts.ts';
import { call } from '../host.ts';
import { Icon } from '../parts/Icon.tsx';
import { complain, showToast } from '../parts/Toast.tsx';

/** The browser has read it by then. */
const whileSaving = 10_000;

function save(name: string, text: string) {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/calendar' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), whileSaving);
}

async function add(item: CalendarItem) {
  try {
    const file = await call('calendar.file', item);
    if (!file) return showToast(t('calendar.noDate'));
    if (file.opened) return showToast(t('calendar.opened'));
    save(file.name, file.text);
    showToast(t('calendar.saved', { name: file.name }));
  } catch (failure) {
    complain(failure);
  }
}

export const AddToCalendar = ({ item, title }: { item: CalendarItem; title: string }) => (
  <button
    type="button"
    className="quiet icon-only add-to-calendar"
    aria-label={t('calendar.addOf', { title })}
    title={t('calendar.add')}
    onClick={() => void add(item)}
  >
    <Icon name="eventAdd" />
  </button>
);
