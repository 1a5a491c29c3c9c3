// The manifest of a package: what its files are and how they belong together. Pure.

import { BadXml, elementsOf, firstElement, readXml, textAt, type XmlElement } from './xml/read';
import { xml, xmlDocument } from './xml/write';

/** A file of a package. */
export interface PackageFile {
  readonly path: string;
  readonly content: string;
}

export interface ManifestResource {
  readonly identifier: string;
  readonly type: string;
  readonly href?: string;
  readonly intendeduse?: string;
  readonly files: readonly string[];
  /** Identifiers of resources that it needs. */
  readonly dependencies: readonly string[];
}

/** A module, or an item of one. */
export interface ManifestItem {
  readonly identifier: string;
  readonly title: string;
  /** The identifier of its resource. */
  readonly resource?: string;
  readonly items: readonly ManifestItem[];
}

export interface Manifest {
  readonly identifier: string;
  readonly title: string;
  /** `1.1.0` */
  readonly version: string;
  readonly items: readonly ManifestItem[];
  readonly resources: readonly ManifestResource[];
}

/** A day, `2026-11-23`. */
type Day = string;

const base = 'http://www.imsglobal.org/xsd/';
const partOf = (version: string) => (version.startsWith('1.3') ? 'v1p3' : 'v1p1');

/** The types of resources in a package of a version, `1.1.0` or `1.3.0`. */
export function resourceTypes(version: string) {
  const part = partOf(version);
  return {
    content: 'webcontent',
    associated: `associatedcontent/imscc_xml${part}/learning-application-resource`,
    topic: `imsdt_xml${part}`,
    link: `imswl_xml${part}`,
    tool: 'imsbasiclti_xmlv1p0',
    resourceLink: 'imsbasiclti_xmlv1p3',
    assessment: `imsqti_xmlv1p2/imscc_xml${part}/assessment`,
  } as const;
}
export type ResourceTypes = ReturnType<typeof resourceTypes>;

const namespaces = (version: string) => {
  const part = `imscc${partOf(version)}`;
  const lom = `http://ltsc.ieee.org/xsd/${part}/LOM`;
  return {
    xmlns: `${base}${part}/imscp_v1p1`,
    'xmlns:lom': `${lom}/resource`,
    'xmlns:lomimscc': `${lom}/manifest`,
    'xmlns:xsi': 'http://www.w3.org/2001/XMLSchema-instance',
  };
};

const item = ({ identifier, title, resource, items }: ManifestItem): XmlElement =>
  xml('item', { identifier, identifierref: resource }, xml('title', {}, title), items.map(item));

export const writeManifest = (manifest: Manifest, day: Day): string =>
  xmlDocument(
    xml(
      'manifest',
      { identifier: manifest.identifier, ...namespaces(manifest.version) },
      xml(
        'metadata',
        {},
        xml('schema', {}, 'IMS Common Cartridge'),
        xml('schemaversion', {}, manifest.version),
        xml(
          'lomimscc:lom',
          {},
          xml('lomimscc:general', {}, xml('lomimscc:title', {}, xml('lomimscc:string', {}, manifest.title))),
          xml('lomimscc:lifeCycle', {}, xml('lomimscc:contribute', {}, xml('lomimscc:date', {}, xml('lomimscc:dateTime', {}, day)))),
        ),
      ),
      xml(
        'organizations',
        {},
        manifest.items.length === 0
          ? undefined
          : xml(
              'organization',
              { identifier: 'org_1', structure: 'rooted-hierarchy' },
              xml('item', { identifier: 'LearningModules' }, manifest.items.map(item)),
            ),
      ),
      xml(
        'resources',
        {},
        manifest.resources.map(({ files, dependencies, ...attributes }) =>
          xml(
            'resource',
            { ...attributes },
            files.map((href) => xml('file', { href })),
            dependencies.map((identifierref) => xml('dependency', { identifierref })),
          ),
        ),
      ),
    ),
  );

const readItem = (element: XmlElement): ManifestItem => ({
  identifier: element.attributes.identifier ?? '',
  title: textAt(element, 'title') ?? '',
  ...(element.attributes.identifierref ? { resource: element.attributes.identifierref } : {}),
  items: elementsOf(element, 'item').map(readItem),
});

function readResource(element: XmlElement): ManifestResource {
  const { identifier = '', type = '', href, intendeduse } = element.attributes;
  return {
    identifier,
    type,
    ...(href === undefined ? {} : { href }),
    ...(intendeduse === undefined ? {} : { intendeduse }),
    files: elementsOf(element, 'file').flatMap(({ attributes }) => attributes.href ?? []),
    dependencies: elementsOf(element, 'dependency').flatMap(({ attributes }) => attributes.identifierref ?? []),
  };
}

/**
 * Of Common Cartridge 1.0 to 1.3 and of QTI packages. Paths are as written: they must be checked before they are used.
 * @throws BadXml
 */
export function readManifest(document: string): Manifest {
  const root = readXml(document);
  if (root.name !== 'manifest') throw new BadXml('imsmanifest.xml is no manifest.');
  const [metadata, organization] = [firstElement(root, 'metadata'), firstElement(root, 'organizations', 'organization')];
  const tops = elementsOf(organization, 'item');
  // One item without a title only holds the others.
  const [top] = tops;
  const isRooted = tops.length === 1 && top !== undefined && textAt(top, 'title') === undefined;
  return {
    identifier: root.attributes.identifier ?? '',
    title: textAt(metadata, 'lom', 'general', 'title', 'string') ?? textAt(metadata, 'lom', 'general', 'title', 'langstring') ?? '',
    version: textAt(metadata, 'schemaversion') ?? '',
    items: (isRooted ? elementsOf(top, 'item') : tops).map(readItem),
    resources: elementsOf(firstElement(root, 'resources'), 'resource').map(readResource),
  };
}
