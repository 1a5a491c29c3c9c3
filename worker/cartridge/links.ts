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
const tokens = {
  file: token('IMS[-_]CC[-_]FILEBASE'),
  object: token('CANVAS_OBJECT_REFERENCE'),
  course: token('(?:CANVAS_COURSE|WIKI)_REFERENCE'),
};

/** The text of a document with addresses instead of tokens. They name items by identifiers and paths until `linkedHtml` knows their ids. */
export const addressedText = (text: string, course: number): string =>
  text
    .replace(tokens.file, `/courses/${course}/package_file/`)
    .replace(tokens.object, `/courses/${course}/package_object`)
    .replace(tokens.course, `/courses/${course}`);

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
export const pathsMeant = (path: string): string[] => {
  const plain = path
    .split('/')
    .filter((part) => part !== '' && part !== '.' && part !== '..')
    .join('/');
  return [`web_resources/${plain}`, plain];
};

function fileAddress(rest: string, names: ImportedNames): string | undefined {
  const [, place = '', query = '', fragment = ''] = /^([^?#]*)(?:\?([^#]*))?(#.*)?$/.exec(rest) ?? [];
  const id = pathsMeant(decoded(place))
    .map(names.file)
    .find((one) => one !== undefined);
  if (id === undefined) return undefined;
  const given = query.split(/&amp;|&/).filter(Boolean);
  const action = given.map((one) => /^canvas_(?!qs_)(\w*)=/.exec(one)?.[1]).find((one) => one !== undefined) ?? 'preview';
  const kept = given.filter((one) => one.startsWith('canvas_qs_')).map((one) => one.slice('canvas_qs_'.length));
  return `files/${id}${action ? `/${action}` : ''}${kept.length > 0 ? `?${kept.join('&amp;')}` : ''}${fragment}`;
}

/** The address of an item below its course; undefined for one that the package does not have. */
function addressOf(kind: string, rest: string, names: ImportedNames): string | undefined {
  if (kind === 'package_file') return fileAddress(rest, names);
  const [, word = '', identifier = '', tail = ''] =
    (kind === 'package_object' ? /^([a-z_]+)\/([^/?#]+)(.*)$/ : /^()([^/?#]+)(.*)$/).exec(rest) ?? [];
  if (kind === 'modules/items') {
    const id = names.id('module_item', identifier);
    return id === undefined ? undefined : `modules/items/${id}${tail}`;
  }
  if (kind === 'file_ref' || word === 'files') {
    const id = names.id('file', identifier);
    return id === undefined ? undefined : `files/${id}${tail || '/preview'}`;
  }
  const found = lookUp(objects, word);
  const id = found && names.id(found, identifier);
  if (id !== undefined) return `${word}/${id}${tail}`;
  const url = word === 'pages' || word === 'wiki' ? names.page(identifier) : undefined;
  return url === undefined ? undefined : `pages/${encodeURIComponent(url)}${tail}`;
}

/** HTML with links to the items that were imported. @returns also the links that lead nowhere */
export function linkedHtml(
  html: string,
  course: number,
  names: ImportedNames,
): { readonly html: string; readonly missing: readonly string[] } {
  const missing: string[] = [];
  const places = new RegExp(`/courses/${course}/(package_file|package_object|file_ref|modules/items)/+([^"'\\s>]*)`, 'g');
  const pages = new RegExp(`/courses/${course}/(?:pages|wiki)/([^/?#"'\\s>]+)`, 'g');
  const linked = html.replace(tags, (tag) =>
    tag
      .replace(places, (whole, kind: string, rest: string) => {
        if (kind === 'modules/items' && /^\d+/.test(rest)) return whole;
        const found = addressOf(kind, rest, names);
        if (found === undefined) missing.push(decoded(rest));
        return found === undefined ? whole : `/courses/${course}/${found}`;
      })
      .replace(pages, (whole, name: string) => {
        const url = names.page(decoded(name));
        return url === undefined ? whole : `/courses/${course}/pages/${encodeURIComponent(url)}`;
      }),
  );
  return { html: linked, missing };
}
