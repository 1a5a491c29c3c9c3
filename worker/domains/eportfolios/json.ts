// ePortfolios as clients see them.

import { EPortfolio, EPortfolioPage } from '@carrel/shared/resources/eportfolio';
import { withHost } from '../../html/addresses';
import type { RowOf } from '../../http/listing';
import { serializer } from '../../http/serializer';
import { eportfolio_pages, eportfolios } from './table';

export const eportfolio = serializer({ resource: EPortfolio, table: eportfolios, json: (row: RowOf<typeof eportfolios>) => row });

export const eportfolioPage = serializer({
  resource: EPortfolioPage,
  table: eportfolio_pages,
  json: (row: RowOf<typeof eportfolio_pages>, { origin }) => ({ ...row, content: withHost(row.content, origin) }),
});
