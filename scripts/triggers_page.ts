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
    `Written by \`npm run triggers\`; do not edit. The ${triggerFiles.reduce((sum, { triggers }) => sum + triggers.length, 0)} triggers of the database, by source file, with the reason why each file's rules are triggers and not TypeScript. Triggers maintain derived data, because no write can bypass them. [Migrations](migrations.md) describes how triggers are installed.`,
    '',
    ...triggerFiles.flatMap(section),
  ].join('\n');
