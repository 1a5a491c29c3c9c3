// How the editor shows images, and pieces of a text that it keeps as they are.

import type { NodeViewRenderer } from '@tiptap/react';
import { t } from '../../../language/texts.ts';
import { call } from '../../host.ts';

/** @param localOf the address of an image on this computer */
export const imageView =
  (localOf: (address: string) => string | undefined): NodeViewRenderer =>
  ({ node }) => {
    const dom = document.createElement('img');
    const address = String(node.attrs.src ?? '');
    dom.alt = String(node.attrs.alt ?? '');
    dom.title = dom.alt;
    const { kept } = node.attrs as { kept?: Readonly<Record<string, string>> | null };
    for (const name of ['width', 'height', 'style', 'class']) if (kept?.[name]) dom.setAttribute(name, kept[name]);
    if (address.startsWith('unsent:'))
      void call('authoring.image', { sha256: address.slice('unsent:'.length) })
        .then((url) => {
          if (url) dom.src = url;
        })
        .catch(() => undefined);
    else {
      const local = localOf(address) ?? (address.startsWith('data:') ? address : undefined);
      if (local) dom.src = local;
    }
    return { dom };
  };

export const keptView: NodeViewRenderer = ({ node }) => {
  const element = new DOMParser().parseFromString(String(node.attrs.html), 'text/html').body.firstElementChild;
  const dom = document.createElement(node.isInline ? 'span' : 'div');
  dom.className = 'kept-piece';
  dom.contentEditable = 'false';
  const name = element?.tagName.toLowerCase() ?? '';
  const words = (element?.getAttribute('title') || element?.textContent || element?.getAttribute('src') || '').trim();
  dom.textContent = words === '' ? t('author.kept', { name }) : t('author.keptOf', { name, words: words.slice(0, 80) });
  return { dom };
};
