// The text of a notification, and the address it opens.

import type { Saying } from '../../contract/news.ts';
import { moment } from '../../language/dates.ts';
import { newsWords } from '../../language/news.ts';
import { t } from '../../language/texts.ts';
import { addressOfReading } from '../routes.ts';
import { newsAddress } from './address.ts';

export interface SaidNotice {
  readonly title: string;
  readonly body: string;
  readonly address: string;
  /** A later notification with the same tag replaces the earlier one. */
  readonly tag: string;
}

const mostLines = 4;
const today = '#/today';

export function notificationText({ account, notice }: Saying): SaidNotice {
  const whose = account.shown ? [] : [account.name];
  const body = (...lines: readonly (string | null)[]) => [...lines.filter((line) => line !== null), ...whose].join('\n');
  if (notice.of === 'due') {
    const { assignment_id, course_id, title, course_name, due_at } = notice.due;
    return {
      title,
      body: body(t('notice.due', { when: moment(due_at) }), course_name),
      address: addressOfReading({ kind: 'assignment', course_id, id: assignment_id }),
      tag: `carrel-due-${account.id}-${assignment_id}`,
    };
  }
  if (notice.of === 'several') {
    const { items, quiet } = notice;
    const shown = items.slice(0, items.length > mostLines ? mostLines - 1 : mostLines);
    const more = items.length - shown.length;
    return {
      title: quiet ? t('notice.severalQuiet', { count: items.length }) : t('notice.several', { count: items.length }),
      body: body(...shown.map((item) => `${item.title}: ${newsWords(item)}`), more > 0 ? t('news.andMore', { count: more }) : null),
      address: today,
      tag: `carrel-several-${account.id}-${items.at(-1)?.id}`,
    };
  }
  const { item } = notice;
  return {
    title: item.title || t('inbox.noSubject'),
    body: body(newsWords(item), item.words),
    address: newsAddress(item) ?? today,
    tag: `carrel-${account.id}-${item.id}`,
  };
}
