// What clients see of an ePortfolio and its pages (reference of the API: ePortfolios).

import { bool, int, maybe, text, time } from '../wire/fields';
import { resource } from './resource';

export const EPortfolio = resource('EPortfolio', {
  id: int,
  user_id: int,
  name: text,
  public: bool,
  created_at: time,
  updated_at: time,
  workflow_state: text,
  deleted_at: maybe(time),
  spam_status: maybe(text),
});

export const EPortfolioPage = resource('EPortfolioPage', {
  id: int,
  eportfolio_id: int,
  position: int,
  name: text,
  content: maybe(text),
  created_at: time,
  updated_at: time,
});
