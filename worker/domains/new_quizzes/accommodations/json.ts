// What eases a New Quiz for a student, as graders see it.

import { NewQuizAccommodation } from '@carrel/shared/resources/new_quiz';
import type { RowOf } from '../../../http/listing';
import { serializer } from '../../../http/serializer';
import { new_quiz_accommodations } from '../table';

export const newQuizAccommodation = serializer({
  resource: NewQuizAccommodation,
  table: new_quiz_accommodations,
  json: (row: RowOf<typeof new_quiz_accommodations>) => row,
});
