// How many bytes of D1 a person, a course and an enrollment take, from institutions that differ in one of them.

import type { D1Database } from '@cloudflare/workers-types';
import { withDatabase } from '../support/server';
import { type Counts, inBulkLoad } from './institution/bulk';
import { fillInstitution, logChanges } from './institution/whole';
import { content } from './measured';
import { scratchFolder } from './scratch';

export interface BytesOf {
  /** With a login, an address, a token, one enrollment, some notes and a conversation. */
  readonly person: number;
  /** With its content, without its students. */
  readonly course: number;
  readonly enrollment: number;
}

/** A course as a school has it; what people write is in the growth of the bill. */
const usualCourse: Counts = { ...content, students: 1, notes: 2, messages: 1 };
const courses = 60;
const students = 41;

export async function sizeOf(d1: D1Database): Promise<number> {
  const { meta } = await d1.prepare('select 1').run();
  return meta.size_after ?? 0;
}

async function sizeWith(each: Counts, count: number, enrollmentsMore = 0): Promise<number> {
  return withDatabase(scratchFolder(), async (d1) => {
    await inBulkLoad(d1, async () => {
      await fillInstitution(d1, { courses: count, each, name: 'capacity' });
      // In the next course, in which nobody is enrolled twice.
      if (enrollmentsMore > 0)
        await d1
          .prepare(
            `insert into enrollments (user_id, course_id, course_section_id, type, role_id, enrollment_state, sortable_name, created_at, updated_at)
             select user_id, course_id % ${count} + 1, course_section_id % ${count} + 1, 'StudentEnrollment', 3, 'active', sortable_name, created_at, updated_at
             from enrollments where type = 'StudentEnrollment' limit ${enrollmentsMore}`,
          )
          .run();
      await logChanges(d1);
    });
    return sizeOf(d1);
  });
}

let known: Promise<BytesOf> | undefined;

async function measure(): Promise<BytesOf> {
  const none = await sizeWith(usualCourse, 1);
  const few = await sizeWith(usualCourse, courses);
  const many = await sizeWith({ ...usualCourse, students }, courses);
  const more = courses * (students - 1);
  const enrolled = await sizeWith({ ...usualCourse, students }, courses, more);
  const person = (many - few) / more;
  return { person, course: (few - none) / (courses - 1) - 2 * person, enrollment: (enrolled - many) / more };
}

/** Measured once per run. */
export const bytesOfRows = (): Promise<BytesOf> => {
  known ??= measure();
  return known;
};

/** Six courses for each student, 40 students in each course, and a teacher for 20 students. */
export const shapeOf = (people: number) => ({ people: people * 1.05, courses: (people * 6) / 40, enrollments: people * 6.15 });

/** Bytes of D1 with this many students, before they write anything. */
export function bytesWith(students: number, each: BytesOf): number {
  const shape = shapeOf(students);
  // A person is measured with one enrollment.
  return shape.people * each.person + shape.courses * each.course + (shape.enrollments - shape.people) * each.enrollment;
}
