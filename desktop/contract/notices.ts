// Announcements of the institution, shown until the user closes them.

import type { Prose } from './reading.ts';

export interface NoticeView {
  readonly id: number;
  readonly title: string;
  readonly words: Prose;
  readonly icon: 'warning' | 'information' | 'question' | 'error' | 'calendar';
  readonly author: string | null;
  readonly starts_at: string;
  readonly ends_at: string;
}
