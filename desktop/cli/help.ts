// `carrel --help`: the words of the commands, which are English everywhere, and what they mean in the reader's language.

import { t } from '../ui/words/texts';
import { groups } from './choose';

const column = 24;
const width = 120;

/** Options stand below their command; an empty line parts the commands from what goes with every one of them. */
const rows = (): readonly (readonly [words: string, meaning: string])[] => [
  ['carrel login --url URL [--folder DIR]', t('help.login')],
  ['    --token TOKEN', t('help.token')],
  ['    --client-id ID', t('help.clientId')],
  ['carrel sync', t('help.sync')],
  ['    --folder DIR', t('help.folder')],
  ['    --confirm', t('help.confirm')],
  ['carrel choose', t('help.choose')],
  ['    on|off PLACE …', t('help.place')],
  ['    --without KINDS', t('help.without', { kinds: groups.join(', ') })],
  ['    --largest SIZE', t('help.largest')],
  ['carrel template', t('help.template')],
  ['    TEMPLATE', t('help.templateWord', { example: '{term}/{course_code} {course}', word: '{institution}' })],
  ['carrel publish COURSE', t('help.publish')],
  ['    on|off COURSE', t('help.publishOn')],
  ['    --plan ID', t('help.plan')],
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
  ['carrel watch', t('help.watch')],
  ['carrel accounts', t('help.accounts')],
  ['carrel logout', t('help.logout')],
  ['    --remove-files', t('help.removeFiles')],
  ['', ''],
  ['--account WORDS', t('help.account')],
  ['--json', t('help.json')],
  ['--help', t('help.help')],
];

export function helpLines(): string[] {
  const parts = [t('help.exit'), t('help.yours'), t('help.store'), t('help.lists'), t('help.language')];
  return [t('help.about'), '', ...rows().flatMap(rowLines), ...parts.flatMap((part) => ['', ...folded(part, width)])];
}

function rowLines([words, meaning]: readonly [string, string]): string[] {
  if (words === '') return [''];
  const [first = '', ...more] = folded(meaning, width - column);
  const below = (line: string) => `${' '.repeat(column)}${line}`;
  const said = `  ${words}`;
  return said.length < column ? [said.padEnd(column) + first, ...more.map(below)] : [said, below(first), ...more.map(below)];
}

/** Broken between words. */
function folded(text: string, most: number): string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? '';
    if (line !== '' && line.length + 1 + word.length > most) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines;
}
