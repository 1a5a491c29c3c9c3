// The participants of a conversation in one line.

import { inLocale, t } from '../../language/texts.ts';

const most = 3;
const both = inLocale((locale) => new Intl.ListFormat(locale, { type: 'conjunction' }));

export const peopleNames = (people: readonly string[]): string =>
  people.length <= most
    ? both().format(people)
    : both().format([...people.slice(0, most - 1), t('inbox.others', { count: people.length - most + 1 })]);
