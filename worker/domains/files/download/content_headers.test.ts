// The name of a downloaded file.

import { expect, test } from 'vitest';
import { disposition } from './content_headers';

test('Content-Disposition names the file for every client', () => {
  expect(disposition('Übung "1"/2.pdf', false)).toBe(
    'attachment; filename="Ubung _1__2.pdf"; filename*=UTF-8\'\'%C3%9Cbung%20%221%22%2F2.pdf',
  );
  expect(disposition("x\r\nSet-Cookie: a=b'", true)).toBe(
    "inline; filename=\"x__Set-Cookie: a=b'\"; filename*=UTF-8''x%0D%0ASet-Cookie%3A%20a%3Db%27",
  );
});
