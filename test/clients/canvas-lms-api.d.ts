// canvas-lms-api as far as the tests use it: its package has no types.

declare module 'canvas-lms-api' {
  // biome-ignore lint/suspicious/noExplicitAny: answers are looked at as they come.
  type Told = Promise<any>;
  export default class Canvas {
    constructor(host: string, options: { accessToken: string });
    get(path: string, query?: object): Told;
    post(path: string, query?: object, body?: object): Told;
    put(path: string, query?: object, body?: object): Told;
    delete(path: string, query?: object): Told;
  }
}
