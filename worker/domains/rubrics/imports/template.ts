// The file to fill in for an import of rubrics.

import { csvLine } from '@carrel/shared/csv/writer';
import { importHead, ratingHead } from './rows';

const examples = [
  ['Essay', 'Method', 'How the question was approached', 'false', 'Excellent', 'Complete', '10', 'Fair', 'Incomplete', '5'],
  ['Essay', 'Style', 'How it is written', 'true', 'Excellent', 'Clear', '4', 'Poor', 'Unclear', '0'],
] as const;

export const importTemplate = [[...importHead, ...ratingHead, ...ratingHead], ...examples].map((cells) => csvLine(cells)).join('');

const headers = { 'Content-Type': 'text/csv; charset=utf-8', 'Content-Disposition': 'attachment; filename="rubric_template.csv"' };

export const templateResponse = (): Response => new Response(importTemplate, { headers });
