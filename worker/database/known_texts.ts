// What is derived from the text of a statement, derived once per isolate. The key is the whole text, so that a result never belongs to another.

/** More than the shapes of all statements; texts with lists of unusual lengths must not fill the memory. */
const most = 500;

export class KnownTexts<T extends object> {
  private readonly known = new Map<string, T>();
  constructor(private readonly derive: (text: string) => T) {}

  of(text: string): T {
    const known = this.known.get(text);
    if (known !== undefined) return known;
    const derived = this.derive(text);
    if (this.known.size >= most) this.known.clear();
    this.known.set(text, derived);
    return derived;
  }
}
