// A message with elements: `<a>…</a>` is drawn by the function of that name.

import { createElement, Fragment, type ReactNode } from 'react';
import { type MessageKey, messageOf } from '../../language/texts.ts';

type Drawn = (text: ReactNode) => ReactNode;

export function rich(key: MessageKey, values: Readonly<Record<string, string | number | Drawn>>): ReactNode {
  const given = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === 'function' ? (parts: ReactNode[]) => value(drawn(parts)) : value,
  ]);
  const parts = messageOf(key).format<ReactNode>(Object.fromEntries(given));
  return drawn(Array.isArray(parts) ? parts : [parts]);
}

/** Spread, because children of a text have no keys but their order. */
const drawn = (parts: readonly ReactNode[]): ReactNode => createElement(Fragment, null, ...parts);
