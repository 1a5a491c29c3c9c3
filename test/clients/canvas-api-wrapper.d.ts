// Types for the parts of canvas-api-wrapper that the tests use; the package has none.

declare module 'canvas-api-wrapper' {
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses untyped.
  type AnyItem = any;
  type Request = (path: string, body?: object) => Promise<AnyItem>;
  interface Items extends ReadonlyArray<AnyItem> {
    get(query?: object): Promise<Items>;
    getOne(id: number): Promise<AnyItem>;
    create(given: object): Promise<AnyItem>;
  }
  const wrapper: {
    baseUrl: string;
    apiToken: string;
    minSendInterval: number;
    readonly get: Request;
    readonly post: Request;
    readonly put: Request;
    readonly delete: Request;
    getCourse(id: number): AnyItem & { readonly assignments: Items; readonly quizzes: Items };
  };
  export default wrapper;
}
