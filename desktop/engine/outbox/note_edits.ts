// Merges two edits of a planner note: the later value of each field, both texts if both were changed, and an edit wins over a deletion.
// Pure.

import type { NoteBody } from './intents';

/** A note as the server returns it or the user writes it. */
type Told = Pick<NoteBody, 'title' | 'todo_date'> & { readonly details?: string | null; readonly course_id?: number | null };

export const noteBodyOf = ({ title, details, todo_date, course_id }: Told): NoteBody => ({
  title,
  details: details ?? null,
  todo_date,
  course_id: course_id ?? null,
});

const isSame = (a: NoteBody, b: NoteBody, field: keyof NoteBody): boolean =>
  field === 'todo_date' ? Date.parse(a[field]) === Date.parse(b[field]) : (a[field] || null) === (b[field] || null);

const fields = ['title', 'details', 'todo_date', 'course_id'] as const;

/**
 * The fields that the user has changed; the others may have been changed elsewhere.
 * @param before the note when the user changed it
 * @param there the note on the server now
 */
export function noteChangeOf(body: NoteBody, before: NoteBody, there: NoteBody): Partial<NoteBody> {
  const changed = fields.filter((field) => !isSame(body, before, field));
  const isBoth = changed.includes('details') && !isSame(there, before, 'details') && !isSame(there, body, 'details');
  const details = isBoth ? [there.details, body.details].filter(Boolean).join('\n\n') : body.details;
  return Object.fromEntries(changed.map((field) => [field, field === 'details' ? details : body[field]]));
}

/** It was edited elsewhere after it was deleted here. */
export const isEditedSince = (there: NoteBody, before: NoteBody): boolean => fields.some((field) => !isSame(there, before, field));
