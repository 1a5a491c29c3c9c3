// What clients see of a custom gradebook column and its data (reference of the API: Custom Gradebook Columns).

import { bool, int, listOf, maybe, text } from '../wire/fields';
import { resource } from './resource';

export const CustomGradebookColumn = resource('CustomGradebookColumn', {
  id: int,
  title: text,
  position: int,
  hidden: bool,
  teacher_notes: bool,
  read_only: bool,
});

export const ColumnDatum = resource('ColumnDatum', {
  user_id: int,
  /** Null after it was deleted. */
  content: maybe(text),
});

/** The ids of the columns in their new order. */
export const ColumnOrder = resource('CustomGradebookColumnOrder', { reorder: bool, order: listOf(int) });
