// UI components of the screens.

import { type ApiResponse, Refusal, requestJson } from './api';
import { appendChildren, type Child, h, newId } from './dom';

const minute = 60_000;
const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', year: 'numeric' });
const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });
const amounts = new Intl.NumberFormat();

export const amount = (value: number): string => amounts.format(value);
export const hourOf = (at: string): string => clock.format(new Date(at));

/** A short date; the full date as tooltip. */
export function timeElement(at: string | null | undefined): Child {
  if (!at) return h('span', { class: 'quiet' }, '–');
  const then = new Date(at);
  const ago = Math.floor((Date.now() - then.getTime()) / minute);
  const said =
    ago < 0
      ? day.format(then)
      : ago < 1
        ? 'just now'
        : ago < 60
          ? `${ago} min ago`
          : ago < 24 * 60
            ? `${Math.floor(ago / 60)} h ago`
            : day.format(then);
  return h('time', { datetime: at, title: `${day.format(then)}, ${clock.format(then)}` }, said);
}

export type ConsoleTone = 'good' | 'bad' | 'busy' | 'still';
export const tag = (words: string, tone: ConsoleTone = 'still'): HTMLElement => h('span', { class: `tag ${tone}` }, words);

/** Turns `course_batch_update` into words. */
export const sentenceCase = (name: string): string => (name.charAt(0).toUpperCase() + name.slice(1)).replaceAll('_', ' ');

/** Announces a message on screen and to screen readers. */
export function showStatus(words: string): void {
  const place = document.getElementById('said');
  if (!place) return;
  place.replaceChildren(words);
  place.classList.add('shown');
  setTimeout(() => {
    if (place.textContent === words) place.classList.remove('shown');
  }, 6000);
}

export const errorText = (error: unknown): string =>
  error instanceof Refusal ? error.message : `Something went wrong on this page: ${String(error)}. Reload it.`;

export const trouble = (error: unknown, again?: () => void): HTMLElement =>
  h('div', { class: 'notice bad', role: 'alert' }, h('p', {}, errorText(error)), again && button('Try again', again));

export const blank = (title: string, words: string, ...more: Child[]): HTMLElement =>
  h('div', { class: 'blank' }, h('p', { class: 'title' }, title), h('p', {}, words), more);

/** A button that is busy during its action, and shows an error next to itself. */
export function button(
  label: string,
  work: () => unknown,
  { kind = 'plain', name }: { kind?: string; name?: string } = {},
): HTMLButtonElement {
  const one: HTMLButtonElement = h('button', { type: 'button', class: kind, 'aria-label': name, onclick: act }, label);
  async function act(): Promise<void> {
    one.disabled = true;
    try {
      await work();
    } catch (error) {
      showStatus(errorText(error));
    } finally {
      one.disabled = false;
    }
  }
  return one;
}

interface Field {
  readonly name: string;
  readonly label: string;
  readonly type?: 'text' | 'area' | 'email' | 'password' | 'search' | 'file' | 'checkbox' | 'date' | 'datetime-local';
  readonly value?: string;
  readonly hint?: string;
  readonly required?: boolean;
  readonly options?: readonly (readonly [value: string, label: string])[];
  readonly more?: Readonly<Record<string, unknown>>;
}

export function field({ name, label, type = 'text', value, hint, required, options, more }: Field): HTMLElement {
  const [id, hintId] = [newId(), newId()];
  const described = hint ? hintId : undefined;
  const given = { id, name, required, 'aria-describedby': described, ...more };
  const input = options
    ? h(
        'select',
        given,
        options.map(([word, shown]) => h('option', { value: word, selected: word === value }, shown)),
      )
    : type === 'area'
      ? h('textarea', { ...given, rows: 4, spellcheck: 'false' }, value)
      : h('input', {
          ...given,
          type,
          value: type === 'checkbox' ? '1' : value,
          checked: type === 'checkbox' && value === '1',
          autocomplete: 'off',
        });
  const words = h('label', { for: id }, label, required && h('span', { class: 'quiet' }, ' (required)'));
  return h(
    'div',
    { class: type === 'checkbox' ? 'field check' : 'field' },
    type === 'checkbox' ? [input, words] : [words, input],
    hint && h('p', { id: hintId, class: 'hint' }, hint),
  );
}

type Values = Readonly<Record<string, string>>;

/** A form that shows errors next to its fields. */
export function form(
  fields: readonly Child[],
  label: string,
  submit: (values: Values, data: FormData) => unknown,
  beside: Child = null,
): HTMLFormElement {
  const wrong = h('div', { class: 'wrong', role: 'alert' });
  const go = h('button', { class: 'main' }, label);
  const one: HTMLFormElement = h(
    'form',
    {
      async onsubmit(event: Event) {
        event.preventDefault();
        wrong.replaceChildren();
        go.disabled = true;
        const data = new FormData(one);
        try {
          await submit(Object.fromEntries([...data].map(([name, value]) => [name, typeof value === 'string' ? value.trim() : ''])), data);
        } catch (error) {
          wrong.replaceChildren(errorText(error));
        } finally {
          go.disabled = false;
        }
      },
    },
    fields,
    wrong,
    h('div', { class: 'row' }, go, beside),
  );
  return one;
}

/** A native dialog, which handles focus and Escape. */
export function dialog(title: string, content: (close: () => void) => Child): void {
  const id = newId();
  const one: HTMLDialogElement = h('dialog', { 'aria-labelledby': id, onclose: () => one.remove() });
  appendChildren(one, [h('h2', { id }, title), content(() => one.close())]);
  document.body.append(one);
  one.showModal();
}

/** Asks for confirmation before actions that affect others. */
export const confirmed = (title: string, words: string, label: string, work: () => Promise<unknown>): void =>
  dialog(title, (close) => [
    h('p', {}, words),
    form(
      [],
      label,
      async () => {
        await work();
        close();
      },
      button('Cancel', close),
    ),
  ]);

export const factList = (...given: (readonly [string, Child])[]): HTMLElement =>
  h(
    'dl',
    { class: 'facts' },
    given.map(([name, value]) => h('div', {}, h('dt', {}, name), h('dd', {}, value || h('span', { class: 'quiet' }, '–')))),
  );

export function dataTable(label: string, heads: readonly string[], rows: readonly Child[]): { whole: HTMLElement; body: HTMLElement } {
  const body = h('tbody', {}, rows);
  const [first] = rows;
  const isNumber = (at: number) => first instanceof HTMLElement && first.children[at]?.classList.contains('number');
  const head = h(
    'tr',
    {},
    heads.map((words, at) =>
      h('th', { scope: 'col', class: isNumber(at) && 'number' }, words === '' ? h('span', { class: 'unseen' }, 'Actions') : words),
    ),
  );
  return {
    whole: h('div', { class: 'scroll', role: 'region', 'aria-label': label, tabindex: 0 }, h('table', {}, h('thead', {}, head), body)),
    body,
  };
}

interface Listing<T> {
  readonly label: string;
  readonly heads: readonly string[];
  readonly row: (item: T) => Child;
  readonly empty: () => HTMLElement;
  /** The key of the list in a wrapped response. */
  readonly within?: string;
  readonly signal: AbortSignal;
}

/** A list with a button to load more. */
export async function listing<T>(path: string, { label, heads, row, empty, within, signal }: Listing<T>): Promise<HTMLElement> {
  const read = async (address: string): Promise<ApiResponse<T[]>> => {
    const { json, next } = await requestJson<T[] | Record<string, T[]>>('GET', address, undefined, signal);
    const found = within ? ((json as Record<string, T[]>)[within] ?? []) : (json as T[]);
    // A page of a search may be empty although the list continues.
    return found.length === 0 && next ? read(next) : { json: found, next };
  };
  let { json, next } = await read(path);
  if (json.length === 0) return empty();
  const { whole, body } = dataTable(label, heads, json.map(row));
  const more = button('Show more', async () => {
    if (!next) return;
    ({ json, next } = await read(next));
    appendChildren(body, json.map(row));
    more.hidden = !next;
    showStatus(`${json.length} more`);
  });
  more.hidden = !next;
  return h('div', {}, whole, h('div', { class: 'row' }, more));
}

/** A section that loads by itself, so that an error does not affect the others. */
export function part(title: string, read: () => Promise<Child>, beside: Child = null): HTMLElement {
  const inside = h('div', {}, h('p', { class: 'quiet' }, 'Loading …'));
  const again = async (): Promise<void> => {
    try {
      const content = await read();
      inside.replaceChildren();
      appendChildren(inside, [content]);
    } catch (error) {
      inside.replaceChildren(trouble(error, () => void again()));
    }
  };
  void again();
  const one = h('section', {}, h('div', { class: 'heading' }, h('h2', {}, title), beside), inside);
  one.addEventListener('changed', () => void again());
  return one;
}

export const notifyChanged = (one: Element): boolean => one.dispatchEvent(new Event('changed'));

export const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));
