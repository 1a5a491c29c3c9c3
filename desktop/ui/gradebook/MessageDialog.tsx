// Whom a message about an assignment is for; then the message itself, which everyone gets alone.

import { useState } from 'react';
import type { PersonCard } from '../../contract/conversations.ts';
import type { GradebookColumn } from '../../contract/gradebook.ts';
import { type MessageKey, t } from '../../language/texts.ts';
import { Compose } from '../inbox/Compose.tsx';
import { Dialog } from '../parts/Dialog.tsx';
import type { Book } from './book.ts';
import { studentsWho, type WhoKind, whoKinds } from './who.ts';

const words: Readonly<Record<WhoKind, MessageKey>> = {
  'not submitted': 'message.notSubmitted',
  missing: 'message.missing',
  'not graded': 'message.notGraded',
  below: 'message.below',
  above: 'message.above',
  everyone: 'message.everyone',
};

interface Given {
  readonly book: Book;
  readonly column: GradebookColumn;
  readonly onClose: () => void;
}

export function MessageDialog({ book, column, onClose }: Given) {
  const [kind, setKind] = useState<WhoKind>('not submitted');
  const [limit, setLimit] = useState('');
  const [without, setWithout] = useState<ReadonlySet<number>>(new Set());
  const [to, setTo] = useState<readonly PersonCard[] | null>(null);
  const { course_id } = book.view;
  const score = /^-?\d*[.,]?\d+$/.test(limit.trim()) ? Number(limit.trim().replace(',', '.')) : null;
  const found = studentsWho(book, column, kind, score);
  const chosen = found.filter(({ user_id }) => !without.has(user_id));
  const toggle = (id: number) =>
    setWithout((before) => new Set(before.has(id) ? [...before].filter((one) => one !== id) : [...before, id]));
  if (to) return <Compose to={to} about={{ subject: column.title, course_id }} isSeparate onClose={onClose} />;
  return (
    <Dialog title={t('message.who')} onClose={onClose}>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          if (chosen.length > 0) setTo(chosen.map(({ user_id, name }) => ({ id: user_id, name })));
        }}
      >
        <label>
          <span>
            <bdi>{column.title}</bdi>
          </span>
          <select data-first value={kind} onChange={({ target }) => setKind(whoKinds.find((one) => one === target.value) ?? kind)}>
            {whoKinds.map((one) => (
              <option key={one} value={one}>
                {t(words[one])}
              </option>
            ))}
          </select>
        </label>
        {(kind === 'below' || kind === 'above') && (
          <label>
            <span>{t('message.limit')}</span>
            <input inputMode="decimal" autoComplete="off" value={limit} onChange={({ target }) => setLimit(target.value)} />
          </label>
        )}
        <fieldset className="message-people">
          <legend>{t('message.count', { count: chosen.length })}</legend>
          {found.map(({ user_id, name }) => (
            <label key={user_id} className="check">
              <input type="checkbox" checked={!without.has(user_id)} onChange={() => toggle(user_id)} />
              <bdi>{name}</bdi>
            </label>
          ))}
        </fieldset>
        <footer>
          <span className="spring" />
          <button type="button" className="quiet" onClick={onClose}>
            {t('cancel')}
          </button>
          <button type="submit" className="primary" disabled={chosen.length === 0}>
            {t('message.write')}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}
