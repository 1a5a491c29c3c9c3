// Links to external tools (LTI), as every Common Cartridge has them, with Canvas' extensions: also the XML of a tool's configuration. Pure.

import { BadXml, readXml, textAt, type XmlElement } from '../xml/read';
import { xml, xmlDocument } from '../xml/write';

export interface PackagedTool {
  readonly title: string;
  /** As written: it must be checked before it is used. */
  readonly url: string;
}

/** @throws BadXml */
export function readToolLink(document: string): PackagedTool {
  const root = readXml(document);
  if (!/^cartridge_(basiclti|blti)_link$/.test(root.name) && root.name !== 'basic_lti_link')
    throw new BadXml('The document is no link to a tool.');
  return { title: textAt(root, 'title') ?? '', url: textAt(root, 'secure_launch_url') ?? textAt(root, 'launch_url') ?? '' };
}

/** Ends the identifier of a module item's link to a tool that the package does not have. */
export const toolItemSuffix = '_tool';

type Values = Readonly<Record<string, unknown>>;

export interface ToolLinkGiven {
  readonly title: string;
  readonly description: string | null;
  readonly url: string | null;
  readonly icon_url: string | null;
  readonly custom_fields: Readonly<Record<string, string>>;
  /** What only Canvas knows, by name. */
  readonly extensions: Values;
  /** By name. */
  readonly placements: Readonly<Record<string, Values>>;
}

const toolProperty = (name: string, value: unknown): XmlElement => xml('lticm:property', { name }, String(value));

/** Values that are objects, such as labels by language, are options of their own. */
export const toolProperties = (values: Values): XmlElement[] =>
  Object.entries(values).flatMap(([name, value]) =>
    value === null || value === undefined
      ? []
      : typeof value === 'object'
        ? [xml('lticm:options', { name }, toolProperties(value as Values))]
        : [toolProperty(name, value)],
  );

const base = 'http://www.imsglobal.org/xsd/';

/** The namespaces of a link. @param own that of its root */
export const toolLinkNames = (own: 'imslticc_v1p0' | 'imslticc_v1p3') => ({
  xmlns: `${base}${own}`,
  'xmlns:blti': `${base}imsbasiclti_v1p0`,
  'xmlns:lticm': `${base}imslticm_v1p0`,
  'xmlns:lticp': `${base}imslticp_v1p0`,
});

/** Without key and secret. */
export const writeToolLink = ({ title, description, url, icon_url, custom_fields, extensions, placements }: ToolLinkGiven): string =>
  xmlDocument(
    xml(
      'cartridge_basiclti_link',
      toolLinkNames('imslticc_v1p0'),
      xml('blti:title', {}, title),
      description === null ? undefined : xml('blti:description', {}, description),
      url === null ? undefined : xml(/^https:/i.test(url) ? 'blti:secure_launch_url' : 'blti:launch_url', {}, url),
      icon_url === null ? undefined : xml('blti:icon', {}, icon_url),
      xml('blti:vendor', {}, xml('lticp:code', {}, 'unknown'), xml('lticp:name', {}, 'unknown')),
      Object.keys(custom_fields).length === 0 ? undefined : xml('blti:custom', {}, toolProperties(custom_fields)),
      xml(
        'blti:extensions',
        { platform: 'canvas.instructure.com' },
        toolProperties(extensions),
        Object.entries(placements).map(([name, values]) => xml('lticm:options', { name }, toolProperties(values))),
      ),
    ),
  );
