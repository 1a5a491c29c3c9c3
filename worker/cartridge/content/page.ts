// Pages of a Canvas package: HTML documents with their settings in meta elements. Pure.

import { lookUp } from '@carrel/shared/wire/look_up';
import { htmlToText } from '../../html/plain';
import { xmlText } from '../xml/write';

/** In the order in which they are written. */
const metaNames = [
  'identifier',
  'editing_roles',
  'notify_of_update',
  'workflow_state',
  'front_page',
  'module_locked',
  'assignment_identifier',
  'todo_date',
  'publish_at',
] as const;
type MetaName = (typeof metaNames)[number];

/** Blank settings are left out. */
export interface PackagedPage extends Partial<Readonly<Record<MetaName, string>>> {
  readonly title: string;
  /** Raw HTML. */
  readonly body: string;
}

const quoted = (text: string): string => xmlText(text).replaceAll('"', '&quot;');

export const writePackagedPage = ({ title, body, ...meta }: PackagedPage): string =>
  [
    '<html>',
    '<head>',
    '<meta http-equiv="Content-Type" content="text/html; charset=utf-8"/>',
    `<title>${xmlText(title)}</title>`,
    ...metaNames.flatMap((name) => {
      const value = meta[name];
      return value ? [`<meta name="${name}" content="${quoted(value)}"/>`] : [];
    }),
    '</head>',
    `<body>${body}</body>`,
    '</html>',
    '',
  ].join('\n');

const attribute = (tag: string, name: string): string | undefined => {
  const found = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`, 'i').exec(tag);
  return found ? (found[1] ?? found[2] ?? '') : undefined;
};

/** Of any HTML file: without a body element the whole text is the body, and without a title it is blank. */
export function readPackagedPage(document: string): PackagedPage {
  const start = /<body\b[^>]*>/i.exec(document);
  const head = start ? document.slice(0, start.index) : document;
  const end = document.toLowerCase().lastIndexOf('</body>');
  const bodyStart = start ? start.index + start[0].length : 0;
  const meta = [...head.matchAll(/<meta\b[^>]*>/gi)].flatMap(([tag]) => {
    const [name, content] = [attribute(tag, 'name'), attribute(tag, 'content')];
    const isKnown = metaNames.some((one) => one === name);
    return isKnown && name !== undefined && content ? [[name, htmlToText(content)] as const] : [];
  });
  return {
    ...Object.fromEntries(
      metaNames.flatMap((name) => {
        const value = lookUp(Object.fromEntries(meta), name);
        return value === undefined ? [] : [[name, value]];
      }),
    ),
    title: htmlToText(/<title\b[^>]*>([^<]*)<\/title>/i.exec(head)?.[1] ?? ''),
    body: document.slice(bodyStart, end >= bodyStart && start ? end : undefined),
  };
}
