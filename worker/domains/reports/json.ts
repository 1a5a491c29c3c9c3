// Reports as clients see them.

import { AccountReport } from '@carrel/shared/resources/account_report';
import { lookUp } from '@carrel/shared/wire/look_up';
import { sql } from 'drizzle-orm';
import { isInSelect } from '../../database/ids';
import { type RowOf, rows } from '../../http/listing';
import { embed, serializer } from '../../http/serializer';
import { filesByIds, uploadedFile } from '../files/json';
import { user } from '../users/json';
import { users } from '../users/table';
import { account_reports } from './table';
import { reportTypes } from './types';

type Row = RowOf<typeof account_reports>;
export type ReportWithColumns = Pick<
  Row,
  'id' | 'report' | 'workflow_state' | 'parameters' | 'progress' | 'current_line' | 'message' | 'created_at' | 'started_at' | 'ended_at'
>;

/** A sentence about the report's status. */
function extraText({ workflow_state, message, current_line }: ReportWithColumns): string | undefined {
  if (workflow_state === 'error') return `Failed: ${message ?? 'an unknown error'}`;
  if (workflow_state === 'complete') return `${current_line ?? 0} rows`;
  return undefined;
}

export const reportJson = (row: ReportWithColumns, file_url: string | undefined) => {
  const extra_text = extraText(row);
  return {
    id: row.id,
    report: row.report,
    title: lookUp(reportTypes, row.report)?.title ?? row.report,
    status: row.workflow_state,
    progress: row.progress,
    current_line: row.current_line,
    parameters: { ...row.parameters, ...(extra_text !== undefined && { extra_text }) },
    created_at: row.created_at,
    started_at: row.started_at,
    ended_at: row.ended_at,
    ...(file_url !== undefined && { file_url }),
  };
};

export const accountReport = serializer({
  resource: AccountReport,
  table: account_reports,
  also: (ids) => {
    const named = (column: string) => sql`select ${sql.raw(column)} from account_reports where ${isInSelect(account_reports.id, ids)}`;
    return {
      papers: embed(uploadedFile, filesByIds(named('file_id'))),
      askers: embed(user, rows(users, { where: isInSelect(users.id, named('user_id')) })),
    };
  },
  json(row: Row, _call, { papers, askers }) {
    const paper = papers.find((one) => one.row.id === row.file_id)?.json;
    return {
      ...reportJson(row, paper?.url as string | undefined),
      attachment: paper,
      user: askers.find((one) => one.row.id === row.user_id)?.json,
    };
  },
});
