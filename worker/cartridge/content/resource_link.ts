// Links to resources of tools in Canvas packages: what a link opens, and its custom values. Pure.

import { BadXml, descendants, firstElement, readXml, textAt, textOfElement } from '../xml/read';
import { xml, xmlDocument } from '../xml/write';
import { toolLinkNames, toolProperties } from './tool_link';

/** The folder of these links in a package. */
export const resourceLinksFolder = 'lti_resource_links/';

export interface PackagedResourceLink {
  readonly title: string;
  /** As written: it must be checked before it is used. */
  readonly url: string;
  readonly custom: Readonly<Record<string, string>>;
  /** By which assignments, module items and texts name the link. */
  readonly lookup_uuid: string;
}

export const writeResourceLink = ({ title, url, custom, lookup_uuid }: PackagedResourceLink): string =>
  xmlDocument(
    xml(
      'cartridge_basiclti_link',
      toolLinkNames('imslticc_v1p3'),
      xml('blti:title', {}, title),
      xml(/^https:/i.test(url) ? 'blti:secure_launch_url' : 'blti:launch_url', {}, url),
      Object.keys(custom).length === 0 ? undefined : xml('blti:custom', {}, toolProperties(custom)),
      xml('blti:extensions', { platform: 'canvas.instructure.com' }, toolProperties({ lookup_uuid, resource_link_url: url })),
    ),
  );

/** @throws BadXml for another document, and for a link without a lookup uuid */
export function readResourceLink(document: string): PackagedResourceLink {
  const root = readXml(document);
  if (root.name !== 'cartridge_basiclti_link') throw new BadXml('The document is no link to a tool.');
  const extensions = new Map(
    descendants(firstElement(root, 'extensions'), 'property').map((one) => [one.attributes.name ?? '', textOfElement(one).trim()]),
  );
  const lookup_uuid = extensions.get('lookup_uuid');
  if (!lookup_uuid) throw new BadXml('The link has no lookup uuid.');
  const url = extensions.get('resource_link_url') || textAt(root, 'secure_launch_url') || textAt(root, 'launch_url') || '';
  const custom = descendants(firstElement(root, 'custom'), 'property').map((one) => [one.attributes.name ?? '', textOfElement(one)]);
  return { title: textAt(root, 'title') ?? '', url, custom: Object.fromEntries(custom), lookup_uuid };
}
