// Writing, changing and deleting a note of one's own. It is kept here at once and sent when there is a server.

import { type FormEvent, useState } from 'react';
import { call } from '../host.ts';
import { useLive } from '../live.ts';
import { Dialog } from '../parts/Dialog.tsx';
import { complain, say } from '../parts/Said.tsx';
import type { DatedEntry } from '../views/planner.ts';
import { dayOf, wireTime } from '../words/dates.ts';
import { t } from '../words/texts.ts';

/** A note to change, or the day of a new one. */
export type Draft = { readonly note: DatedEntry; readonly day?: undefined } | { readonly note?: undefined; readonly day: string };

const clock = (at: Date) => `${String(at.getHours()).padStart(2, '0')}:${String(at.getMinutes()).padStart(2, '0')}`;

const written = (form: FormData) => ({
  title: String(form.get('title')).trim(),
  details: String(form.get('details')).trim() || null,
  todo_date: wireTime(new Date(`${form.get('day')}T${form.get('time') || '23:59'}`)),
  course_id: Number(form.get('course')) || null,
});

async function remove(note: DatedEntry) {
  await call('note.delete', { id: note.plannable_id });
  const { title, details, date: todo_date, course_id } = note;
  say(t('note.deleted', { title }), () => void call('note.create', { title, details, todo_date, course_id }).catch(complain));
}

export function NoteForm({ draft, onClose }: { draft: Draft; onClose: () => void }) {
  const courses = useLive('courses', 'courses.list');
  const [failure, setFailure] = useState<string | null>(null);
  const { note } = draft;
  const at = note ? new Date(note.date) : null;
  const finish = async (doing: Promise<unknown>, saying?: string) => {
    try {
      await doing;
      if (saying) say(saying);
      onClose();
    } catch (reason) {
      setFailure(reason instanceof Error ? reason.message : String(reason));
    }
  };
  const save = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const given = written(new FormData(event.currentTarget));
    if (!given.title) return setFailure(t('note.needsTitle'));
    if (note) void finish(call('note.update', { id: note.plannable_id, ...given }), t('note.changed', { title: given.title }));
    else void finish(call('note.create', given), t('note.noted', { title: given.title }));
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
          <input name="title" data-first required defaultValue={note?.title} autoComplete="off" maxLength={255} />
        </label>
        <div className="form-row">
          <label>
            <span>{t('note.day')}</span>
            <input type="date" name="day" required defaultValue={at ? dayOf(at) : draft.day} />
          </label>
          <label>
            <span>{t('note.time')}</span>
            <input type="time" name="time" defaultValue={at ? clock(at) : '17:00'} />
          </label>
        </div>
        <label>
          <span>{t('course')}</span>
          <select name="course" key={courses.value?.length} defaultValue={note?.course_id ?? ''}>
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
          <textarea name="details" rows={4} defaultValue={note?.details ?? ''} />
        </label>
        <footer>
          {note && (
            <button type="button" className="quiet danger" onClick={() => void finish(remove(note))}>
              {t('delete')}
            </button>
          )}
          <span className="spring" />
          <button type="button" className="quiet" onClick={onClose}>
            {t('cancel')}
          </button>
          <button type="submit" className="primary">
            {t('save')}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}
