// docs/triggers.md, from the triggers themselves.

import { type TriggerFile, triggerFiles } from '../worker/database/triggers.ts';

const section = ({ file, triggers, because }: TriggerFile): string[] => [
  `## ${file}`,
  '',
  because,
  '',
  `Source: [worker/database/triggers/${file}](../worker/database/triggers/${file})`,
  '',
  '| Table | Trigger | Purpose |',
  '|---|---|---|',
  ...triggers.map(({ on, name, purpose }) => `| \`${on}\` | \`${name}\` | ${purpose} |`),
  '',
];

export const triggersPage = (): string =>
  [
    '# Triggers',
    '',
    `Written by \`npm run triggers\`; do not edit. The ${triggerFiles.reduce((sum, { triggers }) => sum + triggers.length, 0)} triggers of the database, by the file that makes them, and why each file's rules are triggers and not code. A trigger keeps what is derived from rows: no write can leave it out. How triggers reach a database: [migrations](migrations.md).`,
    '',
    ...triggerFiles.flatMap(section),
  ].join('\n');
