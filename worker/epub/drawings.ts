// SVG images as books may contain them: shapes, text and paints of the image itself, without scripts, links and anything from elsewhere. Pure.

import { lookUp } from '@carrel/shared/wire/look_up';
import { readXml, type XmlChild, type XmlElement } from '../cartridge/xml/read';
import { xml, xmlDocument } from '../cartridge/xml/write';

const words = (text: string): readonly string[] => text.split(/\s+/).filter((word) => word !== '');

const transformed = 'transform';
const box = 'viewBox preserveAspectRatio';
const gradient = 'gradientUnits gradientTransform spreadMethod';
const written = 'x y dx dy rotate textLength lengthAdjust';

/** The attributes of each element besides those of `painted` and `typed`. */
const shapesOf: Readonly<Record<string, string>> = {
  svg: `x y width height ${box}`,
  g: transformed,
  use: `x y width height ${transformed}`,
  path: `d ${transformed}`,
  rect: `x y width height rx ry ${transformed}`,
  circle: `cx cy r ${transformed}`,
  ellipse: `cx cy rx ry ${transformed}`,
  line: `x1 y1 x2 y2 ${transformed}`,
  polyline: `points ${transformed}`,
  polygon: `points ${transformed}`,
  text: `${written} ${transformed}`,
  tspan: written,
};
const partsOf: Readonly<Record<string, string>> = {
  title: '',
  desc: '',
  defs: '',
  symbol: box,
  linearGradient: `x1 y1 x2 y2 ${gradient}`,
  radialGradient: `cx cy r fx fy ${gradient}`,
  stop: 'offset stop-color stop-opacity',
  clipPath: `clipPathUnits ${transformed}`,
  mask: 'x y width height maskUnits maskContentUnits',
  pattern: `x y width height ${box} patternUnits patternContentUnits patternTransform`,
  marker: `${box} markerWidth markerHeight markerUnits orient refX refY`,
};
const painted =
  words(`opacity fill fill-opacity fill-rule clip-rule clip-path mask color display visibility stroke stroke-width stroke-linecap
  stroke-linejoin stroke-miterlimit stroke-opacity stroke-dasharray stroke-dashoffset marker-start marker-mid marker-end`);
const typed = words('font-family font-size font-style font-weight text-anchor text-decoration letter-spacing word-spacing');
const ofType: ReadonlySet<string> = new Set(['g', 'text', 'tspan']);

const attributesOf: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ...Object.entries(shapesOf).map(
    ([name, own]) => [name, new Set([...words(own), ...painted, ...(ofType.has(name) ? typed : [])])] as const,
  ),
  ...Object.entries(partsOf).map(([name, own]) => [name, new Set(words(own))] as const),
]);
const elements = attributesOf;
const ofText: ReadonlySet<string> = new Set(['text', 'tspan', 'title', 'desc']);

/** Without these, an element shows nothing, and is not valid. */
const needed: Readonly<Record<string, readonly string[]>> = {
  circle: ['r'],
  ellipse: ['rx', 'ry'],
  path: ['d'],
  polygon: ['points'],
  polyline: ['points'],
  rect: ['width', 'height'],
  stop: ['offset'],
  use: ['xlink:href'],
};

const units = /^(userSpaceOnUse|objectBoundingBox)$/;
const rule = /^(nonzero|evenodd|inherit)$/;
const number = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
const length = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?(em|ex|px|in|cm|mm|pt|pc|%)?$/i;
const lengths = /^[\d\s,.eE+%a-z-]+$/;
/** The values of attributes; others are kept as they are. */
const values: Readonly<Record<string, RegExp>> = {
  ...Object.fromEntries(
    words('x1 x2 y1 y2 cx cy r rx ry fx fy width height markerWidth markerHeight refX refY stroke-width stroke-dashoffset textLength').map(
      (name) => [name, length],
    ),
  ),
  ...Object.fromEntries(words('x y dx dy').map((name) => [name, lengths])),
  ...Object.fromEntries(words('opacity fill-opacity stroke-opacity stop-opacity stroke-miterlimit').map((name) => [name, number])),
  clipPathUnits: units,
  display: /^(inline|block|none|inherit)$/,
  'clip-rule': rule,
  'fill-rule': rule,
  'font-style': /^(normal|italic|oblique|inherit)$/,
  'font-weight': /^(normal|bold|bolder|lighter|[1-9]00|inherit)$/,
  gradientUnits: units,
  lengthAdjust: /^(spacing|spacingAndGlyphs)$/,
  markerUnits: /^(strokeWidth|userSpaceOnUse)$/,
  maskContentUnits: units,
  maskUnits: units,
  offset: /^(\d+\.?\d*|\.\d+)(e[+-]?\d+)?%?$/i,
  patternContentUnits: units,
  patternUnits: units,
  preserveAspectRatio: /^(none|x(Min|Mid|Max)Y(Min|Mid|Max))( (meet|slice))?$/,
  spreadMethod: /^(pad|reflect|repeat)$/,
  'stroke-linecap': /^(butt|round|square|inherit)$/,
  'stroke-linejoin': /^(miter|round|bevel|inherit)$/,
  'text-anchor': /^(start|middle|end|inherit)$/,
  viewBox: /^\s*[+-]?[\d.e+-]+([\s,]+[+-]?[\d.e+-]+){3}\s*$/i,
  visibility: /^(visible|hidden|collapse|inherit)$/,
};

/** The elements to which a value may refer, by attribute. */
const paints = ['linearGradient', 'radialGradient', 'pattern'];
const markers = ['marker'];
const targets: Readonly<Record<string, readonly string[]>> = {
  'clip-path': ['clipPath'],
  fill: paints,
  'marker-end': markers,
  'marker-mid': markers,
  'marker-start': markers,
  mask: ['mask'],
  stroke: paints,
};
/** The same for elements that repeat others, or take over what they have. */
const shapes = words('g path rect circle ellipse line polyline polygon text symbol use svg');
const hrefTargets: Readonly<Record<string, readonly string[]>> = {
  linearGradient: paints,
  pattern: ['pattern'],
  radialGradient: paints,
  use: shapes,
};

/** Elements that are repeated repeat no others, so that images stay small and end. */
const repeats = (element: XmlElement): boolean =>
  element.name === 'use' || element.children.some((child) => typeof child !== 'string' && repeats(child));

const isName = (id: string): boolean => /^[A-Za-z_][\w.-]*$/.test(id);

/** The elements with an id, of which the first counts. */
function namesIn(element: XmlElement, names: Map<string, XmlElement>): Map<string, XmlElement> {
  const { id } = element.attributes;
  if (id !== undefined && isName(id) && !names.has(id)) names.set(id, element);
  for (const child of element.children) if (typeof child !== 'string' && elements.has(child.name)) namesIn(child, names);
  return names;
}

/** Declarations of `style` as attributes, which have the same names. */
const declared = (style: string): Record<string, string> =>
  Object.fromEntries(
    style.split(';').flatMap((one) => {
      const [name = '', ...value] = one.split(':');
      return value.length > 0 ? [[name.trim(), value.join(':').trim()]] : [];
    }),
  );

function keptValue(name: string, value: string, names: ReadonlyMap<string, XmlElement>): boolean {
  const form = lookUp(values, name);
  if (form) return form.test(value);
  if (!/url\s*\(|[\\@]|javascript:/i.test(value)) return true;
  const id = /^url\(\s*["']?#([\w.-]+)["']?\s*\)(\s+none)?$/.exec(value)?.[1];
  return id !== undefined && (lookUp(targets, name)?.includes(names.get(id)?.name ?? '') ?? false);
}

function keptAttributes(element: XmlElement, names: ReadonlyMap<string, XmlElement>): Record<string, string> {
  const { id, style = '', href } = element.attributes;
  const all = { ...element.attributes, ...declared(style) };
  const own = Object.entries(all).filter(([name, value]) => elements.get(element.name)?.has(name) && keptValue(name, value.trim(), names));
  const to = href?.startsWith('#') ? names.get(href.slice(1)) : undefined;
  const leads = to !== undefined && to !== element && !repeats(to) && (lookUp(hrefTargets, element.name)?.includes(to.name) ?? false);
  return {
    ...(id !== undefined && names.get(id) === element && { id }),
    ...Object.fromEntries(own),
    ...(leads && { 'xlink:href': href as string }),
  };
}

function drawn(child: XmlChild, parent: string, names: ReadonlyMap<string, XmlElement>): XmlChild[] {
  if (typeof child === 'string') return ofText.has(parent) ? [child] : [];
  if (!elements.has(child.name)) return [];
  const kept = keptAttributes(child, names);
  if (lookUp(needed, child.name)?.some((name) => lookUp(kept, name) === undefined)) return [];
  const inside = child.children.flatMap((one) => drawn(one, child.name, names));
  return [xml(child.name, kept, inside)];
}

/** Larger images are not read. */
export const mostOfDrawing = 1_000_000;

/** The image for a book; undefined for what is no SVG. @throws BadXml */
export function bookDrawing(text: string): string | undefined {
  const root = readXml(text);
  if (root.name !== 'svg') return undefined;
  const names = namesIn(root, new Map());
  const own = { xmlns: 'http://www.w3.org/2000/svg', 'xmlns:xlink': 'http://www.w3.org/1999/xlink', ...keptAttributes(root, names) };
  return xmlDocument(
    xml(
      'svg',
      own,
      root.children.flatMap((one) => drawn(one, 'svg', names)),
    ),
  );
}
