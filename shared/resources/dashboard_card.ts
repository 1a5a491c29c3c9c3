// What clients see of a course on the dashboard (reference of the API: Dashboard).

import { bool, int, listOf, maybe, object, text } from '../wire/fields';
import { resource } from './resource';

export const DashboardCard = resource('DashboardCard', {
  id: int,
  longName: text,
  shortName: text,
  originalName: text,
  courseCode: maybe(text),
  assetString: text,
  href: text,
  term: maybe(text),
  subtitle: text,
  enrollmentType: text,
  enrollmentState: text,
  observee: maybe(text),
  isFavorited: bool,
  isHomeroom: bool,
  image: maybe(text),
  color: maybe(text),
  position: maybe(int),
  published: bool,
  defaultView: text,
  canManage: bool,
  links: listOf(object({ css_class: text, icon: text, hidden: bool, path: text, label: text })),
});
