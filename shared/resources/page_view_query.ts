// What clients see of a query for page views (reference of the API: Page views, asynchronous queries).

import { maybe, oneOf, text } from '../wire/fields';
import { resource } from './resource';

export const StartedPageViewQuery = resource('StartedPageViewQuery', { poll_url: text });

export const PageViewQuery = resource('PageViewQuery', {
  query_id: text,
  status: oneOf('queued', 'processing', 'finished', 'failed'),
  format: oneOf('csv', 'jsonl'),
  results_url: maybe(text),
});
