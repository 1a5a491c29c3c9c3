// What clients see of a course search result.

import { bool, int, listOf, maybe, number, object, oneOf, optional, text, time } from '../wire/fields';
import { resource } from './resource';

export const SearchResult = resource('SearchResult', {
  course_id: int,
  content_id: int,
  content_type: oneOf('WikiPage', 'Assignment', 'Announcement', 'DiscussionTopic'),
  readable_type: text,
  title: text,
  body: maybe(text),
  html_url: text,
  /** 0 is best. */
  distance: number,
  /** 0 to 100. */
  relevance: number,
  // With `include[]`.
  published: optional(bool),
  due_date: optional(maybe(time)),
  modules: optional(listOf(object({ id: int, name: text, position: int, published: bool }))),
});
