import { expect, test } from 'vitest';
import { type Review, reviewsToAdd, type Submitter } from './assign';

/** A small generator of repeatable random numbers. */
function randomOf(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const submittersOf = (count: number, groups = 0): Submitter[] =>
  Array.from({ length: count }, (_, at) => ({ id: at + 1, group: groups > 0 ? at % groups : null }));

const tally = (reviews: readonly Review[], by: keyof Review, submitters: readonly Submitter[]) =>
  submitters.map(({ id }) => reviews.filter((one) => one[by] === id).length);

function checkSound(reviews: readonly Review[], submitters: readonly Submitter[]): void {
  const groupOf = new Map(submitters.map(({ id, group }) => [id, group]));
  expect(new Set(reviews.map(({ assessor_id, author_id }) => `${assessor_id} ${author_id}`)).size).toBe(reviews.length);
  for (const { assessor_id, author_id } of reviews) {
    expect(assessor_id).not.toBe(author_id);
    const group = groupOf.get(assessor_id);
    if (group != null) expect(groupOf.get(author_id)).not.toBe(group);
  }
}

test('every student reviews as many others as asked, and is reviewed as often', () => {
  for (let count = 2; count <= 12; count += 1)
    for (let asked = 1; asked <= 4; asked += 1) {
      const submitters = submittersOf(count);
      const reviews = reviewsToAdd({ submitters, existing: [], count: asked });
      checkSound(reviews, submitters);
      const expected = Math.min(asked, count - 1);
      expect(tally(reviews, 'assessor_id', submitters)).toEqual(submitters.map(() => expected));
      expect(tally(reviews, 'author_id', submitters)).toEqual(submitters.map(() => expected));
    }
});

test('a student who submits alone reviews no one', () => {
  expect(reviewsToAdd({ submitters: submittersOf(1), existing: [], count: 3 })).toEqual([]);
  expect(reviewsToAdd({ submitters: [], existing: [], count: 3 })).toEqual([]);
});

test('members of a group do not review each other, and every group of equal size is reviewed as often', () => {
  for (const [count, groups] of [
    [6, 2],
    [9, 3],
    [12, 4],
    [20, 5],
  ] as const) {
    const submitters = submittersOf(count, groups);
    const reviews = reviewsToAdd({ submitters, existing: [], count: 2 });
    checkSound(reviews, submitters);
    expect(tally(reviews, 'assessor_id', submitters)).toEqual(submitters.map(() => 2));
    expect(tally(reviews, 'author_id', submitters)).toEqual(submitters.map(() => 2));
  }
  expect(reviewsToAdd({ submitters: submittersOf(4, 1), existing: [], count: 2 })).toEqual([]);
});

test('students who hand in later are added without changing earlier reviews', () => {
  const random = randomOf(5);
  for (let round = 0; round < 60; round += 1) {
    const asked = 1 + random(3);
    let existing: Review[] = [];
    let size = 0;
    for (let wave = 0; wave < 4; wave += 1) {
      size += 1 + random(6);
      const submitters = submittersOf(size);
      existing = [...existing, ...reviewsToAdd({ submitters, existing, count: asked })];
      checkSound(existing, submitters);
      const done = tally(existing, 'assessor_id', submitters);
      expect(done).toEqual(submitters.map(() => Math.min(asked, size - 1)));
      const received = tally(existing, 'author_id', submitters);
      expect(Math.max(...received) - Math.min(...received)).toBeLessThanOrEqual(asked + 1);
      expect(reviewsToAdd({ submitters, existing, count: asked })).toEqual([]);
    }
  }
});

test('students in groups of any size get as many reviews as the other groups allow', () => {
  const random = randomOf(11);
  for (let round = 0; round < 60; round += 1) {
    const submitters = Array.from({ length: 2 + random(12) }, (_, at) => ({ id: at + 1, group: random(4) }));
    const asked = 1 + random(3);
    const reviews = reviewsToAdd({ submitters, existing: [], count: asked });
    checkSound(reviews, submitters);
    const others = submitters.map(({ group }) => submitters.filter((one) => one.group !== group).length);
    expect(tally(reviews, 'assessor_id', submitters)).toEqual(others.map((count) => Math.min(asked, count)));
  }
});

test('a course of 2,000 students is assigned in less than two seconds', () => {
  const submitters = submittersOf(2000);
  const started = Date.now();
  const reviews = reviewsToAdd({ submitters, existing: [], count: 3 });
  expect(reviews.length).toBe(6000);
  expect(Date.now() - started).toBeLessThan(2000);
});
