// The parts around the pages of a PDF: table of contents, search field and password prompt.

import { type FormEvent, type KeyboardEvent, type RefObject, useId, useState } from 'react';
import { t } from '../../language/texts.ts';
import { Find } from '../parts/Find.tsx';
import type { MatchPosition, OutlineItem } from './document.ts';

export const PdfOutline = ({ of, follow }: { of: readonly OutlineItem[]; follow: (item: OutlineItem) => void }) => (
  <nav className="pdf-contents" aria-label={t('pdf.contents')}>
    <Level of={of} follow={follow} />
  </nav>
);

const Level = ({ of, follow }: { of: readonly OutlineItem[]; follow: (item: OutlineItem) => void }) => (
  <ul>
    {of.map((item, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: an outline never changes, and titles repeat
      <li key={at}>
        <button type="button" className="as-link" onClick={() => follow(item)}>
          {item.title}
        </button>
        {item.items.length > 0 && <Level of={item.items} follow={follow} />}
      </li>
    ))}
  </ul>
);

interface Finding {
  readonly field: RefObject<HTMLInputElement | null>;
  readonly words: string;
  readonly setWords: (words: string) => void;
  readonly found: MatchPosition | null;
  readonly find: (words: string, way?: 'next' | 'back') => void;
}

export function Finder({ field, words, setWords, found, find }: Finding) {
  const look = (given: string) => {
    setWords(given);
    find(given);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && words !== '') find(words, event.shiftKey ? 'back' : 'next');
    else if (event.key === 'Escape' && words !== '') look('');
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <search className="pdf-find">
      <Find says={t('pdf.find')} value={words} onChange={look} field={field} onKeyDown={onKeyDown} />
      <small role="status">{found && t('pdf.found', { at: found.at, of: found.of })}</small>
    </search>
  );
}

export function Password({ isWrong, give }: { isWrong: boolean; give: (password: string) => void }) {
  const [password, setPassword] = useState('');
  const id = useId();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    give(password);
  };
  return (
    <form className="pdf-password" onSubmit={submit}>
      <p>{t(isWrong ? 'pdf.wrongPassword' : 'pdf.asksPassword')}</p>
      <label htmlFor={id}>{t('pdf.password')}</label>
      <input id={id} type="password" autoComplete="off" value={password} onChange={({ target }) => setPassword(target.value)} />
      <button type="submit" className="primary" disabled={password === ''}>
        {t('pdf.open')}
      </button>
    </form>
  );
}
