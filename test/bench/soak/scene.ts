// The school of a soak: 200 people in ten courses, and what they share.

import { type BuiltCourse, groundOf, type Person } from '../../support/ground';
import { withDatabase } from '../../support/server';

export interface SoakCourse {
  readonly course: BuiltCourse;
  readonly teacher: Person;
  readonly students: readonly Person[];
  /** Enrolled and removed while the load runs; they do nothing themselves. */
  readonly wanderers: readonly Person[];
}

export interface SoakScene {
  readonly courses: readonly SoakCourse[];
}

export const people = 200;
const inCourses = 10;
const wandering = 2;

/** @param size the number of people; a twentieth of them teach */
export async function buildSoakScene(persist: string, size: number = people): Promise<SoakScene> {
  return withDatabase(persist, async (d1) => {
    const ground = groundOf(d1);
    const each = Math.floor(size / inCourses);
    const courses: SoakCourse[] = [];
    for (let n = 0; n < inCourses; n++) {
      const course = await ground.course({ name: `Course ${n}` });
      const [teacher, ...others] = await Promise.all(Array.from({ length: each }, (_, k) => ground.person({ name: `Person ${n} ${k}` })));
      const students = others.slice(wandering);
      await ground.enroll(course, teacher as Person, 'teacher');
      for (const student of students) await ground.enroll(course, student, 'student');
      courses.push({ course, teacher: teacher as Person, students, wanderers: others.slice(0, wandering) });
    }
    return { courses };
  });
}
