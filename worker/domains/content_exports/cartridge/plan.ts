// What a cartridge contains, in chunks: each is one step.

import type { Database } from '../../../database/open';
import { choiceFor } from '../../content_migrations/copying/choice';
import { inventoryOf } from '../../course_copy/inventory';
import { copyPlanOf, isEverything } from '../../course_copy/plan';
import type { CopiedKind } from '../../course_copy/table';
import type { content_exports } from '../table';

export type ChosenIds = { readonly [K in CopiedKind]?: readonly number[] };

/** The kinds whose items are documents or files of their own. */
const chunked = ['page', 'assignment', 'discussion_topic', 'quiz', 'question_bank', 'file'] as const;
export type ChunkedKind = (typeof chunked)[number];

export interface CartridgeChunk {
  readonly of: ChunkedKind;
  readonly ids: readonly number[];
}

export interface CartridgePlan {
  readonly chunks: readonly CartridgeChunk[];
  /** Everything else, which is in the files of `course_settings`. */
  readonly others: ChosenIds;
  readonly settings: boolean;
  readonly syllabus: boolean;
}

const atOnce: Readonly<Record<ChunkedKind, number>> = {
  page: 20,
  assignment: 20,
  discussion_topic: 20,
  quiz: 5,
  question_bank: 1,
  file: 50,
};
/** Bytes of the files of one step. */
const bytesAtOnce = 64 * 1024 * 1024;

/** Slices of at most so many ids, and of files whose sizes together stay below the limit. Pure. */
export function cartridgeChunksOf(kind: ChunkedKind, ids: readonly number[], sizeOf: (id: number) => number = () => 0): CartridgeChunk[] {
  const parts: number[][] = [];
  let bytes = 0;
  for (const id of ids) {
    const last = parts.at(-1);
    bytes += sizeOf(id);
    if (last && last.length < atOnce[kind] && bytes <= bytesAtOnce) last.push(id);
    else {
      parts.push([id]);
      bytes = sizeOf(id);
    }
  }
  return parts.map((some) => ({ of: kind, ids: some }));
}

/** @param sizes what the files of the course weigh in a step, by id */
export async function planCartridge(
  db: Database,
  { context_id, selection }: Pick<typeof content_exports.$inferSelect, 'context_id' | 'selection'>,
  sizes: ReadonlyMap<number, number>,
): Promise<CartridgePlan> {
  const choice = await choiceFor(db, context_id, selection.content ?? null);
  const chosen = new Map<CopiedKind, number[]>();
  for (const step of copyPlanOf(await inventoryOf(db, context_id, choice), choice))
    if (step.does === 'copy') chosen.set(step.kind, [...(chosen.get(step.kind) ?? []), ...step.ids]);
  const isChunked = (kind: CopiedKind): kind is ChunkedKind => chunked.some((one) => one === kind);
  const all = isEverything(choice);
  return {
    chunks: chunked.flatMap((kind) =>
      cartridgeChunksOf(kind, chosen.get(kind) ?? [], kind === 'file' ? (id) => sizes.get(id) ?? 0 : undefined),
    ),
    others: Object.fromEntries([...chosen].filter(([kind]) => !isChunked(kind) && kind !== 'quiz_question' && kind !== 'quiz_group')),
    settings: choice.settings ?? all,
    syllabus: choice.syllabus ?? all,
  };
}
