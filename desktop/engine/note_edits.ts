// Two hands on one note of the planner: each field as it was written last, both texts where both were changed, and an edit outlives a
// deletion. Pure.

import type { NoteBody } from './intents';

/** As a note is told, by the server or by the person. */
type Told = Pick<NoteBody, 'title' | 'todo_date'> & { readonly details?: string | null; readonly course_id?: number | null };

export const bodyOf = ({ title, details, todo_date, course_id }: Told): NoteBody => ({
  title,
  details: details ?? null,
  todo_date,
  course_id: course_id ?? null,
});

const isSame = (a: NoteBody, b: NoteBody, field: keyof NoteBody): boolean =>
  field === 'todo_date' ? Date.parse(a[field]) === Date.parse(b[field]) : (a[field] || null) === (b[field] || null);

const fields = ['title', 'details', 'todo_date', 'course_id'] as const;

/**
 * What the person has changed, and no more: the rest may have been changed elsewhere.
 * @param before as it was when they did
 * @param there as the server has it by now
 */
export function changeOf(body: NoteBody, before: NoteBody, there: NoteBody): Partial<NoteBody> {
  const changed = fields.filter((field) => !isSame(body, before, field));
  const isBoth = changed.includes('details') && !isSame(there, before, 'details') && !isSame(there, body, 'details');
  const details = isBoth ? [there.details, body.details].filter(Boolean).join('\n\n') : body.details;
  return Object.fromEntries(changed.map((field) => [field, field === 'details' ? details : body[field]]));
}

/** Somebody else has written on it since it was thrown away here. */
export const isEditedSince = (there: NoteBody, before: NoteBody): boolean => fields.some((field) => !isSame(there, before, field));
