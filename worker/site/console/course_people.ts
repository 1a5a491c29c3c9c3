// Users of a course: list and enroll.

import { sendRequest } from './api';
import { h } from './dom';
import { blank, button, confirmed, dialog, field, form, listing, notifyChanged, part, sentenceCase, showStatus, tag } from './parts';
import { type ScreenContext, screenHref } from './place';

interface Enrollment {
  readonly id: number;
  readonly type: string;
  readonly enrollment_state: string;
  readonly user: { readonly id: number; readonly name: string; readonly sortable_name: string };
}

const kinds = [
  ['StudentEnrollment', 'Student'],
  ['TeacherEnrollment', 'Teacher'],
  ['TaEnrollment', 'TA'],
  ['DesignerEnrollment', 'Designer'],
  ['ObserverEnrollment', 'Observer'],
] as const;

const states: Readonly<Record<string, string>> = { invited: 'Invited', active: 'Active', inactive: 'Inactive', completed: 'Concluded' };

function letIn(course_id: number, after: () => void): void {
  dialog('Add a person', (close) =>
    form(
      [
        field({ name: 'login', label: 'Login', required: true, hint: "The user's login name.", more: { autocapitalize: 'none' } }),
        field({ name: 'type', label: 'Role', options: kinds }),
      ],
      'Add',
      async ({ login = '', type }) => {
        const { user } = await sendRequest<Enrollment>('POST', `/courses/${course_id}/enrollments`, {
          enrollment: { user_id: `sis_login_id:${login}`, type, enrollment_state: 'active' },
        });
        close();
        after();
        showStatus(`Added ${user.name}`);
      },
      button('Cancel', close),
    ),
  );
}

/** @param mayChange whether the caller may add and remove users */
export function peopleOfCourse({ account, signal }: ScreenContext, course_id: number, mayChange: boolean): HTMLElement {
  const at = `/courses/${course_id}/enrollments`;
  const whole: HTMLElement = part(
    'People',
    () =>
      listing<Enrollment>(
        `${at}?${Object.keys(states)
          .map((state) => `state[]=${state}`)
          .join('&')}&per_page=50`,
        {
          label: 'People in the course',
          heads: ['Name', 'Role', 'State', ''],
          row: ({ id, type, enrollment_state, user }) =>
            h(
              'tr',
              {},
              h('th', { scope: 'row' }, h('a', { href: screenHref(account.id, 'people', user.id) }, user.sortable_name)),
              h('td', {}, kinds.find(([kind]) => kind === type)?.[1] ?? type.replace('Enrollment', '')),
              h(
                'td',
                {},
                tag(states[enrollment_state] ?? sentenceCase(enrollment_state), enrollment_state === 'active' ? 'good' : 'still'),
              ),
              h(
                'td',
                { class: 'acts' },
                mayChange &&
                  button(
                    'Remove',
                    () =>
                      confirmed(
                        `Remove ${user.name}?`,
                        'They lose access to the course. Their submissions are kept.',
                        'Remove',
                        async () => {
                          await sendRequest('DELETE', `${at}/${id}`, { task: 'delete' });
                          notifyChanged(whole);
                          showStatus(`Removed ${user.name}`);
                        },
                      ),
                    { kind: 'plain danger', name: `Remove ${user.name}` },
                  ),
              ),
            ),
          empty: () =>
            blank(
              'No people in this course',
              mayChange ? 'Add people by their login.' : 'People come from an SIS import, or are added by teachers.',
            ),
          signal,
        },
      ),
    mayChange && button('Add a person', () => letIn(course_id, () => notifyChanged(whole))),
  );
  return whole;
}
