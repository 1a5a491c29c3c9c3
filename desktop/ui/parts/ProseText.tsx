// User-written text drawn from its tree: their markup is never inserted as HTML.

import { createElement, Fragment, type ReactNode } from 'react';
import type { Prose, ProseElement } from '../../contract/reading.ts';
import { langOf } from '../../language/guess_language.ts';
import { addressOfFile } from '../routes.ts';

export const ProseText = ({ of, className = 'words' }: { of: Prose; className?: string }) =>
  of.length === 0 ? null : (
    <div className={className} lang={langOf(plain(of))}>
      {draw(of)}
    </div>
  );

/** Formulas have no language. */
const plain = (parts: Prose): string =>
  parts.map((part) => (typeof part === 'string' ? part : part.tag === 'math' ? '' : plain(part.of))).join(' ');

/** Spread, because children of a text have no keys but their order. */
const draw = (parts: Prose): ReactNode => createElement(Fragment, null, ...parts.map(drawn));

const drawn = (part: Prose[number]): ReactNode => (typeof part === 'string' ? part : <Element of={part} />);

function Element({ of: { tag, href, src, alt = '', math, of } }: { of: ProseElement }) {
  if (tag === 'math') return createElement(math?.name ?? 'math', math?.given, ...of.map(drawn));
  if (tag === 'br' || tag === 'hr') return tag === 'br' ? <br /> : <hr />;
  if (tag === 'img') return src ? <img src={src} alt={alt} loading="lazy" /> : null;
  if (tag === 'a') return <Link href={href}>{draw(of)}</Link>;
  const Tag = tag;
  return <Tag>{draw(of)}</Tag>;
}

/** Only links to items here or to the web become links; any other address is plain text. */
export function Link({ href, children }: { href: string | undefined; children: ReactNode }) {
  if (!href) return children;
  const file = /^\/files\/(\d+)/.exec(href)?.[1];
  if (file) return <a href={addressOfFile(Number(file))}>{children}</a>;
  if (href.startsWith('#/')) return <a href={href}>{children}</a>;
  return /^(https?|mailto):/.test(href) ? (
    <a href={href} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  ) : (
    children
  );
}
