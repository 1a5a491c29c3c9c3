import { expect, test } from 'vitest';
import { contentChoiceAt, mayChooseContent } from './content_choices';

const rights = (participates: boolean, ...permissions: string[]) => ({
  canRead: true,
  participates,
  can: (name: string) => permissions.includes(name),
});

test('a tool is asked for content where Carrel takes it', () => {
  expect(contentChoiceAt('assignment_selection')).toMatchObject({ accepts: ['ltiResourceLink'], takesLineItem: true });
  expect(contentChoiceAt('editor_button')?.accepts).toContain('image');
  for (const placement of [undefined, 'course_navigation', 'migration_selection'] as const)
    expect(contentChoiceAt(placement)).toBeUndefined();
});

test('the place decides who may choose', () => {
  const teacher = rights(false, 'manage_assignments_add', 'manage_course_content_edit');
  const student = rights(true);
  expect(mayChooseContent(teacher, 'assignment_selection', undefined)).toBe(true);
  expect(mayChooseContent(teacher, 'assignment_selection', 5)).toBe(false);
  expect(mayChooseContent(teacher, 'link_selection', undefined)).toBe(true);
  expect(mayChooseContent(teacher, 'editor_button', undefined)).toBe(true);
  expect(mayChooseContent(teacher, 'homework_submission', 5)).toBe(false);
  expect(mayChooseContent(student, 'homework_submission', 5)).toBe(true);
  expect(mayChooseContent(student, 'homework_submission', undefined)).toBe(false);
  for (const placement of ['assignment_selection', 'link_selection', 'editor_button', 'course_navigation', undefined] as const)
    expect(mayChooseContent(student, placement, 5), placement).toBe(false);
  expect(mayChooseContent({ ...teacher, canRead: false }, 'link_selection', undefined)).toBe(false);
});
