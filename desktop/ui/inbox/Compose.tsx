// A new message to people known here or found on the server. It waits in the outbox until the next sync.

import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { PersonCard } from '../../contract/conversations.ts';
import type { WritingPlace } from '../../contract/writing.ts';
import { t } from '../../language/texts.ts';
import { call } from '../host.ts';
import { useLive } from '../live.ts';
import { Dialog } from '../parts/Dialog.tsx';
import { useSettled } from '../parts/settled.ts';
import { showToast } from '../parts/Toast.tsx';
import { Discard } from '../writing/Discard.tsx';
import { useWriting } from '../writing/useWriting.ts';
import { Hanging } from './Hanging.tsx';

/** The most suggestions: a longer list would need scrolling. */
const most = 8;
/** Milliseconds: waits for a pause in typing. */
const pause = 300;
const plain = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

interface Props {
  readonly to?: readonly PersonCard[];
  /** The draft's key: the place where it was started, else its recipients. */
  readonly place?: Extract<WritingPlace, { kind: 'new letter' }>;
  /** What the message begins with, unless there is a draft. */
  readonly about?: { readonly subject: string; readonly course_id: number };
  /** At first everyone gets it alone. */
  readonly isSeparate?: boolean;
  readonly onClose: () => void;
}

export function Compose(given: Props) {
  const { to: first = [], about, isSeparate = false, onClose } = given;
  const { place = { kind: 'new letter', to: first.map(({ id }) => id) } } = given;
  const [individually, setIndividually] = useState(isSeparate);
  const people = useLive('inbox', 'inbox.people');
  const courses = useLive('courses', 'courses.list');
  const { words, change, settle, discard, isBegun } = useWriting(place, {
    text: '',
    title: about?.subject ?? '',
    to: first,
    course_id: about?.course_id ?? null,
    files: [],
  });
  const [failure, setFailure] = useState<string | null>(null);
  const { to = [], text, title: subject = '', course_id = null, files = [] } = words;
  const send = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (to.length === 0) return setFailure(t('compose.nobody'));
    if (text.trim() === '') return setFailure(t('compose.nothing'));
    try {
      await settle();
      await call('inbox.compose', {
        to,
        subject,
        text,
        course_id,
        files,
        ...(to.length > 1 && individually && { individually }),
        finished: place,
      });
      showToast(t('compose.isWaiting'));
      onClose();
    } catch (reason) {
      setFailure(reason instanceof Error ? reason.message : String(reason));
    }
  };
  return (
    <Dialog title={t('compose.title')} onClose={onClose}>
      <form className="form" onSubmit={(event) => void send(event)}>
        {failure && (
          <p className="form-failure" role="alert">
            {failure}
          </p>
        )}
        <Recipients people={people.value ?? []} to={to} setTo={(to) => change({ to })} />
        {to.length > 1 && (
          <label className="check">
            <input type="checkbox" checked={individually} onChange={({ target }) => setIndividually(target.checked)} />
            <span>{t('compose.individually')}</span>
          </label>
        )}
        <label>
          <span>{t('compose.subject')}</span>
          <input autoComplete="off" maxLength={255} value={subject} onChange={({ target }) => change({ title: target.value })} />
        </label>
        <label>
          <span>{t('course')}</span>
          <select
            value={course_id ?? ''}
            onChange={({ target }) => change({ course_id: target.value === '' ? null : Number(target.value) })}
          >
            <option value="">{t('compose.noCourse')}</option>
            {courses.value
              ?.filter(({ id }) => id > 0)
              .map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
          </select>
        </label>
        <label>
          <span>{t('compose.text')}</span>
          <textarea rows={6} value={text} onChange={({ target }) => change({ text: target.value })} />
        </label>
        <Hanging files={files} takes="many" setFiles={(chosen) => change(({ files: before = [] }) => ({ files: chosen(before) }))} />
        <p className="soft">
          <small>{t('send.later')}</small>
        </p>
        <footer>
          {isBegun && <Discard discard={discard} onClose={onClose} />}
          <span className="spring" />
          <button type="button" className="quiet" onClick={onClose}>
            {t(isBegun ? 'writing.later' : 'cancel')}
          </button>
          <button type="submit" className="primary">
            {t('send')}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}

interface Choosing {
  readonly people: readonly PersonCard[];
  readonly to: readonly PersonCard[];
  readonly setTo: (to: readonly PersonCard[]) => void;
}

function Recipients({ people, to, setTo }: Choosing) {
  const [text, setText] = useState('');
  const [others, setOthers] = useState<readonly PersonCard[]>([]);
  useEffect(() => {
    let isLatest = true;
    // When the server cannot be reached, only people known here are found.
    const ask = () =>
      call('inbox.find', { text }).then(
        (found) => isLatest && setOthers(found),
        () => undefined,
      );
    const timer = setTimeout(() => void ask(), pause);
    return () => {
      isLatest = false;
      clearTimeout(timer);
    };
  }, [text]);
  const wanted = plain(text.trim());
  const isChosen = ({ id }: PersonCard) => to.some((one) => one.id === id);
  const known = new Set(people.map(({ id }) => id));
  const found = [...people.filter((one) => plain(one.name).includes(wanted)), ...others.filter(({ id }) => !known.has(id))].filter(
    (one) => !isChosen(one),
  );
  const field = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const says = useSettled(t('compose.found', { count: found.length }), 2 * pause);
  // Arrow keys move through the suggestions without leaving the field.
  const choose = (next: readonly PersonCard[]) => {
    setTo(next);
    setText('');
    field.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const [first] = found;
    if (event.key === 'ArrowDown') list.current?.querySelector('button')?.focus();
    else if (event.key !== 'Enter') return;
    // Enter picks the first suggestion; it never sends the message.
    else if (first && wanted !== '') choose([...to, first]);
    event.preventDefault();
  };
  const walk = (event: KeyboardEvent<HTMLUListElement>) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    const names = [...event.currentTarget.querySelectorAll('button')];
    (names[names.indexOf(document.activeElement as HTMLButtonElement) + by] ?? (by < 0 ? field.current : null))?.focus();
  };
  return (
    <fieldset className="recipients">
      <legend>{t('compose.to')}</legend>
      {to.length > 0 && (
        <ul>
          {to.map((one) => (
            <li key={one.id}>
              <button
                type="button"
                aria-label={t('compose.without', { name: one.name })}
                onClick={() => choose(to.filter(({ id }) => id !== one.id))}
              >
                <bdi>{one.name}</bdi> <span aria-hidden="true">{'×'}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      <input
        ref={field}
        data-first
        type="search"
        aria-label={t('compose.find')}
        placeholder={t('compose.find')}
        autoComplete="off"
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <p className="sr-only" role="status">
        {text.trim() !== '' && says}
      </p>
      <ul aria-label={t('compose.people')} ref={list} onKeyDown={walk}>
        {found.slice(0, most).map((one) => (
          <li key={one.id}>
            <button type="button" className="quiet" onClick={() => choose([...to, one])}>
              <bdi>{one.name}</bdi>
            </button>
          </li>
        ))}
      </ul>
      {people.length + others.length === 0 && <small>{t('compose.noPeople')}</small>}
      {people.length + others.length > 0 && found.length === 0 && <small>{t('compose.noneMatch')}</small>}
      {found.length > most && <small>{t('compose.more', { count: found.length - most })}</small>}
    </fieldset>
  );
}
