// The pages of reports of problems. Addresses in a report are only text: who wrote them may mean harm.

import { escapeHtml, frame } from '../../site/frame';

interface ShownReport {
  readonly id: number;
  readonly subject: string;
  readonly url: string | null;
  readonly email: string | null;
  readonly comments: string | null;
  readonly http_env: Readonly<Record<string, string>>;
  readonly created_at: string;
  readonly user_id: number;
  readonly user_name: string | null;
}

const authorOf = ({ user_id, user_name }: ShownReport): string => escapeHtml(`${user_name ?? 'Deleted user'} (${user_id})`);

export function reportListPage(reports: readonly ShownReport[]): string {
  const lines = reports.map(
    (one) =>
      `<tr><td><a href="/error_reports/${one.id}">${escapeHtml(one.subject)}</a></td><td>${authorOf(one)}</td><td>${escapeHtml(one.created_at)}</td></tr>`,
  );
  const table = `<table><thead><tr><th>Subject</th><th>User</th><th>Time</th></tr></thead><tbody>${lines.join('')}</tbody></table>`;
  return frame('Reported problems', `<h1>Reported problems</h1>${lines.length > 0 ? table : '<p>No one has reported a problem.</p>'}`);
}

export function reportPage(report: ShownReport): string {
  const { subject, url, email, comments, http_env, created_at } = report;
  const facts: [string, string | null][] = [['Time', created_at], ['Page', url], ['Email', email], ...Object.entries(http_env)];
  const lines = facts.flatMap(([name, value]) =>
    value === null ? [] : [`<tr><th scope="row">${escapeHtml(name)}</th><td>${escapeHtml(value)}</td></tr>`],
  );
  return frame(
    subject,
    `<h1>${escapeHtml(subject)}</h1><p class="lead">${authorOf(report)}</p>${comments === null ? '' : `<pre class="address">${escapeHtml(comments)}</pre>`}<table><tbody>${lines.join('')}</tbody></table><p><a href="/error_reports">All reported problems</a></p>`,
  );
}
