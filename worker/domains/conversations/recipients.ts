// Whom a letter names: people, and parts of courses and sections.

import { type SQL, sql } from 'drizzle-orm';

const parts = {
  students: ['StudentEnrollment', 'StudentViewEnrollment'],
  teachers: ['TeacherEnrollment'],
  tas: ['TaEnrollment'],
  designers: ['DesignerEnrollment'],
  observers: ['ObserverEnrollment'],
} as const;
export type RosterPart = keyof typeof parts;
export const rosterParts = Object.keys(parts) as RosterPart[];

export interface NamedContext {
  readonly kind: 'course' | 'section' | 'group';
  readonly id: number;
  readonly part: RosterPart | undefined;
}

export interface Named {
  readonly ids: readonly number[];
  readonly contexts: readonly NamedContext[];
}

/** `course_1_students`; nothing for other words. */
export function contextNamed(code: string): NamedContext | undefined {
  const [, kind, id, part] = /^(course|section|group)_(\d{1,15})(?:_([a-z]+))?$/.exec(code) ?? [];
  if (!kind || (part !== undefined && !(part in parts))) return undefined;
  return { kind: kind as NamedContext['kind'], id: Number(id), part: part as RosterPart | undefined };
}

/** Codes that name nothing are ignored, as the reference has it. */
export const named = (codes: readonly string[]): Named => ({
  ids: [...new Set(codes.filter((code) => /^\d{1,15}$/.test(code)).map(Number))],
  contexts: codes.flatMap((code) => contextNamed(code) ?? []),
});

export const typesOf = (part: RosterPart | undefined): readonly string[] => (part ? parts[part] : Object.values(parts).flat());

/** A select of the ids of everybody in a part of a course or section. */
export const membersOf = ({ kind, id, part }: NamedContext): SQL =>
  kind === 'group'
    ? sql`select 0 where 0`
    : sql`select user_id from enrollments where ${sql.raw(kind === 'course' ? 'course_id' : 'course_section_id')} = ${id} and type in (select value from json_each(${JSON.stringify(typesOf(part))})) and enrollment_state in ('active', 'invited')`;

/** A select of the ids of everybody who is named. */
export const everyoneNamed = ({ ids, contexts }: Named): SQL =>
  sql.join([sql`select value as user_id from json_each(${JSON.stringify(ids)})`, ...contexts.slice(0, 20).map(membersOf)], sql` union `);

/** Courses that the contexts stand in. */
export const coursesNamed = ({ contexts }: Named, contextCode: NamedContext | undefined): SQL => {
  const all = [...contexts, ...(contextCode ? [contextCode] : [])];
  const of = (kind: NamedContext['kind']) => JSON.stringify(all.filter((one) => one.kind === kind).map(({ id }) => id));
  return sql`select value from json_each(${of('course')}) union select course_id from sections where id in (select value from json_each(${of('section')}))`;
};
