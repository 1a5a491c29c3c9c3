// The tabs of a group: the same for every member.

import type { Json } from '@carrel/shared/resources/resource';
import type { Tab } from '@carrel/shared/resources/tab';

const facts: readonly (readonly [id: string, label: string, path: string])[] = [
  ['home', 'Home', ''],
  ['announcements', 'Announcements', '/announcements'],
  ['pages', 'Pages', '/wiki'],
  ['people', 'People', '/users'],
  ['discussions', 'Discussions', '/discussion_topics'],
  ['files', 'Files', '/files'],
  ['conferences', 'BigBlueButton', '/conferences'],
  ['collaborations', 'Collaborations', '/collaborations'],
];

export const tabsOfGroup = (group: { readonly id: number }, origin: string): Json<typeof Tab>[] =>
  facts.map(([id, label, path], at) => ({
    id,
    label,
    html_url: `/groups/${group.id}${path}`,
    full_url: `${origin}/groups/${group.id}${path}`,
    position: at + 1,
    type: 'internal' as const,
    visibility: id === 'home' ? ('public' as const) : ('members' as const),
  }));
