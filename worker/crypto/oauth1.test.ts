import { expect, test } from 'vitest';
import { oauthBodyHash, oauthHeader, oauthSignature, type Pair, percentEncoded, signatureBase } from './oauth1';

test('the base string is the example of RFC 5849', () => {
  const pairs: Pair[] = [
    ['c2', ''],
    ['a3', '2 q'],
    ['oauth_consumer_key', '9djdj82h48djs9d2'],
    ['oauth_token', 'kkk9d7dh3k39sjv7'],
    ['oauth_signature_method', 'HMAC-SHA1'],
    ['oauth_timestamp', '137131201'],
    ['oauth_nonce', '7d8f3e4a'],
  ];
  expect(signatureBase('post', 'HTTP://EXAMPLE.com:80/request?b5=%3D%253D&a3=a&c%40=&a2=r%20b', pairs)).toBe(
    'POST&http%3A%2F%2Fexample.com%2Frequest&a2%3Dr%2520b%26a3%3D2%2520q%26a3%3Da%26b5%3D%253D%25253D%26c%2540%3D%26c2%3D%26oauth_consumer_key%3D9djdj82h48djs9d2%26oauth_nonce%3D7d8f3e4a%26oauth_signature_method%3DHMAC-SHA1%26oauth_timestamp%3D137131201%26oauth_token%3Dkkk9d7dh3k39sjv7',
  );
});

test('the signature is the example of OAuth Core 1.0, appendix A', async () => {
  const pairs: Pair[] = [
    ['oauth_consumer_key', 'dpf43f3p2l4k3l03'],
    ['oauth_nonce', 'kllo9940pd9333jh'],
    ['oauth_signature_method', 'HMAC-SHA1'],
    ['oauth_timestamp', '1191242096'],
    ['oauth_version', '1.0'],
    ['oauth_token', 'nnch734d00sl2jdk'],
    ['file', 'vacation.jpg'],
    ['size', 'original'],
  ];
  expect(signatureBase('GET', 'http://photos.example.net/photos', pairs)).toBe(
    'GET&http%3A%2F%2Fphotos.example.net%2Fphotos&file%3Dvacation.jpg%26oauth_consumer_key%3Ddpf43f3p2l4k3l03%26oauth_nonce%3Dkllo9940pd9333jh%26oauth_signature_method%3DHMAC-SHA1%26oauth_timestamp%3D1191242096%26oauth_token%3Dnnch734d00sl2jdk%26oauth_version%3D1.0%26size%3Doriginal',
  );
  expect(await oauthSignature('GET', 'http://photos.example.net/photos', pairs, 'kd94hf93k423kf44', 'pfkkdhi9sl3r4s00')).toBe(
    'tR3+Ty81lMeYAr/Fid0kMTYa/WM=',
  );
});

test('what RFC 3986 reserves is escaped', () => expect(percentEncoded("ä !'()*~-._")).toBe('%C3%A4%20%21%27%28%29%2A~-._'));

test('the body hash is the published one, and headers are read as they were written', async () => {
  // OAuth Request Body Hash, appendix A.
  expect(await oauthBodyHash(new Uint8Array(Array.from('Hello World!', (char) => char.charCodeAt(0))))).toBe(
    'Lve95gjOVATpfV8EL5X4nxwjKHE=',
  );
  const read = oauthHeader('OAuth realm="x", oauth_consumer_key="a%20b",oauth_signature="c%2Bd%3D"');
  expect([...(read ?? [])]).toEqual([
    ['realm', 'x'],
    ['oauth_consumer_key', 'a b'],
    ['oauth_signature', 'c+d='],
  ]);
  expect(oauthHeader('Bearer x')).toBeUndefined();
  expect(oauthHeader('OAuth a="%zz"')).toBeUndefined();
});
