// Types for the parts of canvas-lms-api that the tests use; the package has none.

declare module 'canvas-lms-api' {
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses untyped.
  type Told = Promise<any>;
  export default class Canvas {
    constructor(host: string, options: { accessToken: string });
    get(path: string, query?: object): Told;
    post(path: string, query?: object, body?: object): Told;
    put(path: string, query?: object, body?: object): Told;
    delete(path: string, query?: object): Told;
  }
}
