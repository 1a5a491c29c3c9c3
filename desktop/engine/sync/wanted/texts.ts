// Pages and assignments as files: rendered only if their content, or the path of an item that they link to, has changed.

import { createHash } from 'node:crypto';
import { t } from '../../../language/texts';
import type { AssignmentJson, CourseJson, PageJson, SubmissionJson } from '../../model/resources';
import { type Key, type Path, parsedDate, type Wanted } from '../../model/trees';
import type { Cache } from '../../store/cache';
import type { KeptDocument } from '../../store/kept_documents';
import { assignmentDocument, type DocumentContext, documentVersion, pageDocument } from '../../text/documents';
import type { Linked } from '../../text/links';

export interface WantedText {
  readonly course: Pick<CourseJson, 'id' | 'name'>;
  readonly page?: PageJson;
  readonly assignment?: AssignmentJson;
  readonly submission?: SubmissionJson;
}

/** Renders texts, and reports the links of each. */
interface Writing {
  readonly textOf: (key: Key) => string;
  /** The HTML, with the items that it links to. */
  readonly write: (key: Key) => { readonly html: string; readonly links: readonly string[] };
  /** The current state of a text and of everything that it links to. */
  readonly fingerprint: (key: Key, links: readonly string[]) => string;
}

/** Texts, their paths, and the stored results. */
export interface TextLibrary {
  readonly texts: Map<Key, WantedText>;
  readonly paths: ReadonlyMap<Key, Path>;
  readonly tree: Map<Key, Wanted>;
  /** Which texts link to an item. */
  readonly linking: Map<string, Set<Key>>;
  readonly writing: Writing;
}

export function writer(texts: ReadonlyMap<Key, WantedText>, paths: ReadonlyMap<Key, Path>, base: string): Writing {
  const pages = new Map([...texts].flatMap(([key, { course, page }]) => (page ? [[pageLink(course.id, page.url), key]] : [])));
  const linkOf = (linked: Linked): string =>
    linked.kind === 'page' ? pageLink(linked.course_id, linked.url) : `${linked.kind}:${linked.id}`;
  // Links are relative paths, so the text depends on where those items are.
  const pathOf = (link: string) => paths.get(pages.get(link) ?? link);
  const write = (key: Key) => {
    const { course, page, assignment, submission } = texts.get(key) ?? {};
    const path = paths.get(key);
    if (path === undefined || !course) throw new Error(t('why.notInCourse'));
    const links = new Set<string>();
    const pathOfLinked = (linked: Linked) => {
      links.add(linkOf(linked));
      return pathOf(linkOf(linked));
    };
    const around: DocumentContext = { base, courseName: course.name ?? '', path, pathOf: pathOfLinked };
    if (page) return { html: pageDocument(page, around), links: [...links] };
    if (assignment) return { html: assignmentDocument(assignment, submission, around), links: [...links] };
    throw new Error('a text is a page or an assignment');
  };
  return {
    write,
    textOf: (key) => write(key).html,
    fingerprint: (key, links) =>
      digest([documentVersion(), base, paths.get(key), texts.get(key), links.map((link) => [link, pathOf(link)])]),
  };
}

const pageLink = (place: number, url: string): string => `page ${place} ${url}`;

/** All texts, and the documents to store for them. Pauses between slices. */
export function* writeDown(library: TextLibrary, cache: Cache): Generator<void> {
  const known = cache.documents.all();
  const fresh = new Map<Key, KeptDocument>();
  let sinceLast = 0;
  for (const key of library.texts.keys()) {
    const document = library.paths.has(key) ? wantText(key, library, known.get(key)) : undefined;
    if (document && document !== known.get(key)) fresh.set(key, document);
    if (++sinceLast % 200 === 0) yield;
  }
  cache.documents.keep(fresh);
}

/** Renders one text again if its stored document is outdated. */
export function wantText(key: Key, { texts, paths, tree, linking, writing }: TextLibrary, known: KeptDocument | undefined): KeptDocument {
  let document = known;
  if (!document || document.fingerprint !== writing.fingerprint(key, document.links)) {
    const { html, links } = writing.write(key);
    const sha256 = createHash('sha256').update(html).digest('hex');
    document = { fingerprint: writing.fingerprint(key, links), sha256, size: Buffer.byteLength(html), links };
  }
  for (const link of document.links) linking.set(link, (linking.get(link) ?? new Set()).add(key));
  const { page, assignment } = texts.get(key) as WantedText; // asked for texts only
  const modified = parsedDate(page?.updated_at ?? assignment?.updated_at);
  const { sha256: hash, size } = document;
  tree.set(key, { path: paths.get(key) as Path, hash, size, available: true, generated: true, modified });
  return document;
}

const digest = (value: unknown): string => createHash('sha1').update(JSON.stringify(value)).digest('base64');
