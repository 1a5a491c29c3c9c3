// Validates a change of a page, and returns the columns to set. Pure.

import { storableHtml } from '../../html/kept';
import { invalid, Problem } from '../../http/problem';
import { pageNameOf, type Taken } from '../../rules/pages/names';
import type { PageColumns, PageRow } from '../../rules/pages/rows';
import { editingRoles, type Wiki } from './wiki';

export interface PageGiven {
  readonly title?: string;
  readonly body?: string | null;
  readonly editing_roles?: readonly string[];
  readonly published?: boolean;
  readonly front_page?: boolean;
  readonly publish_at?: string | null;
  readonly student_todo_at?: string | null;
  readonly student_planner_checkbox?: boolean;
}

const largestBody = 500 * 1024;

function rolesOf(given: readonly string[] | undefined): string | undefined {
  if (given === undefined) return undefined;
  const known = given.filter((role) => role !== '');
  if (known.some((role) => !editingRoles.some((one) => one === role)))
    throw invalid('editing_roles', 'inclusion', 'is not a list of editing roles');
  return [...new Set(known)].join(',') || undefined;
}

function bodyOf(given: string | null | undefined, from: { readonly origin: string }): string | null | undefined {
  if (typeof given === 'string' && new TextEncoder().encode(given).length > largestBody) throw invalid('body', 'too_long');
  return storableHtml(given, from);
}

/** Fields that only users with `manage_wiki` may change, if they differ. */
const reserved = (given: PageGiven, page: PageRow | undefined): string[] =>
  [
    given.title !== undefined && given.title !== page?.title && page !== undefined && 'title',
    given.published !== undefined && given.published !== (page ? page.workflow_state === 'active' : true) && 'published',
    given.editing_roles !== undefined && given.editing_roles.join(',') !== page?.editing_roles && 'editing_roles',
    given.front_page !== undefined && given.front_page !== (page?.front_page ?? false) && 'front_page',
    given.publish_at !== undefined && given.publish_at !== (page?.publish_at ?? null) && 'publish_at',
  ].filter((name): name is string => name !== false);

function checkFields(given: PageGiven, page: PageRow | undefined, wiki: Wiki): void {
  if (page ? wiki.canUpdate : wiki.canPublish) return;
  const names = reserved(given, page);
  if (names.length === 0) return;
  const errors = Object.fromEntries(
    names.map((name) => [name, [{ attribute: name, type: 'unauthorized', message: 'may not be changed' }]]),
  );
  throw new Problem(401, { errors });
}

function stateOf(given: PageGiven, page: PageRow | undefined, wiki: Wiki, now: string): PageColumns['workflow_state'] {
  if (given.publish_at && given.publish_at > now) return 'unpublished';
  if (given.published !== undefined) return given.published ? 'active' : 'unpublished';
  if (given.publish_at && given.publish_at <= now) return 'active';
  if (page) return undefined;
  return wiki.startsPublished ? 'active' : 'unpublished';
}

/**
 * The columns to set on an existing or new page.
 * @throws Problem 400 for invalid values, 401 for fields that the caller may not change
 */
export function pageColumnsOf(
  given: PageGiven,
  page: PageRow | undefined,
  taken: Taken,
  wiki: Wiki,
  call: { readonly now: string; readonly origin: string },
): PageColumns {
  const { now } = call;
  checkFields(given, page, wiki);
  const state = stateOf(given, page, wiki, now);
  const isFront = given.front_page ?? page?.front_page ?? false;
  const isPublished = (state ?? page?.workflow_state) === 'active';
  if (isFront && !isPublished) {
    const field = given.front_page === true ? 'front_page' : 'published';
    throw invalid(field, 'invalid', 'the front page must be published');
  }
  const renamed = page === undefined || (given.title !== undefined && given.title.trim() !== page.title);
  const isScheduled = given.publish_at !== undefined && given.publish_at !== null && given.publish_at > now;
  const todo = given.student_planner_checkbox === false ? null : given.student_todo_at;
  return {
    ...(renamed && pageNameOf(given.title ?? '', taken)),
    body: bodyOf(given.body, call),
    editing_roles: rolesOf(given.editing_roles) ?? (page ? undefined : wiki.defaultRole),
    front_page: given.front_page,
    publish_at: isScheduled ? given.publish_at : given.publish_at !== undefined || state === 'active' ? null : undefined,
    todo_date: todo,
    workflow_state: state,
  };
}
