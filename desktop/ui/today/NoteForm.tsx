// Adds, edits and deletes a planner note. It is saved here at once and sent with the next sync.

import { wireTime } from '@carrel/shared/wire/clock';
import { type FormEvent, useState } from 'react';
import type { DatedEntry } from '../../contract/planner.ts';
import type { Unfinished, WritingPlace } from '../../contract/writing.ts';
import { dayOf } from '../../language/dates.ts';
import { t } from '../../language/texts.ts';
import { call } from '../host.ts';
import { useLive } from '../live.ts';
import { Dialog } from '../parts/Dialog.tsx';
import { complain, showToast } from '../parts/Toast.tsx';
import { Discard } from '../writing/Discard.tsx';
import { useWriting } from '../writing/useWriting.ts';

/** The note to edit, or the day of a new one. */
export type NoteDraft = { readonly note: DatedEntry; readonly day?: undefined } | { readonly note?: undefined; readonly day: string };

const clock = (at: Date) => `${String(at.getHours()).padStart(2, '0')}:${String(at.getMinutes()).padStart(2, '0')}`;

const written = ({ title = '', text, day = '', time, course_id = null }: Unfinished) => ({
  title: title.trim(),
  details: text.trim() || null,
  todo_date: wireTime(new Date(`${day}T${time || '23:59'}`)),
  course_id,
});

/** The values before any edit. */
function asItIs({ note, day }: NoteDraft): Unfinished {
  if (!note) return { title: '', text: '', day, time: '17:00', course_id: null };
  const at = new Date(note.date);
  return { title: note.title, text: note.details ?? '', day: dayOf(at), time: clock(at), course_id: note.course_id };
}

async function remove(note: DatedEntry) {
  await call('note.delete', { id: note.plannable_id });
  const { title, details, date: todo_date, course_id } = note;
  showToast(t('note.deleted', { title }), () => void call('note.create', { title, details, todo_date, course_id }).catch(complain));
}

export function NoteForm({ draft, onClose }: { draft: NoteDraft; onClose: () => void }) {
  const courses = useLive('courses', 'courses.list');
  const [failure, setFailure] = useState<string | null>(null);
  const { note } = draft;
  const place: WritingPlace = { kind: 'note', id: note?.plannable_id ?? null };
  const { words, change, settle, discard, isBegun } = useWriting(place, asItIs(draft));
  const finish = async (doing: Promise<unknown>, saying?: string) => {
    try {
      await doing;
      if (saying) showToast(saying);
      onClose();
    } catch (reason) {
      setFailure(reason instanceof Error ? reason.message : String(reason));
    }
  };
  const save = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const given = { ...written(words), finished: place };
    if (!given.title) return setFailure(t('note.needsTitle'));
    const { title } = given;
    if (note)
      void finish(
        settle().then(() => call('note.update', { id: note.plannable_id, ...given })),
        t('note.changed', { title }),
      );
    else
      void finish(
        settle().then(() => call('note.create', given)),
        t('note.noted', { title }),
      );
  };
  return (
    <Dialog title={t(note ? 'note.change' : 'note.add')} onClose={onClose}>
      <form className="form" onSubmit={save}>
        {failure && (
          <p className="form-failure" role="alert">
            {failure}
          </p>
        )}
        <label>
          <span>{t('note.what')}</span>
          <input
            name="title"
            data-first
            required
            value={words.title ?? ''}
            onChange={({ target }) => change({ title: target.value })}
            autoComplete="off"
            maxLength={255}
          />
        </label>
        <div className="form-row">
          <label>
            <span>{t('note.day')}</span>
            <input type="date" name="day" required value={words.day ?? ''} onChange={({ target }) => change({ day: target.value })} />
          </label>
          <label>
            <span>{t('note.time')}</span>
            <input type="time" name="time" value={words.time ?? ''} onChange={({ target }) => change({ time: target.value })} />
          </label>
        </div>
        <label>
          <span>{t('course')}</span>
          <select
            name="course"
            value={words.course_id ?? ''}
            onChange={({ target }) => change({ course_id: target.value === '' ? null : Number(target.value) })}
          >
            <option value="">{t('note.justMe')}</option>
            {courses.value?.map((course) => (
              <option key={course.id} value={course.id}>
                {course.name}
              </option>
            ))}
          </select>
        </label>
        <label>
          <span>{t('note.details')}</span>
          <textarea name="details" rows={4} value={words.text} onChange={({ target }) => change({ text: target.value })} />
        </label>
        <footer>
          {note && (
            <button type="button" className="quiet danger" onClick={() => void finish(remove(note))}>
              {t('delete')}
            </button>
          )}
          {isBegun && <Discard discard={discard} onClose={onClose} />}
          <span className="spring" />
          <button type="button" className="quiet" onClick={onClose}>
            {t(isBegun ? 'writing.later' : 'cancel')}
          </button>
          <button type="submit" className="primary">
            {t('save')}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}
