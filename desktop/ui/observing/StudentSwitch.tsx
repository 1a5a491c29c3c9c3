// For observers: whose courses are shown, and a switch where there are several students.

import { t } from '../../language/texts.ts';
import { call } from '../host.ts';
import { useLive } from '../live.ts';
import { complain } from '../parts/Toast.tsx';

export const studentName = ({ id, name }: { readonly id: number; readonly name: string }) => name || t('observing.somebody', { id });

/** @param among the ids of the students to choose from; absent: all */
export function StudentSwitch({ among }: { among?: readonly number[] | undefined }) {
  const students = useLive('courses', 'students.list');
  const found = (students.value ?? []).filter(({ id }) => !among || among.includes(id));
  if (found.length < 2) return null;
  return (
    <fieldset className="choices student-switch">
      <legend className="sr-only">{t('observing.students')}</legend>
      {found.map((student) => (
        <label key={student.id}>
          <input
            type="radio"
            name="student"
            value={student.id}
            checked={student.chosen}
            onChange={() => void call('students.choose', { id: student.id }).catch(complain)}
          />
          <span>
            <bdi>{studentName(student)}</bdi>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

/** The name of the student whose courses are shown; undefined for users who observe no one. */
export function useStudentName(): string | undefined {
  const chosen = useLive('courses', 'students.list').value?.find((student) => student.chosen);
  return chosen && studentName(chosen);
}
