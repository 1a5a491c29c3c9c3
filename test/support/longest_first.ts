// The files that take longest begin first, of whatever project: so no core is idle at the end beside one that has just begun.

import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files of ten seconds and more, longest first; the others follow in the runner's own order. */
const longest = [
  'e2e/whitmore',
  'sync/killed',
  'api/access',
  'live/',
  'sync/simulation',
  'api/hostile_',
  'api/feed_equals_rest_',
  'e2e/',
  'sync/',
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
