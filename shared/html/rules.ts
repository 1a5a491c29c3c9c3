// What course HTML may contain, as data: elements with their attributes, properties of styles, and schemes of addresses.
//
// Sources: the fields that the reference calls sanitised HTML (references 02 to 05), and Canvas' published allow-list of its editor.
// Deliberately stricter than Canvas' list: no `object`, `embed` and `param`, which run plug-ins; no `name` and no forms, which replace
// properties of the scripts of a page; frames by absolute address only; and no styles that position a text over the page around it.

/** `words('a b')` is `['a', 'b']`. */
const words = (text: string): readonly string[] => text.split(/\s+/).filter((word) => word !== '');

/** On every element. The `data-` attributes are those that Canvas' editor and API write for links, media and formulas. */
const commonAttributes = words(`
  class id title lang dir style role
  aria-atomic aria-busy aria-controls aria-describedby aria-disabled aria-expanded aria-haspopup aria-hidden aria-invalid aria-label
  aria-labelledby aria-level aria-live aria-orientation aria-owns aria-pressed aria-readonly aria-relevant aria-required aria-selected
  aria-sort aria-valuemax aria-valuemin aria-valuenow aria-valuetext
  data-api-endpoint data-api-returntype data-course-type data-equation-content data-media-id data-media-type data-published
`);

/** Elements without attributes of their own. */
const plain = words(`
  abbr address article aside b bdi bdo big br caption center cite code data dd dfn div dl dt em figcaption figure footer
  h1 h2 h3 h4 h5 h6 header i kbd main mark nav p picture pre rp rt ruby s samp section small span strike strong sub summary sup time tt
  u var wbr
`);

const aligned = 'align valign';
const cell = `${aligned} abbr axis colspan headers height rowspan scope width`;
const playable = 'autoplay controls crossorigin loop muted preload src';

const withAttributes: Readonly<Record<string, string>> = {
  a: 'href target',
  area: 'alt coords href shape',
  audio: playable,
  blockquote: 'cite',
  col: `${aligned} span width`,
  colgroup: `${aligned} span width`,
  del: 'cite datetime',
  details: 'open',
  font: 'color face size',
  hr: 'align size width',
  iframe: 'allow allowfullscreen height loading src width',
  img: 'align alt height loading src width',
  ins: 'cite datetime',
  li: 'type value',
  ol: 'reversed start type',
  q: 'cite',
  source: 'src type',
  table: 'align border cellpadding cellspacing frame rules summary valign width',
  tbody: aligned,
  td: cell,
  tfoot: aligned,
  th: cell,
  thead: aligned,
  tr: `${aligned} rowspan`,
  track: 'kind label src srclang',
  ul: 'type',
  video: `${playable} height playsinline poster width`,
};

/** MathML Core without the elements that link, contain another language, or act on a click. */
export const mathElements = words(`
  math mrow mi mo mn ms mspace mtext mfrac msqrt mroot mstyle merror mpadded mphantom msub msup msubsup munder mover munderover
  mmultiscripts mprescripts mtable mtr mtd menclose
`);
export const mathAttributes = words(`
  display displaystyle scriptlevel mathvariant form fence separator stretchy symmetric largeop movablelimits accent accentunder lspace
  rspace minsize maxsize width height depth voffset linethickness columnalign columnspan rowspan rowspacing columnspacing columnlines
  rowlines notation
`);

/** The allowed attributes of each allowed element. */
export const allowedElements: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(plain.map((name) => [name, commonAttributes])),
  ...Object.fromEntries(Object.entries(withAttributes).map(([name, own]) => [name, [...words(own), ...commonAttributes]])),
  ...Object.fromEntries(mathElements.map((name) => [name, [...mathAttributes, ...commonAttributes]])),
};

/** Elements that are removed with their content, because the content is not text of the author. */
export const removedWithContent = words('script style noscript template');

/** Attributes that browsers or API clients follow as addresses. */
export const addressAttributes: ReadonlySet<string> = new Set(words('cite data-api-endpoint href poster src'));

/** Schemes of addresses; addresses without one are relative to the server. */
export const addressSchemes: ReadonlySet<string> = new Set(words('ftp http https mailto tel'));

/** Images whose bytes are in the address. SVG images are documents that may contain scripts. */
export const imagesInAddresses = /^data:image\/(?:png|gif|jpe?g|webp|avif|bmp);/i;

const sides = ['top', 'right', 'bottom', 'left'];
const ofBorders = words('color style width');

/** Canvas' properties without `position` and its offsets, with the typography of CSS level 3. */
export const styleProperties: ReadonlySet<string> = new Set([
  ...words(`
    background background-attachment background-clip background-color background-image background-origin background-position
    background-repeat background-size
    border border-collapse border-color border-image border-image-outset border-image-repeat border-image-slice border-image-source
    border-image-width border-radius border-spacing border-style border-width
    border-bottom-left-radius border-bottom-right-radius border-top-left-radius border-top-right-radius
    box-decoration-break box-shadow box-sizing break-after break-before break-inside
    clear color color-interpolation-filters cursor direction display float
    font font-family font-feature-settings font-kerning font-language-override font-size font-size-adjust font-stretch font-style
    font-synthesis font-variant font-variant-alternates font-variant-caps font-variant-east-asian font-variant-ligatures
    font-variant-numeric font-variant-position font-weight
    height letter-spacing line-height list-style list-style-image list-style-position list-style-type
    margin max-height max-width min-height min-width overflow overflow-x overflow-y padding table-layout
    text-align text-align-last text-combine-upright text-decoration text-decoration-color text-decoration-line text-decoration-skip
    text-decoration-style text-emphasis text-emphasis-color text-emphasis-position text-emphasis-style text-indent text-justify
    text-orientation text-overflow text-shadow text-transform text-underline-position text-wrap
    vertical-align visibility white-space width word-break word-spacing word-wrap
  `),
  ...sides.flatMap((side) => [`margin-${side}`, `padding-${side}`, `border-${side}`, ...ofBorders.map((part) => `border-${side}-${part}`)]),
]);

/** Values of styles that run code or hide what they load. */
export const hostileStyle = /[\\<@]|\/\*|expression|behaviou?r|binding|image-set|script\s*:/i;
/** Styles load images by http, https, or from this server. */
export const loadsElsewhere = /url\s*\((?!\s*["']?\s*(?:https?:|\/))/i;
