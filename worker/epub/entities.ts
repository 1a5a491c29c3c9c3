// The named characters of HTML 4, which XML does not know. Pure.

import { lookUp } from '@carrel/shared/wire/look_up';

const words = (text: string): readonly string[] => text.split(/\s+/).filter((word) => word !== '');

/** Names of characters that follow each other, by the first. `-` is one without a name. */
const runs: readonly (readonly [first: number, names: string])[] = [
  [
    160,
    `nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1
    ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc
    Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml
    aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave
    uacute ucirc uuml yacute thorn yuml`,
  ],
  [
    913,
    `Alpha Beta Gamma Delta Epsilon Zeta Eta Theta Iota Kappa Lambda Mu Nu Xi Omicron Pi Rho - Sigma Tau Upsilon Phi Chi Psi Omega - - - - -
    - - alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigmaf sigma tau upsilon phi chi psi omega`,
  ],
  [8194, 'ensp emsp'],
  [8204, 'zwnj zwj lrm rlm - - ndash mdash - - - lsquo rsquo sbquo - ldquo rdquo bdquo - dagger Dagger bull - - - hellip'],
  [8592, 'larr uarr rarr darr harr'],
  [8656, 'lArr uArr rArr dArr hArr'],
  [8704, 'forall - part exist - empty - nabla isin notin - ni - - - prod - sum minus - - - - lowast - - radic - - prop infin - ang'],
  [8743, 'and or cap cup int'],
];
const single: Readonly<Record<string, number>> = {
  amp: 38,
  lt: 60,
  gt: 62,
  quot: 34,
  apos: 39,
  OElig: 338,
  oelig: 339,
  Scaron: 352,
  scaron: 353,
  Yuml: 376,
  fnof: 402,
  circ: 710,
  tilde: 732,
  thinsp: 8201,
  permil: 8240,
  prime: 8242,
  Prime: 8243,
  lsaquo: 8249,
  rsaquo: 8250,
  oline: 8254,
  frasl: 8260,
  euro: 8364,
  trade: 8482,
  there4: 8756,
  sim: 8764,
  cong: 8773,
  asymp: 8776,
  ne: 8800,
  equiv: 8801,
  le: 8804,
  ge: 8805,
  sub: 8834,
  sup: 8835,
  sdot: 8901,
  loz: 9674,
};

const points: Readonly<Record<string, number>> = {
  ...single,
  ...Object.fromEntries(
    runs.flatMap(([first, names]) => words(names).flatMap((name, at): [string, number][] => (name === '-' ? [] : [[name, first + at]]))),
  ),
};

const isCharacter = (point: number): boolean => point > 0 && point < 0x110000 && !(point >= 0xd800 && point < 0xe000);

function meant(whole: string, body: string): string {
  const point = /^#x/i.test(body)
    ? Number.parseInt(body.slice(2), 16)
    : body.startsWith('#')
      ? Number(body.slice(1))
      : lookUp(points, body);
  return point !== undefined && isCharacter(point) ? String.fromCodePoint(point) : whole;
}

/** Text of HTML with the characters that it names; unknown names stay as they are written. */
export const withCharacters = (text: string): string => text.replace(/&(#x[0-9a-f]{1,6}|#\d{1,7}|[a-z][a-z0-9]{1,8});/gi, meant);
