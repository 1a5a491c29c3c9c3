// What clients send to create or change a collaboration: fields by name, or the content items of an LTI tool (deep linking).

import { idField, listOf, maybe, object, optional, type Shape, text } from '@carrel/shared/wire/fields';
import { lookUp } from '@carrel/shared/wire/look_up';
import { badParameter, invalid } from '../../http/problem';

const fields = {
  title: optional(text),
  description: optional(maybe(text)),
  url: optional(maybe(text)),
  update_url: optional(maybe(text)),
  document_id: optional(maybe(text)),
  collaboration_type: optional(text),
  type: optional(text),
};

export const collaborationParams = {
  collaboration: optional(object(fields)),
  user: optional(listOf(idField('user'))),
  group: optional(listOf(idField('group'))),
  contentItems: optional(text),
};

type Sent = Shape<typeof collaborationParams>;

/** The fields to store; undefined when not sent. */
export interface CollaborationGiven {
  readonly title?: string;
  readonly description?: string | null;
  readonly url?: string | null;
  readonly update_url?: string | null;
  readonly document_id?: string | null;
  readonly collaboration_type?: string;
}

/** The members: by id, and by LTI id as tools send them. Undefined when not sent. */
export interface MembersGiven {
  readonly users: readonly number[];
  readonly groups: readonly number[];
  readonly ltiUsers: readonly string[];
  readonly ltiGroups: readonly string[];
}

/** @throws Problem 400 for a text that is too long */
function limited<T extends string | null | undefined>(field: string, given: T, longest = 255): T {
  if (typeof given === 'string' && given.length > longest)
    throw invalid(field, 'too_long', `is too long (maximum is ${longest} characters)`);
  return given;
}

/** @throws Problem 400 unless it is a web URL */
function webAddress<T extends string | null | undefined>(field: string, given: T): T {
  if (typeof given === 'string' && !/^https?:$/.test(URL.parse(given)?.protocol ?? '')) throw invalid(field, 'invalid', 'is not a URL');
  return limited(field, given, 4096);
}

type Item = Readonly<Record<string, unknown>>;
const isItem = (given: unknown): given is Item => typeof given === 'object' && given !== null && !Array.isArray(given);

/** The first content item, from a list or `@graph`. @throws Problem 400 without one */
function itemIn(json: string): Item {
  let given: unknown;
  try {
    given = JSON.parse(json);
  } catch {
    throw badParameter('contentItems', 'is not JSON');
  }
  const items = isItem(given) ? (given['@graph'] ?? given) : given;
  const [item] = [items].flat();
  if (!isItem(item)) throw badParameter('contentItems', 'has no item');
  return item;
}

const textIn = (item: Item, ...names: readonly string[]): string | undefined =>
  names.map((name) => lookUp(item, name)).find((given) => typeof given === 'string');

function textsIn(item: Item, name: string): string[] {
  const visibility = item.ext_canvas_visibility;
  const given = isItem(visibility) ? lookUp(visibility, name) : undefined;
  return Array.isArray(given) ? given.filter((one) => typeof one === 'string').slice(0, 1000) : [];
}

/** The fields of a content item. */
const fieldsOf = (item: Item): CollaborationGiven => ({
  title: textIn(item, 'title'),
  description: textIn(item, 'text'),
  url: textIn(item, 'url'),
  update_url: textIn(item, 'updateUrl'),
});

function given({ collaboration, contentItems }: Sent): CollaborationGiven {
  if (contentItems !== undefined && contentItems !== '') return fieldsOf(itemIn(contentItems));
  const { title, description, url, update_url, document_id, collaboration_type, type } = collaboration ?? {};
  return { title, description, url, update_url, document_id, collaboration_type: collaboration_type || type || undefined };
}

/** @throws Problem 400 for malformed input */
export function collaborationIn(sent: Sent): CollaborationGiven {
  const { title, ...rest } = given(sent);
  return {
    ...rest,
    title: limited('title', title?.trim() || undefined),
    description: limited('description', rest.description, 65_536),
    url: webAddress('url', rest.url),
    update_url: webAddress('update_url', rest.update_url),
    collaboration_type: limited('collaboration_type', rest.collaboration_type),
    document_id: limited('document_id', rest.document_id),
  };
}

/** @throws Problem 400 for too many members */
export function membersGiven(sent: Sent): MembersGiven | undefined {
  const { user = [], group: groups = [], contentItems } = sent;
  const item = contentItems ? itemIn(contentItems) : {};
  const members = { users: user, groups, ltiUsers: textsIn(item, 'users'), ltiGroups: textsIn(item, 'groups') };
  if (Object.values(members).some((ids) => ids.length > 1000)) throw badParameter('user', 'has more than 1000 members');
  const isGiven = sent.user !== undefined || sent.group !== undefined || isItem(item.ext_canvas_visibility);
  return isGiven ? members : undefined;
}
