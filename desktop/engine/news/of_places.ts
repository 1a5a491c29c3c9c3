// What changes of courses, groups, modules, calendars and the user's own membership mean. Pure.

import type { CourseJson, EnrollmentJson, EventJson, GroupJson, ModuleItemJson, ModuleJson } from '../model/resources';
import { changeNews, newsMeaning, reworded } from './meaning';

export const courseNews = newsMeaning<CourseJson>((before, after) => [
  !before?.name && !!after?.name && ['course new'],
  !!before?.name && !after && ['course gone'],
  !!before?.name && changeNews('renamed', before.name, after?.name),
  !!before?.name && !!after && reworded('course', before, after, 'syllabus'),
]);

export const groupNews = newsMeaning<GroupJson>((before, after) => [
  !before && !!after && ['group new'],
  !!before && !after && ['group gone'],
  !!before && !!after && changeNews('renamed', before.name, after.name),
]);

/** Only the user's own: the feed returns no others. */
export const enrollmentNews = newsMeaning<EnrollmentJson & { readonly course_section_id?: number }>(
  (before, after, { me, titleOf, course_id }) =>
    before &&
    after &&
    (after.user_id ?? me) === me &&
    before.course_section_id &&
    changeNews('section', before.course_section_id, after.course_section_id)
      ? [
          [
            'section',
            { title: titleOf('course', course_id ?? 0) ?? '', from: String(before.course_section_id), to: String(after.course_section_id) },
          ],
        ]
      : [],
);

const asked = (items: readonly ModuleItemJson[]): ReadonlyMap<number, string> =>
  new Map(
    items.flatMap(({ id, completion_requirement: one }) =>
      one ? [[id, [one.type, one.min_score, one.min_percentage].join(' ')] as const] : [],
    ),
  );

export const moduleNews = newsMeaning<ModuleJson>((before, after) => {
  if (!after) return [!!before && ['gone']];
  const items = after.items ?? [];
  if (!before) return [['module new', { count: items.length, titles: items.map(({ title }) => title) }]];
  const was = new Map((before.items ?? []).map((item) => [item.id, item]));
  const is = new Set(items.map(({ id }) => id));
  const fresh = items.filter(({ id }) => !was.has(id));
  const left = (before.items ?? []).filter(({ id }) => !is.has(id));
  const [askedBefore, askedNow] = [asked(before.items ?? []), asked(items)];
  const wanting = items.filter(({ id }) => was.has(id) && askedNow.has(id) && askedNow.get(id) !== askedBefore.get(id));
  return [
    changeNews('renamed', before.name, after.name),
    // Its items open with it.
    before.state === 'locked' && after.state !== 'locked' && ['opened', { titles: items.map(({ title }) => title) }],
    changeNews('opens', before.unlock_at, after.unlock_at),
    fresh.length > 0 && ['module items', { count: fresh.length, titles: fresh.map(({ title }) => title) }],
    left.length > 0 && ['module left', { count: left.length, titles: left.map(({ title }) => title) }],
    wanting.length > 0 && ['requirements', { count: wanting.length, titles: wanting.map(({ title }) => title) }],
  ];
});

/** Events of the user's own calendar are their own doing, except reservations of another person's time. */
export const event = newsMeaning<EventJson & { readonly appointment_group_id?: number }>((before, after, { course_id }) => {
  if (course_id === null && !(after ?? before)?.appointment_group_id) return [];
  if (!after) return [!!before && ['event gone']];
  if (!before) return [course_id !== null && ['event new', { to: after.start_at ?? null }]];
  return [
    changeNews('event moved', before.start_at ?? null, after.start_at ?? null),
    changeNews('event place', before.location_name ?? '', after.location_name ?? ''),
    changeNews('renamed', before.title, after.title),
  ];
});
