import { expect, test } from 'vitest';
import { countChoices } from './count_choices';

test('results contain the choices that were chosen, with how often', () => {
  const answers = [7, 3, 7].map((poll_choice_id) => ({ poll_choice_id }));
  expect(countChoices(answers)).toEqual({ 3: 1, 7: 2 });
  expect(countChoices([])).toEqual({});
});
