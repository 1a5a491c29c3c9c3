// The modules of a cartridge without Canvas' settings, from the tree of its manifest. Pure.

import type { Manifest, ManifestItem } from '../../../cartridge/manifest';
import type { Packaged } from '../../../cartridge/settings/shape';
import type { modulesShape } from '../../../cartridge/settings/shapes';

export type PackagedModule = NonNullable<Packaged<typeof modulesShape>['modules']>[number];
type PackagedItem = NonNullable<PackagedModule['items']>[number];

/** What a resource becomes in a module. */
export interface ItemFacts {
  readonly content_type: string;
  readonly url?: string;
  readonly new_tab?: boolean;
}

const deepest = 5;

/** Headings and content in order; an item of an inner folder is indented. */
function itemsBelow(parent: ManifestItem, factsOf: (resource: string) => ItemFacts | undefined, indent: number): PackagedItem[] {
  return parent.items.flatMap((item, at): PackagedItem[] => {
    const identifier = item.identifier || `${parent.identifier}_${at}`;
    const facts = item.resource === undefined ? undefined : factsOf(item.resource);
    const self: PackagedItem = {
      identifier,
      workflow_state: 'active',
      title: item.title || 'Untitled',
      indent: Math.min(indent, deepest),
      content_type: facts?.content_type ?? 'ContextModuleSubHeader',
      ...(item.resource === undefined ? {} : { identifierref: item.resource }),
      ...(facts?.url === undefined ? {} : { url: facts.url }),
      ...(facts?.new_tab ? { new_tab: true } : {}),
    };
    const inner = itemsBelow(item, factsOf, indent + 1);
    return facts || item.resource === undefined ? [self, ...inner] : inner;
  });
}

/**
 * Items with items of their own are modules; the others are in one module.
 * @param factsOf undefined for a resource that was not imported
 */
export function plainModules({ items }: Pick<Manifest, 'items'>, factsOf: (resource: string) => ItemFacts | undefined): PackagedModule[] {
  const loose = items.filter((item) => item.items.length === 0);
  const folders = items.filter((item) => item.items.length > 0);
  const collected: ManifestItem[] =
    loose.length > 0 ? [{ identifier: 'loose_items', title: folders.length > 0 ? 'Miscellaneous' : 'Course content', items: loose }] : [];
  return [...folders, ...collected]
    .map((item, at) => ({
      identifier: item.identifier || `module_${at}`,
      title: item.title || 'Untitled module',
      workflow_state: 'active',
      position: at + 1,
      items: itemsBelow(item, factsOf, 0).map((one, position) => ({ ...one, position: position + 1 })),
    }))
    .filter(({ items: some }) => some.length > 0);
}
