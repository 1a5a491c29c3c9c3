import { expect, test } from 'vitest';
import { contentChoiceAt } from '../../../rules/content_choices';
import { contentChoiceOf, contentParameters, placeAddress } from './content_request';
import type { LaunchFacts } from './facts';

const factsOf = (placement: string, message_type?: string) =>
  ({
    tool: { version: '1.1', settings: {}, placements: { [placement]: { message_type } } },
    ticket: { placement },
    course: { id: 7 },
    assignment: { allowed_extensions: ['pdf', 'txt'] },
  }) as unknown as LaunchFacts;

test('a tool is asked in the way that its placement states', () => {
  const asked = (facts: LaunchFacts) =>
    contentParameters(facts, contentChoiceOf(facts) ?? (undefined as never), 'abc', 'https://home.example');
  expect(asked(factsOf('link_selection', 'ContentItemSelectionRequest'))).toMatchObject({
    lti_message_type: 'ContentItemSelectionRequest',
    content_item_return_url: 'https://home.example/courses/7/external_content/content_item_selection',
    accept_media_types: 'application/vnd.ims.lti.v1.ltilink,text/html',
    accept_multiple: 'true',
    data: 'abc',
  });
  expect(asked(factsOf('editor_button'))).toEqual({
    selection_directive: 'embed_content',
    ext_content_intended_use: 'embed',
    ext_content_return_types: 'lti_launch_url,url,iframe,file,image_url',
    ext_content_return_url: 'https://home.example/courses/7/external_content/chosen/abc',
    launch_presentation_return_url: 'https://home.example/courses/7/external_content/chosen/abc',
  });
  expect(asked(factsOf('homework_submission'))).toMatchObject({
    selection_directive: 'submit_homework',
    ext_content_intended_use: 'homework',
    ext_content_file_extensions: 'pdf,txt',
  });
  expect(asked(factsOf('resource_selection'))).toMatchObject({
    selection_directive: 'select_link',
    ext_content_intended_use: 'navigation',
  });
});

test('a launch asks for content where it is taken, in an account for texts alone', () => {
  expect(contentChoiceOf(factsOf('editor_button'))).toBe(contentChoiceAt('editor_button'));
  expect(contentChoiceOf(factsOf('migration_selection'))).toBeUndefined();
  expect(contentChoiceOf(factsOf('course_navigation'))).toBeUndefined();
  const inAccount = (placement: string) => ({ ...factsOf(placement), course: undefined, account: { id: 3 } }) as unknown as LaunchFacts;
  expect(contentChoiceOf(inAccount('editor_button'))?.accepts).toEqual(['link', 'html', 'image']);
  expect(contentChoiceOf(inAccount('link_selection'))).toBeUndefined();
  expect(placeAddress(inAccount('editor_button'), 'https://home.example')).toBe('https://home.example/accounts/3');
});
