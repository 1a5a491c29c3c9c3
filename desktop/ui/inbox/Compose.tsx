// A new message, to people that the desk has heard of, or that the server names. It waits in the outbox until there is a server.

import { type FormEvent, useEffect, useState } from 'react';
import { call } from '../host.ts';
import { useLive } from '../live.ts';
import { Dialog } from '../parts/Dialog.tsx';
import { say } from '../parts/Said.tsx';
import type { LetterFile, PersonCard } from '../views/letters.ts';
import { t } from '../words/texts.ts';
import { Hanging } from './Hanging.tsx';

/** More would be a list to scroll, not to choose from. */
const most = 8;
/** A pause in typing. */
const pause = 300;
const plain = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

export function Compose({ to: first = [], onClose }: { to?: readonly PersonCard[]; onClose: () => void }) {
  const people = useLive('inbox', 'inbox.people');
  const courses = useLive('courses', 'courses.list');
  const [to, setTo] = useState<readonly PersonCard[]>(first);
  const [files, setFiles] = useState<readonly LetterFile[]>([]);
  const [failure, setFailure] = useState<string | null>(null);
  const send = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const text = String(form.get('text'));
    if (to.length === 0) return setFailure(t('compose.nobody'));
    if (text.trim() === '') return setFailure(t('compose.nothing'));
    try {
      const course_id = Number(form.get('course')) || null;
      await call('inbox.compose', { to, subject: String(form.get('subject')), text, course_id, files });
      say(t('compose.isWaiting'));
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
        <Recipients people={people.value ?? []} to={to} setTo={setTo} />
        <label>
          <span>{t('compose.subject')}</span>
          <input name="subject" autoComplete="off" maxLength={255} />
        </label>
        <label>
          <span>{t('course')}</span>
          <select name="course">
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
          <textarea name="text" rows={6} />
        </label>
        <Hanging files={files} setFiles={setFiles} />
        <p className="soft">
          <small>{t('send.later')}</small>
        </p>
        <footer>
          <span className="spring" />
          <button type="button" className="quiet" onClick={onClose}>
            {t('cancel')}
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
    // Whoever cannot be asked for is not found: those that are known here are.
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
  return (
    <fieldset className="recipients">
      <legend>{t('compose.to')}</legend>
      <ul>
        {to.map((one) => (
          <li key={one.id}>
            <button
              type="button"
              aria-label={t('compose.without', { name: one.name })}
              onClick={() => setTo(to.filter(({ id }) => id !== one.id))}
            >
              <bdi>{one.name}</bdi> <span aria-hidden="true">{'×'}</span>
            </button>
          </li>
        ))}
      </ul>
      <input
        data-first
        type="search"
        aria-label={t('compose.find')}
        placeholder={t('compose.find')}
        autoComplete="off"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <ul aria-label={t('compose.people')}>
        {found.slice(0, most).map((one) => (
          <li key={one.id}>
            <button type="button" className="quiet" onClick={() => setTo([...to, one])}>
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
