// The title of the grading view.

import type { ReactNode } from 'react';
import { t } from '../../language/texts.ts';
import { Heading, Up } from '../parts/Heading.tsx';
import { hrefOf } from '../routes.ts';

/** The title stays while the student changes. */
export const Titled = ({ title, course_id, children }: { title: string; course_id: number; children: ReactNode }) => (
  <>
    <Heading title={title} above={<Up to={hrefOf({ at: 'course', course_id, tab: 'grades' })}>{t('book.title')}</Up>} />
    {children}
  </>
);
