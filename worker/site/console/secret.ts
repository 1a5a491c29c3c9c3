// Shows a secret once: a token or a key's secret.

import { type Child, h } from './dom';
import { button, dialog, showStatus } from './parts';

/** @param words what the secret gives access to */
export function shownOnce(name: string, words: Child, secret: string, beside: Child = null): void {
  dialog('Copy it now', (done) => [
    h('p', {}, words),
    beside,
    h('input', {
      class: 'code secret',
      readonly: true,
      value: secret,
      'aria-label': name,
      onfocus: (event: FocusEvent) => (event.target as HTMLInputElement).select(),
    }),
    h(
      'div',
      { class: 'row' },
      button(
        'Copy',
        async () => {
          await navigator.clipboard.writeText(secret);
          showStatus('Copied');
        },
        { kind: 'main' },
      ),
      button('Done', done),
    ),
  ]);
}
