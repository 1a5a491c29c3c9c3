// What has become of a text that is not sent yet.

import type { PageCard } from '../../contract/course.ts';
import { type MessageKey, t } from '../../language/texts.ts';
import { Tag, type TagTone } from '../parts/Tag.tsx';

type State = NonNullable<PageCard['unsent']>;

const words: Readonly<Record<State, { readonly word: MessageKey; readonly tone: TagTone }>> = {
  waits: { word: 'unsent', tone: 'busy' },
  refused: { word: 'outbox.refused', tone: 'bad' },
  'changed meanwhile': { word: 'author.changedMeanwhile', tone: 'warn' },
  'being written': { word: 'author.beingWritten', tone: 'plain' },
};

export const UnsentTag = ({ unsent }: { unsent: State }) => <Tag tone={words[unsent].tone}>{t(words[unsent].word)}</Tag>;
