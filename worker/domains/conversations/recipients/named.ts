// Recipients of a message: users, roles in courses and sections, and groups.

import { type SQL, sql } from 'drizzle-orm';

const parts = {
  students: ['StudentEnrollment'],
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

export interface NamedRecipients {
  readonly ids: readonly number[];
  readonly contexts: readonly NamedContext[];
}

/** Parses `course_1_students`; undefined for anything else. */
export function contextNamed(code: string): NamedContext | undefined {
  const [, kind, id, part] = /^(course|section|group)_(\d{1,15})(?:_([a-z]+))?$/.exec(code) ?? [];
  if (!kind || (part !== undefined && !Object.hasOwn(parts, part))) return undefined;
  return { kind: kind as NamedContext['kind'], id: Number(id), part: part as RosterPart | undefined };
}

/** Unknown codes are ignored, as the reference requires. */
export const recipientsNamed = (codes: readonly string[]): NamedRecipients => ({
  ids: [...new Set(codes.filter((code) => /^\d{1,15}$/.test(code)).map(Number))],
  contexts: codes.flatMap((code) => contextNamed(code) ?? []),
});

export const rosterTypesOf = (part: RosterPart | undefined): readonly string[] => (part ? parts[part] : Object.values(parts).flat());

/** Context codes as rows: D1 limits the terms of a compound select. */
const asRows = (contexts: readonly NamedContext[], kind: NamedContext['kind']) =>
  sql`json_each(${JSON.stringify(contexts.filter((one) => one.kind === kind).flatMap(({ id, part }) => rosterTypesOf(part).map((type) => ({ id, type }))))})`;

/** A select of the ids of all recipients. */
export const everyoneNamed = ({ ids, contexts }: NamedRecipients): SQL =>
  sql`select value as user_id from json_each(${JSON.stringify(ids)})
    union select e.user_id from ${asRows(contexts, 'course')} c cross join enrollments e on e.course_id = c.value ->> 'id' and e.type = c.value ->> 'type'
      where e.enrollment_state in ('active', 'invited')
    union select e.user_id from ${asRows(contexts, 'section')} c cross join enrollments e on e.course_section_id = c.value ->> 'id' and e.type = c.value ->> 'type'
      where e.enrollment_state in ('active', 'invited')
    union select m.user_id from json_each(${groupsNamed(contexts)}) c cross join group_memberships m on m.group_id = c.value where m.workflow_state = 'accepted'`;

/** Group ids as JSON; groups have no sub-audiences. */
export const groupsNamed = (contexts: readonly NamedContext[]): string =>
  JSON.stringify(contexts.filter(({ kind, part }) => kind === 'group' && part === undefined).map(({ id }) => id));

/** Courses of the contexts. */
export const coursesOfRecipients = ({ contexts }: NamedRecipients, contextCode: NamedContext | undefined): SQL => {
  const all = [...contexts, ...(contextCode ? [contextCode] : [])];
  const of = (kind: NamedContext['kind']) => JSON.stringify(all.filter((one) => one.kind === kind).map(({ id }) => id));
  return sql`select value from json_each(${of('course')}) union select course_id from sections where id in (select value from json_each(${of('section')}))`;
};
