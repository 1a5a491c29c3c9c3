// Rubrics as a CSV file, which an import reads again.

import { csvLine } from '@carrel/shared/csv/writer';
import { freeTitle } from '../criteria';
import type { Criterion } from '../table';
import { importHead, ratingHead } from './rows';

interface ExportedRubric {
  readonly title: string;
  readonly criteria: readonly Criterion[];
}

/** A criterion without ratings gets one for its points, because an import needs one. */
const ratingsOf = ({ ratings, points }: Criterion) =>
  ratings.length > 0 ? ratings : [{ description: 'Full marks', long_description: '', points }];

/** Links to outcomes have no column. Titles are made different, because rows with the same one are one rubric. */
function rubricLines(rubrics: readonly ExportedRubric[]): string {
  const taken = new Set<string>();
  const named = rubrics.map((one) => {
    const title = freeTitle(one.title, taken);
    taken.add(title);
    return { ...one, title };
  });
  const lines = named.flatMap(({ title, criteria }) =>
    criteria.map((one) => [
      ...[title, one.description, one.long_description, String(one.criterion_use_range)],
      ...ratingsOf(one).flatMap(({ description, long_description, points }) => [description, long_description, points]),
    ]),
  );
  const most = Math.max(1, ...lines.map((line) => (line.length - importHead.length) / ratingHead.length));
  return [[...importHead, ...Array.from({ length: most }, () => ratingHead).flat()], ...lines].map(csvLine).join('');
}

const headers = { 'Content-Type': 'text/csv; charset=utf-8', 'Content-Disposition': 'attachment; filename="rubrics.csv"' };

export const rubricsResponse = (rubrics: readonly ExportedRubric[]): Response => new Response(rubricLines(rubrics), { headers });
