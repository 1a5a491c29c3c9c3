// The commands. Each resolves to its exit status.

import { join } from 'node:path';
import { accountIdOf, fileSecrets, readAccounts, storeOf } from '../engine/accounts/account';
import { accountOwnerOf, signIn } from '../engine/accounts/sign_in';
import { Workspace, type WorkspaceOptions } from '../engine/accounts/workspace';
import { chooseFolder } from '../engine/disk/folder';
import { type Bearer, bearerOf } from '../engine/server/bearer';
import { systemClock } from '../engine/server/session';
import type { SyncReport } from '../engine/sync/engine';
import type { VerificationVerdict } from '../engine/sync/verify/verdict';
import { courseCards } from '../engine/views/courses';
import { chooseTemplate, templateView } from '../engine/views/template';
import { t } from '../language/texts';
import { version } from '../package.json' with { type: 'json' };
import { accountLines, accountOf, credentialFor, leftLines, signOut, storedTroubleOf } from './accounts';
import { type Arguments, commands, Misused } from './arguments';
import { serveAssistant } from './assistant';
import { choiceLines, chooseByWords } from './choose';
import { completionFor, isShell, shells } from './completion';
import { gradeByWords } from './grade';
import { helpLines } from './help';
import { lookAtNews, newsLines } from './news';
import { publishByWords } from './publish';
import { keptLines, listRecovered, restoreByWords } from './recovered';
import { ruleLines, rulesByWords } from './transfers';
import { versionsByWords } from './versions';
import { watch } from './watch';
import { dateAndTimeText, exitStatus, issueLine, progressOn, reportLines, troubleLines, verdictLines, wayWords } from './words';

export interface Running extends Arguments {
  readonly store: string;
}

export const runners: Readonly<Record<Arguments['command'], (running: Running) => Promise<number>>> = {
  async help({ words: [command, more] }) {
    if (more !== undefined) throw new Misused(t('cli.tooMany', { word: more }));
    if (command !== undefined && !commands.some((name) => name === command)) throw new Misused(t('cli.noCommand', { word: command }));
    for (const line of helpLines(command, process.stdout.columns)) say(line);
    return 0;
  },

  async completion({ words: [shell, more] }) {
    if (more !== undefined) throw new Misused(t('cli.tooMany', { word: more }));
    const script = isShell(shell) ? completionFor(shell) : undefined;
    if (script === undefined) throw new Misused(t('cli.shellNeeded', { shells: shells.join(', ') }));
    say(script);
    return 0;
  },

  async version({ json }) {
    say(json ? JSON.stringify({ version }) : version);
    return 0;
  },

  async login({ store, url, token, client_id, folder, json }) {
    if (!url) throw new Misused(t('cli.urlNeeded'));
    const given = await credentialFor({ url, token, client_id });
    const signedIn = await signIn({ store, secrets: fileSecrets(store), url, token: given, folder, clock: systemClock });
    const { study } = await open({ store });
    const where = study.status().folder;
    await study.close();
    if (json) say(JSON.stringify({ outcome: 'signed in', ...signedIn, folder: where }));
    else say(t('cli.signedIn', { url: signedIn.url, name: signedIn.name, folder: where ?? '' }));
    return 0;
  },

  async sync({ store, account, folder, json, confirm }) {
    const progress = progressOn(process.stdout);
    const { study } = await open({ store, account, onProgress: json ? undefined : progress.show });
    if (folder !== undefined) chooseFolder(study.user, folder, accountOwnerOf(study.signedIn));
    const stopping = untilStopped(() => study.rest());
    const report = await study.sync({ isConfirmed: confirm });
    stopping.over();
    progress.end();
    const { way } = study;
    await study.close();
    if (stopping.isStopped()) {
      say(json ? JSON.stringify({ ...report, outcome: 'interrupted' }) : t('cli.interrupted'));
      return interrupted;
    }
    if (!json && way === 'lists') say(t(wayWords.lists));
    return tell(report, json);
  },

  async status({ store, account, json }) {
    const { study } = await open({ store, account, readOnly: true });
    const status = study.status();
    const courses = courseCards(study).map(({ id, name, file_count }) => ({
      id,
      name,
      file_count,
    }));
    await study.close();
    if (json) say(JSON.stringify({ url: study.signedIn.url, name: study.signedIn.name, ...status, courses }));
    else {
      say(t('cli.statusOf', { name: study.signedIn.name, url: study.signedIn.url, folder: status.folder ?? '' }));
      if (status.way) say(t(wayWords[status.way]));
      say(status.last_complete_at ? t('cli.lastComplete', { when: dateAndTimeText(status.last_complete_at) }) : t('cli.neverComplete'));
      if (status.folder === null) say(t('why.recordsLost', { path: join(storeOf(store, study.signedIn), 'user.db') }));
      for (const line of troubleLines(status)) say(line);
      for (const { name, file_count } of courses) say(`  ${t('cli.courseFiles', { name, count: file_count })}`);
      if (status.pending_edits > 0) say(t('cli.pending', { count: status.pending_edits }));
      for (const line of keptLines(status.recovered)) say(line);
      for (const issue of status.issues) say(issueLine(issue));
    }
    return status.issues.length > 0 ? 2 : 0;
  },

  async news({ store, account, json, seen = false }) {
    const { study } = await open({ store, account, readOnly: !seen });
    try {
      const news = lookAtNews(study, seen);
      if (json) say(JSON.stringify({ news }));
      else for (const line of newsLines(news, seen)) say(line);
      return 0;
    } finally {
      await study.close();
    }
  },

  async choose(given) {
    const { study } = await open(given);
    try {
      const { view, isChanged } = chooseByWords(study, given);
      if (given.json) say(JSON.stringify(view));
      else for (const line of choiceLines(view, isChanged)) say(line);
      return 0;
    } finally {
      await study.close();
    }
  },

  async template({ store, account, words, json }) {
    const { study } = await open({ store, account });
    try {
      const [template, ...more] = words;
      if (more.length > 0) throw new Misused(t('cli.oneTemplate'));
      const view = templateView(study, template);
      if (view.wrong !== null) throw new Misused(view.wrong);
      if (template !== undefined) chooseTemplate(study, template);
      if (json) say(JSON.stringify({ ...view, template: template ?? view.template }));
      else {
        say(template ?? view.template);
        for (const { from, to } of view.courses) say(`  ${from === to ? to : t('cli.moves', { from, to })}`);
      }
      return 0;
    } finally {
      await study.close();
    }
  },

  async publish(given) {
    const { study } = await open(given);
    try {
      const { plan, published, lines } = await publishByWords(study, given);
      if (given.json) say(JSON.stringify(published ?? plan ?? {}));
      else for (const line of lines) say(line);
      return published && (published.instead || published.issues.length > 0) ? 2 : 0;
    } finally {
      await study.close();
    }
  },

  async grade(given) {
    const { study } = await open(given);
    try {
      return await gradeByWords(study, given, say);
    } finally {
      await study.close();
    }
  },

  async transfers(given) {
    const { study } = await open(given);
    try {
      const rules = rulesByWords(study, given);
      if (given.json) say(JSON.stringify(rules));
      else for (const line of ruleLines(rules)) say(line);
      return 0;
    } finally {
      await study.close();
    }
  },

  async verify({ store, account, json, repair }) {
    const { study } = await open({ store, account });
    const started = Date.now();
    const verdict = await verified(study, repair).finally(() => study.close());
    const { requests } = study.session;
    const { checked, edited, issues, proven, as_of } = verdict;
    const isWhole = proven.every(({ has_gap }) => !has_gap);
    const outcome = issues.length === 0 && isWhole ? 'complete' : 'complete with issues';
    if (json) {
      const counts = { requests, downloaded: 0, bytes: 0, unchanged: checked - edited.length - issues.length };
      say(JSON.stringify({ outcome, ...counts, as_of, checked, edited, issues, proven, duration_ms: Date.now() - started }));
    } else for (const line of verdictLines(verdict)) say(line);
    return exitStatus(outcome);
  },

  recovered: (given) => listRecovered(given, say),

  restore: (given) => restoreByWords(given, say),

  async versions(given) {
    const isLooking = given.restore === undefined || given.to !== undefined;
    const { study } = await open({ ...given, readOnly: isLooking });
    try {
      return exitStatus(await versionsByWords(study, given, say));
    } finally {
      await study.close();
    }
  },

  async mcp({ store, account }) {
    const { study } = await open({ store, account, readOnly: true });
    await serveAssistant(study).finally(() => study.close());
    return 0;
  },

  watch: ({ store, account, json }) => watch({ store, account, json, say }),

  async accounts({ store, json }) {
    const { shown, all } = readAccounts(store);
    if (json)
      say(
        JSON.stringify({
          accounts: all.map((one) => ({
            id: accountIdOf(one),
            ...one,
            shown: accountIdOf(one) === shown,
            trouble: storedTroubleOf(store, one),
          })),
        }),
      );
    else for (const line of accountLines(store)) say(line);
    return 0;
  },

  async logout({ store, account, remove_files = false, json }) {
    const left = await signOut(store, accountOf(store, account), remove_files);
    if (json) say(JSON.stringify({ outcome: 'signed out', ...left }));
    else for (const line of leftLines(left)) say(line);
    return 0;
  },
};

/** The exit status that shells use for a process ended by Ctrl-C. */
const interrupted = 130;

/** The first Ctrl-C stops at a point from which the next sync continues; a second one ends the program at once. */
function untilStopped(stop: () => Promise<void>) {
  let isStopped = false;
  const onSignal = () => {
    isStopped = true;
    over();
    void stop();
  };
  const over = () => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, onSignal);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, onSignal);
  return { over, isStopped: () => isStopped };
}

interface Opening extends Pick<WorkspaceOptions, 'store' | 'readOnly' | 'onProgress'> {
  readonly account?: string | undefined;
}

async function open({ store, account, readOnly, onProgress }: Opening): Promise<{ readonly study: Workspace; readonly bearer: Bearer }> {
  const signedIn = accountOf(store, account);
  const bearer = await bearerOf(accountIdOf(signedIn), signedIn.url, fileSecrets(store));
  return { study: new Workspace({ store, readOnly, onProgress, signedIn, token: bearer }), bearer };
}

function tell(report: SyncReport, json: boolean): number {
  if (json) say(JSON.stringify(report));
  else for (const line of reportLines(report)) say(line);
  return exitStatus(report.outcome);
}

/** Verifies; with `--repair`, repairs the damaged and missing files and verifies again. */
async function verified(workspace: Workspace, isRepairing: boolean): Promise<VerificationVerdict> {
  const verdict = await workspace.verify();
  const ill = verdict.issues.filter(({ what }) => what !== 'outdated').map(({ key }) => key);
  if (!isRepairing || ill.length === 0) return verdict;
  await workspace.repair(ill);
  return workspace.verify();
}

const say = (line: string): void => void process.stdout.write(`${line}\n`);
