// What a cartridge contains, by its manifest and the paths of its entries. Pure.

import { lookUp } from '@carrel/shared/wire/look_up';
import { resourceLinksFolder } from '../../../cartridge/content/resource_link';
import type { Manifest, ManifestResource } from '../../../cartridge/manifest';
import { type QtiDocument, qtiDocumentsOf } from '../../../cartridge/qti/package';

export interface PackagedDocument {
  readonly identifier: string;
  readonly path: string;
  /** The file with its settings. */
  readonly meta?: string;
}

export interface CartridgeContents {
  /** Whether it has the settings of Canvas. */
  readonly isCanvas: boolean;
  readonly files: readonly PackagedDocument[];
  readonly pages: readonly PackagedDocument[];
  /** With their settings; of Common Cartridge 1.3, one document has both. */
  readonly assignments: readonly PackagedDocument[];
  readonly topics: readonly PackagedDocument[];
  readonly quizzes: readonly QtiDocument[];
  readonly links: readonly PackagedDocument[];
  readonly tools: readonly PackagedDocument[];
  /** Links to resources of tools, as only Canvas has them. */
  readonly resourceLinks: readonly PackagedDocument[];
  readonly syllabus?: string;
  /** Types of resources that are not imported. */
  readonly unknown: readonly string[];
}

export const settingsFolder = 'course_settings/';
export const mediaTracksName = 'media_tracks.xml';
const marker = `${settingsFolder}canvas_export.txt`;
const metaName = 'assignment_settings.xml';

/** The type of a resource without its version. */
function typeOf({ type, href = '', intendeduse }: ManifestResource): string {
  const plain = type.toLowerCase();
  if (/^imsdt_/.test(plain)) return 'topic';
  if (/^imswl_/.test(plain)) return 'link';
  if (/^imsbasiclti_/.test(plain)) return 'tool';
  if (/^imsqti/.test(plain)) return 'quiz';
  if (/^assignment_xml/.test(plain)) return 'assignment';
  if (plain === 'webcontent' && /(^|\/)wiki_content\/[^/]+\.html?$/i.test(href)) return 'page';
  if (plain === 'webcontent' && intendeduse === 'assignment' && /\.html?$/i.test(href)) return 'assignment';
  if (plain === 'webcontent') return 'file';
  return /^associatedcontent\//.test(plain) ? 'associated' : plain;
}

const isDocument = (path: string, present: ReadonlySet<string>): boolean => present.has(path);

class Sorting {
  readonly present: ReadonlySet<string>;
  readonly isCanvas: boolean;
  readonly files = new Map<string, PackagedDocument>();
  readonly pages: PackagedDocument[] = [];
  readonly assignments: PackagedDocument[] = [];
  readonly topics: PackagedDocument[] = [];
  readonly links: PackagedDocument[] = [];
  readonly tools: PackagedDocument[] = [];
  readonly resourceLinks: PackagedDocument[] = [];
  readonly unknown = new Set<string>();
  syllabus: string | undefined;
  readonly #resources: ReadonlyMap<string, ManifestResource>;

  constructor({ resources }: Manifest, paths: readonly string[]) {
    this.#resources = new Map(resources.toReversed().map((one) => [one.identifier, one]));
    this.present = new Set(paths);
    this.isCanvas = this.present.has(marker) || this.present.has(`${settingsFolder}course_settings.xml`);
  }

  private pathsOf({ href, files }: ManifestResource): string[] {
    return [...new Set([...(href === undefined ? [] : [href]), ...files])]
      .map(decodedPath(this.present))
      .filter((one) => isDocument(one, this.present));
  }

  private addFiles({ identifier }: ManifestResource, paths: readonly string[]): void {
    for (const [at, path] of paths.entries())
      if (!this.files.has(path)) this.files.set(path, { identifier: at === 0 ? identifier : `${identifier}/${path}`, path });
  }

  private addTopic(resource: ManifestResource, path: string): void {
    const near = resource.dependencies.flatMap((id) => this.#resources.get(id) ?? []);
    const meta = this.isCanvas ? near.flatMap((one) => this.pathsOf(one)).find((one) => one.endsWith('.xml')) : undefined;
    this.topics.push({ identifier: resource.identifier, path, ...(meta === undefined ? {} : { meta }) });
  }

  /** Files beside quizzes and topics belong to these; others are files of the course. */
  private addAssociated(resource: ManifestResource, paths: readonly string[]): void {
    const { identifier } = resource;
    if (resource.intendeduse === 'syllabus' && paths[0] !== undefined) {
      this.syllabus = paths[0];
      return;
    }
    const meta = paths.find((path) => path.endsWith(`/${metaName}`));
    const html = paths.find((path) => /\.html?$/i.test(path));
    if (meta !== undefined) this.assignments.push({ identifier, path: html ?? meta, meta });
    else if (!this.isCanvas)
      this.addFiles(
        resource,
        paths.filter((path) => !path.endsWith('.xml')),
      );
  }

  add(resource: ManifestResource): void {
    const { identifier } = resource;
    const paths = this.pathsOf(resource);
    const [path] = paths;
    const type = typeOf(resource);
    // The same assignment for readers that know no assignments.
    const isFallback = this.isCanvas && identifier.endsWith('_fallback');
    if (type === 'quiz' || path === undefined || isFallback) return;
    const lists: Readonly<Record<string, PackagedDocument[]>> = {
      page: this.pages,
      link: this.links,
      tool: this.isCanvas && path.startsWith(resourceLinksFolder) ? this.resourceLinks : this.tools,
      assignment: this.assignments,
    };
    const list = lookUp(lists, type);
    if (list) list.push({ identifier, path });
    else if (type === 'topic') this.addTopic(resource, path);
    else if (type === 'associated') this.addAssociated(resource, paths);
    else if (type === 'file') this.addFiles(resource, paths);
    else this.unknown.add(resource.type);
  }
}

/** Some writers encode the paths of a manifest, others do not. */
const decodedPath =
  (present: ReadonlySet<string>) =>
  (path: string): string => {
    if (present.has(path)) return path;
    try {
      return decodeURIComponent(path);
    } catch {
      return path;
    }
  };

/** @param paths of the entries, below the folder of the manifest */
export function cartridgeContentsOf(manifest: Manifest, paths: readonly string[]): CartridgeContents {
  const sorting = new Sorting(manifest, paths);
  for (const resource of manifest.resources) sorting.add(resource);
  const { files, syllabus, unknown, present, isCanvas, ...lists } = sorting;
  return {
    isCanvas,
    files: [...files.values()],
    pages: lists.pages,
    assignments: lists.assignments,
    topics: lists.topics,
    links: lists.links,
    tools: lists.tools,
    resourceLinks: lists.resourceLinks,
    quizzes: banksFirst(qtiDocumentsOf(manifest, paths)),
    ...(syllabus === undefined ? {} : { syllabus }),
    unknown: [...unknown],
  };
}

/** Quizzes refer to banks, which have no settings. */
const banksFirst = (documents: readonly QtiDocument[]): QtiDocument[] => [
  ...documents.filter(({ meta }) => meta === undefined),
  ...documents.filter(({ meta }) => meta !== undefined),
];

/** Bytes of all documents that become rows, as often as the manifest names them. @param sizeOf a path, unpacked */
export const documentBytes = (
  { pages, assignments, topics, quizzes, links, tools, resourceLinks }: CartridgeContents,
  sizeOf: (path: string) => number,
): number =>
  [...pages, ...assignments, ...topics, ...quizzes, ...links, ...tools, ...resourceLinks].reduce(
    (sum, { path, meta }: { readonly path: string; readonly meta?: string }) =>
      sum + sizeOf(path) + (meta === undefined ? 0 : sizeOf(meta)),
    0,
  );
