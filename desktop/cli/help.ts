// `carrel --help`: commands and options, which are the same in every language, with their descriptions in the user's language.

import { t } from '../language/texts';
import { fileGroupChoices } from './choose';

const column = 24;
const widest = 120;
const narrowest = 60;

/** Options are indented below their command; an empty row separates the commands from the common options. */
export const helpRows = (): readonly (readonly [words: string, meaning: string])[] => [
  ['carrel login --url URL [--folder DIR]', t('help.login')],
  ['    --token TOKEN', t('help.token')],
  ['    --client-id ID', t('help.clientId')],
  ['carrel sync', t('help.sync')],
  ['    --folder DIR', t('help.folder')],
  ['    --confirm', t('help.confirm')],
  ['carrel choose', t('help.choose')],
  ['    on|off PLACE …', t('help.place')],
  ['    --without KINDS', t('help.without', { kinds: fileGroupChoices.join(', ') })],
  ['    --largest SIZE', t('help.largest')],
  ['carrel template', t('help.template')],
  ['    TEMPLATE', t('help.templateWord', { example: '{term}/{course_code} {course}', word: '{institution}' })],
  ['carrel publish COURSE', t('help.publish')],
  ['    on|off COURSE', t('help.publishOn')],
  ['    --plan ID', t('help.plan')],
  ['carrel grade COURSE', t('help.grade')],
  ['    ASSIGNMENT', t('help.gradeAssignment')],
  ['    on|off COURSE', t('help.gradeOn')],
  ['    --yes', t('help.gradeYes')],
  ['    --plan ID', t('help.gradePlan')],
  ['    --conflicts mine|theirs', t('help.gradeConflicts')],
  ['carrel transfers', t('help.transfers')],
  ['    pause|resume', t('help.pause')],
  ['    --bandwidth SPEED', t('help.bandwidth')],
  ['    --parallel N', t('help.parallel')],
  ['    --metered wait|go, --battery wait|go', t('help.metered')],
  ['carrel status', t('help.status')],
  ['carrel news', t('help.news')],
  ['    --seen', t('help.newsSeen')],
  ['carrel verify', t('help.verify')],
  ['    --repair', t('help.repair')],
  ['carrel recovered', t('help.recovered')],
  ['carrel restore FILE', t('help.restore')],
  ['    --to PLACE', t('help.restoreTo')],
  ['carrel versions PATH', t('help.versions')],
  ['    --restore NUMBER', t('help.versionsRestore')],
  ['    --to PLACE', t('help.versionsTo')],
  ['carrel watch', t('help.watch')],
  ['carrel mcp', t('help.mcp')],
  ['carrel accounts', t('help.accounts')],
  ['carrel logout', t('help.logout')],
  ['    --remove-files', t('help.removeFiles')],
  ['carrel completion bash|zsh|fish', t('help.completion')],
  ['', ''],
  ['--account WORDS', t('help.account')],
  ['--json', t('help.json')],
  ['--help', t('help.help')],
  ['--version', t('help.version')],
];

/** What concerns all commands, in paragraphs. */
export const helpParts = (): readonly string[] => [t('help.exit'), t('help.yours'), t('help.store'), t('help.lists'), t('help.language')];

/** @param command shows only this command, with its options */
export function helpLines(command: string | undefined, columns = widest): string[] {
  const width = Math.max(narrowest, Math.min(widest, columns));
  const linesOf = (some: ReturnType<typeof helpRows>) => some.flatMap((row) => rowLines(row, width));
  const all = helpRows();
  const common = all.slice(all.findIndex(([words]) => words === '') + 1);
  if (command !== undefined) {
    const isHead = ([words]: (typeof all)[number]) => !words.startsWith(' ');
    const at = all.findIndex(([words]) => `${words} `.startsWith(`carrel ${command} `));
    const next = all.findIndex((row, nth) => nth > at && isHead(row));
    if (at !== -1) return [...linesOf(all.slice(at, next)), '', ...linesOf(common), '', ...folded(t('help.exit'), width)];
  }
  const parts = helpParts();
  return [...folded(t('help.about'), width), '', ...linesOf(all), ...parts.flatMap((part) => ['', ...folded(part, width)])];
}

function rowLines([words, meaning]: readonly [string, string], width: number): string[] {
  if (words === '') return [''];
  const [first = '', ...more] = folded(meaning, width - column);
  const below = (line: string) => `${' '.repeat(column)}${line}`;
  const said = `  ${words}`;
  return said.length < column ? [said.padEnd(column) + first, ...more.map(below)] : [said, below(first), ...more.map(below)];
}

/** Wraps at spaces. */
function folded(text: string, most: number): string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? '';
    if (line !== '' && line.length + 1 + word.length > most) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines;
}
