// ePortfolios: collections of a user's work in sections and pages.

import { index, sqliteTable } from 'drizzle-orm/sqlite-core';
import { bool, created, id, int, state, string, time } from '../../database/columns';

export const judgements = ['marked_as_spam', 'marked_as_safe'] as const;

export const eportfolios = sqliteTable(
  'eportfolios',
  {
    id: id(),
    user_id: int().notNull(),
    name: string().notNull(),
    public: bool().notNull().default(false),
    spam_status: state('flagged_as_possible_spam', ...judgements),
    deleted_at: time(),
    workflow_state: state('active', 'deleted').notNull().default('active'),
    ...created(),
  },
  (one) => [index('eportfolios_of_user').on(one.user_id, one.workflow_state, one.id)],
);

export const eportfolio_sections = sqliteTable(
  'eportfolio_sections',
  { id: id(), eportfolio_id: int().notNull(), position: int().notNull(), name: string().notNull(), ...created() },
  (section) => [index('eportfolio_sections_of').on(section.eportfolio_id, section.position, section.id)],
);

/** Positions count within a section. */
export const eportfolio_pages = sqliteTable(
  'eportfolio_pages',
  {
    id: id(),
    eportfolio_id: int().notNull(),
    section_id: int().notNull(),
    position: int().notNull(),
    name: string().notNull(),
    content: string(),
    ...created(),
  },
  (page) => [index('eportfolio_pages_of').on(page.eportfolio_id, page.position, page.id)],
);
