// The manual page of `carrel`, from the texts of its help.

import { t } from '../language/texts';
import { helpParts, helpRows } from './help';

/** Escapes what roff would read as its own: backslashes, and a dot or quote at the start of a line. */
const roff = (text: string): string =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll(/^([.'])/gm, '\\&$1');

const tagged = ([words, meaning]: readonly [string, string]): string => `.TP\n.B ${roff(words.trim())}\n${roff(meaning)}`;

/** A page for section 1, in the language of the program. */
export function manualPage(version: string): string {
  const rows = helpRows();
  const blank = rows.findIndex(([words]) => words === '');
  return `.TH CARREL 1 "" "carrel ${version}"
.SH NAME
carrel \\- ${roff(t('help.about').replace(/^carrel /, ''))}
.SH SYNOPSIS
.B carrel
.I COMMAND
[\\fIOPTIONS\\fR]
.SH COMMANDS
${rows.slice(0, blank).map(tagged).join('\n')}
.SH OPTIONS
${rows
  .slice(blank + 1)
  .map(tagged)
  .join('\n')}
.SH NOTES
${helpParts()
  .map((part) => `.PP\n${roff(part)}`)
  .join('\n')}
`;
}
