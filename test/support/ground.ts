// Builders for users, courses and enrollments, inserted directly into a database for tests and the demo. Content is created over the API, or
// by the builders of ground_content.ts.

import { wireTime } from '@carrel/shared/wire/fields';
import { facts } from '@carrel/worker/database/housekeeping';
import { hashPassword } from '@carrel/worker/database/passwords';
import { newToken, randomText } from '@carrel/worker/database/tokens';
import { accounts } from '@carrel/worker/domains/accounts/table';
import { admins } from '@carrel/worker/domains/admins/table';
import { assignment_groups } from '@carrel/worker/domains/assignment_groups/table';
import { courses } from '@carrel/worker/domains/courses/table';
import { type EnrollmentState, type EnrollmentType, enrollments } from '@carrel/worker/domains/enrollments/table';
import { sessions } from '@carrel/worker/domains/login/table';
import { sections } from '@carrel/worker/domains/sections/table';
import { terms } from '@carrel/worker/domains/terms/table';
import { tokens } from '@carrel/worker/domains/tokens/table';
import { communication_channels, logins, observers, users } from '@carrel/worker/domains/users/table';
import { sha256 } from '@carrel/worker/http/idempotency';
import type { D1Database } from '@cloudflare/workers-types';
import { eq, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { contentBuilders } from './ground_content';

export interface Person {
  readonly id: number;
  readonly name: string;
  readonly login: string;
  readonly token: string;
}

export interface BuiltCourse {
  readonly id: number;
  readonly name: string;
  readonly section_id: number;
  readonly assignment_group_id: number;
}

const roleIds: Record<EnrollmentType, number> = {
  StudentEnrollment: 3,
  TeacherEnrollment: 4,
  TaEnrollment: 5,
  DesignerEnrollment: 6,
  ObserverEnrollment: 7,
  StudentViewEnrollment: 8,
};

type Part = 'student' | 'teacher' | 'ta' | 'designer' | 'observer';
const typeOf: Record<Part, EnrollmentType> = {
  student: 'StudentEnrollment',
  teacher: 'TeacherEnrollment',
  ta: 'TaEnrollment',
  designer: 'DesignerEnrollment',
  observer: 'ObserverEnrollment',
};

const sortable = (name: string) => {
  const words = name.trim().split(/\s+/);
  return words.length > 1 ? `${words.at(-1)}, ${words.slice(0, -1).join(' ')}` : name;
};

/** Builders over one database. `at` is when everything was created. */
export function groundOf(d1: D1Database, at = '2026-09-01T08:00:00Z') {
  const db = drizzle(d1 as never);
  const created = { created_at: at, updated_at: at };
  let count = 0;

  const ground = {
    db,
    ...contentBuilders(db, at),

    /** A user with an access token. */
    async person(given: { name?: string; login?: string; password?: string; email?: string; sis_user_id?: string } = {}): Promise<Person> {
      count += 1;
      const name = given.name ?? `Person ${count}`;
      const login = given.login ?? `person${count}-${randomText(6)}@example.edu`;
      const token = newToken();
      const [user] = await db
        .insert(users)
        .values({ name, short_name: name, sortable_name: sortable(name), uuid: randomText(40), ...created })
        .returning({ id: users.id });
      const id = (user as { id: number }).id;
      await db.batch([
        db.insert(logins).values({
          user_id: id,
          account_id: 1,
          unique_id: login,
          sis_user_id: given.sis_user_id ?? null,
          password_hash: given.password ? await hashPassword(given.password) : null,
          ...created,
        }),
        db.insert(communication_channels).values({ user_id: id, address: given.email ?? login, workflow_state: 'active', ...created }),
        db
          .insert(tokens)
          .values({ user_id: id, token_hash: await sha256(token), token_hint: `${token.slice(0, 5)}...`, purpose: 'ground', ...created }),
      ]);
      return { id, name, login, token };
    },

    /** The secret of a web session, as the browser keeps it in the cookie `carrel_session`. */
    async session(person: Person, given: Partial<typeof sessions.$inferInsert> = {}): Promise<string> {
      const secret = newToken();
      const login_id = sql`(select min(id) from logins where user_id = ${person.id})`;
      await db.insert(sessions).values({
        user_id: person.id,
        login_id: login_id as never,
        session_hash: await sha256(secret),
        expires_at: '2999-01-01T00:00:00Z',
        // A session lasts a month at most from its start.
        created_at: wireTime(Date.now()),
        updated_at: at,
        ...given,
      });
      return secret;
    },

    /** An administrator of the whole institution, or of the given account. */
    async admin(given: { name?: string; login?: string; password?: string; account_id?: number; role_id?: number } = {}): Promise<Person> {
      const person = await ground.person({ name: 'Ada Admin', ...given });
      await ground.appoint(person, given);
      return person;
    },

    /** Makes a user an administrator of another account, too. */
    appoint: (person: Person, given: { account_id?: number; role_id?: number } = {}) =>
      db.insert(admins).values({ account_id: given.account_id ?? 1, user_id: person.id, role_id: given.role_id ?? 1, ...created }),

    async account(given: { name?: string; parent_account_id?: number; sis_account_id?: string } = {}): Promise<{ id: number }> {
      const [row] = await db
        .insert(accounts)
        .values({ name: 'Faculty', parent_account_id: 1, root_account_id: 1, uuid: randomText(40), ...given, ...created })
        .returning({ id: accounts.id });
      return row as { id: number };
    },

    async term(given: Partial<typeof terms.$inferInsert> = {}): Promise<{ id: number }> {
      const [row] = await db
        .insert(terms)
        .values({ account_id: 1, name: 'Autumn', ...given, ...created })
        .returning({ id: terms.id });
      return row as { id: number };
    },

    /** A published course with its default section and assignment group. */
    async course(given: Partial<typeof courses.$inferInsert> = {}): Promise<BuiltCourse> {
      count += 1;
      const name = given.name ?? `Course ${count}`;
      const [course] = await db
        .insert(courses)
        .values({
          account_id: 1,
          root_account_id: 1,
          enrollment_term_id: 1,
          name,
          course_code: name,
          uuid: randomText(40),
          workflow_state: 'available',
          ...created,
          ...given,
        })
        .returning({ id: courses.id });
      const id = (course as { id: number }).id;
      const section_id = await ground.section({ id }, { name, is_default: true });
      const [group] = await db
        .insert(assignment_groups)
        .values({ course_id: id, name: 'Assignments', position: 1, ...created })
        .returning({ id: assignment_groups.id });
      return { id, name, section_id, assignment_group_id: (group as { id: number }).id };
    },

    async section(course: { id: number }, given: Partial<typeof sections.$inferInsert> = {}): Promise<number> {
      const [row] = await db
        .insert(sections)
        .values({ course_id: course.id, name: 'Section', ...given, ...created })
        .returning({ id: sections.id });
      return (row as { id: number }).id;
    },

    /** Enrolls a user in a course. Enrollments in several sections are several calls. */
    async enroll(
      course: BuiltCourse,
      person: Person,
      part: Part,
      given: { section_id?: number; enrollment_state?: EnrollmentState; observes?: Person; limited?: boolean } = {},
    ): Promise<number> {
      const type = typeOf[part];
      const [row] = await db
        .insert(enrollments)
        .values({
          user_id: person.id,
          course_id: course.id,
          course_section_id: given.section_id ?? course.section_id,
          type,
          role_id: roleIds[type],
          observed_user_id: given.observes?.id ?? 0,
          enrollment_state: given.enrollment_state ?? 'active',
          limit_privileges_to_course_section: given.limited ?? false,
          sortable_name: sortable(person.name),
          ...created,
        })
        .returning({ id: enrollments.id });
      if (given.observes)
        await db.insert(observers).values({ observer_id: person.id, student_id: given.observes.id, created_at: at }).onConflictDoNothing();
      return (row as { id: number }).id;
    },

    nameInstitution: (name: string) => db.update(accounts).set({ name }).where(eq(accounts.id, 1)),

    /** Deletes an enrollment, as a registrar would. */
    end: (enrollment_id: number) => db.update(enrollments).set({ enrollment_state: 'deleted' }).where(eq(enrollments.id, enrollment_id)),

    /** Simulates a restore from a backup: the change log gets another identity. */
    rewriteHistory: () =>
      db
        .update(facts)
        .set({ value: randomText(16) })
        .where(eq(facts.name, 'epoch')),
  };
  return ground;
}

export type Ground = ReturnType<typeof groundOf>;

/** A course with a user in every role: the start of most tests. */
export async function aCourse(ground: Ground, given: Partial<typeof courses.$inferInsert> = {}) {
  const course = await ground.course(given);
  const [teacher, ta, designer, student, student2, observer, stranger] = await Promise.all(
    ['Tara Teacher', 'Tim Assistant', 'Dee Designer', 'Sam Student', 'Sue Student', 'Olive Observer', 'Stan Stranger'].map((name) =>
      ground.person({ name }),
    ),
  );
  const people = { teacher, ta, designer, student, student2, observer, stranger } as Record<
    'teacher' | 'ta' | 'designer' | 'student' | 'student2' | 'observer' | 'stranger',
    Person
  >;
  const enrollment_ids = {
    teacher: await ground.enroll(course, people.teacher, 'teacher'),
    ta: await ground.enroll(course, people.ta, 'ta'),
    designer: await ground.enroll(course, people.designer, 'designer'),
    student: await ground.enroll(course, people.student, 'student'),
    student2: await ground.enroll(course, people.student2, 'student'),
    observer: await ground.enroll(course, people.observer, 'observer', { observes: people.student }),
  };
  return { course, enrollment_ids, ...people };
}

/** The same with a second section, in which there are a student and an assistant who is limited to it. */
export async function aCourseOfTwoSections(ground: Ground, given: Partial<typeof courses.$inferInsert> = {}) {
  const one = await aCourse(ground, given);
  const section = await ground.section(one.course, { name: 'Second' });
  const [sid, limited] = [await ground.person({ name: 'Sid Elsewhere' }), await ground.person({ name: 'Lim Ited' })];
  await ground.enroll(one.course, sid, 'student', { section_id: section });
  await ground.enroll(one.course, limited, 'ta', { section_id: section, limited: true });
  return { ...one, section, sid, limited };
}
