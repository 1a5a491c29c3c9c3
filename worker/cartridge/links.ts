// Links in HTML: to items of the course outside of a package, tokens inside of it. Pure.

import { lookUp } from '@carrel/shared/wire/look_up';

const tags = /<[a-z][^>]*>/gi;

/** URL segments whose items packages name by their identifiers, and the kinds of these. */
const objects: Readonly<Record<string, string>> = {
  assignments: 'assignment',
  quizzes: 'quiz',
  discussion_topics: 'discussion_topic',
  announcements: 'discussion_topic',
  modules: 'module',
  calendar_events: 'calendar_event',
};

export interface PackageNames {
  /** The identifier of an item. */
  readonly key: (kind: string, id: number) => string;
  /** The path of a file below the folder of files; undefined when the package does not have it. */
  readonly path: (file: number) => string | undefined;
}

const encodedPath = (path: string): string => path.split('/').map(encodeURIComponent).join('/');

/** `/preview?wrap=1` becomes `?canvas_preview=1&canvas_qs_wrap=1`. */
function fileOptions(action: string, query: string): string {
  const given = query.split(/&amp;|&/).filter(Boolean);
  return `?${[`canvas_${action}=1`, ...given.map((one) => `canvas_qs_${one}`)].join('&amp;')}`;
}

/** The token for what follows the address of a course. */
function tokenOf(rest: string, { key, path }: PackageNames): string {
  const [, place = '', query = '', fragment = ''] = /^([^?#]*)(?:\?([^#]*))?(#.*)?$/.exec(rest) ?? [];
  const [word = '', name = '', ...more] = place.split('/').filter(Boolean);
  const tail = `${more.length > 0 ? `/${more.join('/')}` : ''}${query ? `?${query}` : ''}${fragment}`;
  if (word === 'files' && /^\d+$/.test(name)) {
    const found = path(Number(name));
    if (found !== undefined) return `$IMS-CC-FILEBASE$/${encodedPath(found)}${fileOptions(more[0] ?? '', query)}${fragment}`;
  }
  if ((word === 'pages' || word === 'wiki') && name) return `$WIKI_REFERENCE$/pages/${name}${tail}`;
  if (word === 'modules' && name === 'items' && /^\d+$/.test(more[0] ?? ''))
    return `$CANVAS_COURSE_REFERENCE$/modules/items/${key('module_item', Number(more[0]))}`;
  const kind = lookUp(objects, word);
  if (kind && /^\d+$/.test(name)) return `$CANVAS_OBJECT_REFERENCE$/${word}/${key(kind, Number(name))}${tail}`;
  return `$CANVAS_COURSE_REFERENCE$${rest}`;
}

/** HTML for a package. */
export function packagedHtml(html: string, course: number, names: PackageNames): string {
  const places = new RegExp(`(=\\s*["']?)/courses/${course}((?:[/?#][^"'\\s>]*)?)(?=["'\\s>])`, 'g');
  return html.replace(tags, (tag) => tag.replace(places, (_whole, before: string, rest: string) => `${before}${tokenOf(rest, names)}`));
}

const percent = '(?:\\$|%24)';
const token = (name: string) => new RegExp(`${percent}${name}${percent}`, 'g');
const tokens: Readonly<Record<'file' | 'object' | 'course' | 'wiki', RegExp>> = {
  file: token('IMS[-_]CC[-_]FILEBASE'),
  object: token('CANVAS_OBJECT_REFERENCE'),
  course: token('CANVAS_COURSE_REFERENCE'),
  wiki: token('WIKI_REFERENCE'),
};

/** The text of a document with addresses instead of tokens. They name items by identifiers and paths until `linkedHtml` knows their ids. */
export const addressedText = (text: string, course: number): string =>
  Object.entries(tokens).reduce((result, [kind, found]) => result.replace(found, `/courses/${course}/package_${kind}/`), text);

/** A part of every address that `linkedHtml` has to rewrite. */
export const unlinkedMark = (course: number): string => `/courses/${course}/package_`;

export interface ImportedNames {
  readonly id: (kind: string, identifier: string) => number | undefined;
  /** By a path in the package. */
  readonly file: (path: string) => number | undefined;
  /** The URL of a page by its identifier. */
  readonly page: (identifier: string) => string | undefined;
}

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text.replaceAll('&amp;', '&'));
  } catch {
    return text;
  }
};

/** The paths that a reference to a file may mean; some writers are relative to a folder. */
export function pathsMeant(path: string): string[] {
  const plain = path
    .split('/')
    .filter((part) => part !== '' && part !== '.' && part !== '..')
    .join('/');
  return [`web_resources/${plain}`, plain];
}

const addressParts = (rest: string) => {
  const [, place = '', query = '', fragment = ''] = /^([^?#]*)(?:\?([^#]*))?(#.*)?$/.exec(rest) ?? [];
  return { place, query, fragment };
};

/** An address below the course, and whether it leads to an item that was imported. */
interface Found {
  readonly address: string;
  readonly isMissing?: boolean;
}

function fileAddress(rest: string, names: ImportedNames): Found {
  const { place, query, fragment } = addressParts(rest);
  const id = pathsMeant(decoded(place))
    .map(names.file)
    .find((one) => one !== undefined);
  if (id === undefined) return { address: `file_contents/course%20files/${place}`, isMissing: true };
  const given = query.split(/&amp;|&/).filter(Boolean);
  const action = given.map((one) => /^canvas_(?!qs_)(\w*)=/.exec(one)?.[1]).find((one) => one !== undefined) ?? 'preview';
  const kept = given.filter((one) => one.startsWith('canvas_qs_')).map((one) => one.slice('canvas_qs_'.length));
  return { address: `files/${id}${action ? `/${action}` : ''}${kept.length > 0 ? `?${kept.join('&amp;')}` : ''}${fragment}` };
}

/** `assignments/<identifier>/rest` */
function objectAddress(rest: string, names: ImportedNames): Found {
  const [, word = '', identifier = '', tail = ''] = /^([a-z_]+)\/([^/?#]+)(.*)$/.exec(rest) ?? [];
  if (word === 'pages' || word === 'wiki') {
    const url = names.page(decoded(identifier));
    return { address: url === undefined ? rest : `pages/${encodeURIComponent(url)}${tail}` };
  }
  const kind = word === 'files' ? 'file' : lookUp(objects, word);
  const id = kind && names.id(kind, identifier);
  return id === undefined ? { address: rest, isMissing: kind !== undefined } : { address: `${word}/${id}${tail}` };
}

function courseAddress(rest: string, names: ImportedNames): Found {
  const [, kind = '', identifier = '', tail = ''] = /^(modules\/items|file_ref)\/([^/?#]+)(.*)$/.exec(rest) ?? [];
  if (!kind) return objectAddress(rest, names);
  const id = names.id(kind === 'file_ref' ? 'file' : 'module_item', identifier);
  if (id === undefined) return { address: rest, isMissing: true };
  return { address: kind === 'file_ref' ? `files/${id}${tail || '/preview'}` : `modules/items/${id}${tail}` };
}

/** HTML, or JSON with HTML, whose links lead to the items that were imported. @returns also the links that lead nowhere */
export function linkedHtml(
  html: string,
  course: number,
  names: ImportedNames,
): { readonly html: string; readonly missing: readonly string[] } {
  const missing: string[] = [];
  const places = new RegExp(`${unlinkedMark(course)}(file|object|course|wiki)(?:/+([^"'\\s>\\\\]*))?`, 'g');
  const linked = html.replace(places, (_, kind: string, rest = '') => {
    const { address, isMissing } = kind === 'file' ? fileAddress(rest, names) : courseAddress(rest, names);
    if (isMissing) missing.push(decoded(rest));
    return `/courses/${course}${address && !/^[?#]/.test(address) ? '/' : ''}${address}`;
  });
  return { html: linked, missing };
}
