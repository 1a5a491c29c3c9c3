// More of the recorded library: drafts.

import type { Unfinished, UnfinishedItem, WritingPlace } from '@carrel/desktop/contract/writing';

export function recordedWriting(now: Date) {
  const all = new Map<string, { place: WritingPlace; words: Unfinished }>();
  return {
    at: (place: WritingPlace): Unfinished | null => all.get(JSON.stringify(place))?.words ?? null,
    /** Returns whether a draft was created or deleted. */
    keep(place: WritingPlace, words: Unfinished | null): boolean {
      const key = JSON.stringify(place);
      const wasThere = all.has(key);
      if (words === null) all.delete(key);
      else all.set(key, { place, words });
      return wasThere === (words === null);
    },
    repliesTo: (topic: number): (number | null)[] =>
      [...all.values()].flatMap(({ place }) => (place.kind === 'reply' && place.id === topic ? [place.parent_id] : [])),
    list: (): UnfinishedItem[] =>
      [...all.values()].map(({ place, words }) => ({
        place,
        words,
        title: place.kind === 'reply' ? 'What did you find under the stones?' : '',
        course_id: place.kind === 'reply' ? place.course_id : null,
        course_name: place.kind === 'reply' ? 'Marine Biology' : null,
        changed_at: now.toISOString(),
        open: place.kind === 'reply' ? { kind: 'discussion_topic', course_id: place.course_id, id: place.id } : null,
        letter: place.kind === 'letter' ? place.id : null,
      })),
  };
}
