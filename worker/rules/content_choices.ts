// Where a tool is asked for content (deep linking, content items), what it may return there, and who may ask. Pure.

import type { PlacementName } from '@carrel/shared/resources/external_tool';
import { lookUp } from '@carrel/shared/wire/look_up';
import type { AccountContext } from '../contexts/account';
import type { CourseContext } from '../contexts/course';

export const deepLinkTypes = ['ltiResourceLink', 'link', 'file', 'html', 'image'] as const;
export type DeepLinkType = (typeof deepLinkTypes)[number];

/** What a place accepts, as the tool receives it. */
export interface ContentChoice {
  readonly accepts: readonly DeepLinkType[];
  readonly targets: readonly string[];
  readonly isMultiple: boolean;
  /** The place makes or changes an assignment. */
  readonly takesLineItem: boolean;
}

const choices: Readonly<Partial<Record<PlacementName, ContentChoice>>> = {
  assignment_selection: { accepts: ['ltiResourceLink'], targets: ['iframe', 'window'], isMultiple: false, takesLineItem: true },
  link_selection: { accepts: ['ltiResourceLink', 'link'], targets: ['iframe', 'window'], isMultiple: true, takesLineItem: false },
  resource_selection: { accepts: ['ltiResourceLink', 'link'], targets: ['iframe', 'window'], isMultiple: true, takesLineItem: false },
  editor_button: { accepts: deepLinkTypes, targets: ['embed', 'iframe', 'window'], isMultiple: true, takesLineItem: false },
  homework_submission: {
    accepts: ['ltiResourceLink', 'link', 'file', 'html'],
    targets: ['iframe', 'window'],
    isMultiple: false,
    takesLineItem: false,
  },
};

/** An account has texts, but no files, and links to resources belong to courses. */
const accountChoices: typeof choices = {
  editor_button: { accepts: ['link', 'html', 'image'], targets: ['embed', 'iframe', 'window'], isMultiple: true, takesLineItem: false },
};

/** Undefined where Carrel takes no content of a tool. */
export const contentChoiceAt = (placement: PlacementName | undefined, place: 'Course' | 'Account' = 'Course'): ContentChoice | undefined =>
  placement === undefined ? undefined : lookUp(place === 'Course' ? choices : accountChoices, placement);

/** Whether the caller writes texts of the account, which are its announcements. */
export const mayChooseInAccount = (account: Pick<AccountContext, 'can'>, placement: PlacementName | undefined): boolean =>
  contentChoiceAt(placement, 'Account') !== undefined && account.can('manage_alerts');

type Rights = Pick<CourseContext, 'can' | 'canRead' | 'participates'>;

/**
 * Whether the caller may ask for content, and put it there.
 * @param assignment_id of homework; for `assignment_selection`, the assignment whose tool changes instead of a new one
 */
export function mayChooseContent(course: Rights, placement: PlacementName | undefined, assignment_id: number | undefined): boolean {
  if (!course.canRead) return false;
  switch (placement) {
    case 'assignment_selection':
      return course.can(assignment_id === undefined ? 'manage_assignments_add' : 'manage_assignments_edit');
    case 'homework_submission':
      return course.participates && assignment_id !== undefined;
    case 'link_selection':
    case 'resource_selection':
    case 'editor_button':
      return course.can('manage_course_content_add') || course.can('manage_course_content_edit');
    default:
      return false;
  }
}
