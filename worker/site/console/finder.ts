// A search field with results: queries shortly after the last key press, and shows only the latest response.

import { type Child, h } from './dom';
import { blank, trouble } from './parts';
import { rememberQuery, type ScreenContext } from './place';

interface Finder {
  readonly label: string;
  readonly placeholder: string;
  /** An additional filter; a change repeats the search. */
  readonly narrowed?: (look: () => void) => HTMLSelectElement;
  readonly narrowedLabel?: string;
  /** Content next to the fields. */
  readonly beside?: Child;
  /** @param again repeats the search */
  readonly find: (term: string, narrowed: string, again: () => void) => Promise<HTMLElement>;
}

export async function finder(
  { query, signal }: Pick<ScreenContext, 'query' | 'signal'>,
  { label, placeholder, narrowed, narrowedLabel = '', beside, find }: Finder,
): Promise<Child> {
  const found = h('div', { 'aria-live': 'polite' });
  const search = h('input', {
    type: 'search',
    id: 'search',
    name: 'search',
    value: query.get('search') ?? '',
    autocomplete: 'off',
    placeholder,
  });
  const choice = narrowed?.(() => void look());
  let asked = 0;
  async function look(): Promise<void> {
    const term = search.value.trim();
    rememberQuery({ search: term, ...(choice && { [choice.id]: choice.value }) });
    asked += 1;
    const mine = asked;
    if (term.length === 1) {
      found.replaceChildren(blank('Search term too short', 'Enter at least two characters.'));
      return;
    }
    const again = () => void look();
    const list = await find(term, choice?.value ?? '', again).catch((error: unknown) => (signal.aborted ? h('p') : trouble(error, again)));
    if (mine === asked) found.replaceChildren(list);
  }
  let timer: ReturnType<typeof setTimeout> | undefined;
  search.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(() => void look(), 250);
  });
  await look();
  return [
    h(
      'div',
      { class: 'bar' },
      h('div', { class: 'field grows' }, h('label', { for: 'search' }, label), search),
      choice && h('div', { class: 'field' }, h('label', { for: choice.id }, narrowedLabel), choice),
      beside,
    ),
    found,
  ];
}
