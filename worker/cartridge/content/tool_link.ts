// Links to external tools (LTI), as every Common Cartridge has them. Pure.

import { BadXml, readXml, textAt } from '../xml/read';

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
