// The form to create a course.

import { askAll, sendRequest } from './api';
import { button, dialog, field, form, showStatus } from './parts';
import { type ScreenContext, screenHref } from './place';

interface Made {
  readonly id: number;
  readonly name: string;
}

interface Term {
  readonly id: number;
  readonly name: string;
}

/** The available terms; only administrators of the root account may list them. */
const termsOf = async ({ rootId, signal }: ScreenContext): Promise<readonly Term[]> =>
  askAll<Term>(`/accounts/${rootId}/terms?per_page=100`, signal, 3, 'enrollment_terms').catch(() => []);

export async function newCourse(place: ScreenContext): Promise<void> {
  const { account, rights } = place;
  const terms = await termsOf(place);
  dialog('New course', (close) =>
    form(
      [
        field({ name: 'name', label: 'Name', required: true, more: { maxlength: 255 } }),
        field({ name: 'course_code', label: 'Code', hint: 'Shown in lists, such as AST 101.', more: { maxlength: 255 } }),
        rights.manage_sis && field({ name: 'sis_course_id', label: 'SIS id' }),
        terms.length > 0 &&
          field({
            name: 'term_id',
            label: 'Term',
            options: [['', 'Default term'], ...terms.map(({ id, name }) => [String(id), name] as const)],
          }),
        rights.manage_courses_publish && field({ name: 'offer', label: 'Publish immediately', type: 'checkbox' }),
      ],
      'Create',
      async ({ name, course_code, sis_course_id, term_id, offer }) => {
        const made = await sendRequest<Made>('POST', `/accounts/${account.id}/courses`, {
          course: { name, ...(course_code && { course_code }), ...(sis_course_id && { sis_course_id }), ...(term_id && { term_id }) },
          ...(offer === '1' && { offer: true }),
        });
        close();
        showStatus(`Created ${made.name}`);
        location.hash = screenHref(account.id, 'courses', made.id);
      },
      button('Cancel', close),
    ),
  );
}
