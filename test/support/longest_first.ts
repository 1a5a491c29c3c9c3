// Starts the slowest files first, so that no core is idle at the end. The API files are consecutive, because consecutive files share a runtime.

import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Longest first; the others follow in the runner's own order. */
const longest = [
  // Before other files have left anything open in its process.
  'sync/interleavings',
  'e2e/whitmore',
  'sync/killed',
  'live/',
  'e2e/',
  'sync/',
  'api/access',
  'api/hostile_',
  'api/feed_equals_rest_',
  'api/',
  'clients/',
];

const rank = ({ moduleId }: TestSpecification) => {
  const at = longest.findIndex((part) => moduleId.includes(`/test/${part}`));
  return at < 0 ? longest.length : at;
};

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const usual = await super.sort(files);
    return usual
      .map((file, at) => ({ file, at }))
      .sort((a, b) => rank(a.file) - rank(b.file) || a.at - b.at)
      .map(({ file }) => file);
  }
}
