// Frame and styles shared by the site's pages. No scripts, no external resources.

export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);

const style = `
:root { color-scheme: light dark; --paper: #fbf8f2; --ink: #23211d; --quiet: #6b655a; --line: #e2dacb; --card: #fffdf8; --accent: #1f5c4d; --get: #1f5c4d; --write: #8a4b12; --gone: #9a2b2b; }
@media (prefers-color-scheme: dark) { :root { --paper: #171613; --ink: #ece6da; --quiet: #a49c8d; --line: #35322b; --card: #1f1d19; --accent: #7fc4b0; --get: #7fc4b0; --write: #e0a468; --gone: #ef8f8f; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1.0625rem/1.6 Charter, 'Bitstream Charter', 'Iowan Old Style', Georgia, serif; }
main { max-width: 54rem; margin: 0 auto; padding: clamp(1.5rem, 6vw, 5rem) 1.25rem 6rem; }
h1 { font-size: clamp(2.2rem, 7vw, 3.6rem); line-height: 1.05; letter-spacing: -.02em; margin: 0 0 1rem; font-weight: 600; }
h2 { font-size: 1.35rem; margin: 3rem 0 .75rem; }
p { max-width: 38rem; } .lead { font-size: 1.25rem; color: var(--quiet); }
a { color: var(--accent); text-underline-offset: .2em; } a:focus-visible, summary:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px; border-radius: 3px; }
code, pre, .path { font-family: ui-monospace, 'SF Mono', 'Cascadia Mono', Consolas, monospace; font-size: .875em; }
pre { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 1rem 1.2rem; overflow-x: auto; }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(14rem, 1fr)); gap: 1rem; padding: 0; list-style: none; }
.cards li { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: 1.1rem 1.2rem; } .cards strong { display: block; }
.cards span { color: var(--quiet); font-size: .95rem; line-height: 1.45; display: block; margin-top: .25rem; }
details { border-bottom: 1px solid var(--line); } summary { cursor: pointer; padding: .55rem .25rem; display: flex; gap: .8rem; align-items: baseline; flex-wrap: wrap; }
summary small { color: var(--quiet); font-size: .9rem; } .verb { font: 600 .75rem/1 ui-monospace, monospace; width: 4.2rem; color: var(--write); } .verb.GET { color: var(--get); } .verb.DELETE { color: var(--gone); }
.inside { padding: .25rem .25rem 1.25rem 5.2rem; font-size: .95rem; } @media (max-width: 40rem) { .inside { padding-left: .25rem; } }
table { border-collapse: collapse; width: 100%; } td, th { text-align: left; padding: .3rem .8rem .3rem 0; border-bottom: 1px solid var(--line); vertical-align: top; } th { font-weight: 600; color: var(--quiet); font-size: .85rem; }
nav.tags { columns: 14rem; font-size: .95rem; } nav.tags a { display: block; padding: .1rem 0; }
form.card { max-width: 26rem; background: var(--card); border: 1px solid var(--line); border-radius: 14px; padding: 1.5rem 1.5rem 1.75rem; }
label { display: block; font-weight: 600; margin: 1rem 0 .3rem; } label.check { font-weight: 400; display: flex; gap: .55rem; align-items: center; }
input[type=text], input[type=email], input[type=password], input[type=search], select { width: 100%; font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--quiet); border-radius: 8px; padding: .6rem .75rem; } input[type=checkbox] { width: 1.1rem; height: 1.1rem; accent-color: var(--accent); }
input:focus-visible, select:focus-visible, button:focus-visible, a.button:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
button, a.button { display: inline-block; font: inherit; font-weight: 600; color: var(--paper); background: var(--accent); border: 1px solid var(--accent); border-radius: 8px; padding: .6rem 1.2rem; margin-top: 1.25rem; cursor: pointer; text-decoration: none; } .quiet.button, button.quiet { color: var(--ink); background: none; border-color: var(--quiet); }
.wrong { border-left: 4px solid var(--gone); background: var(--card); padding: .6rem .9rem; color: var(--ink); } .told { border-left: 4px solid var(--accent); background: var(--card); padding: .6rem .9rem; }
p.hint { margin: .3rem 0 0; color: var(--quiet); font-size: .95rem; line-height: 1.45; }
form.card > :first-child { margin-top: 0; } form.card > :last-child { margin-bottom: 0; }
td button { margin-top: 0; padding: .3rem .8rem; } pre.address { white-space: pre-wrap; overflow-wrap: anywhere; }
main.door { max-width: 28.5rem; padding-top: clamp(1.5rem, 11vh, 7rem); } .door h1 { font-size: clamp(1.9rem, 7vw, 2.5rem); margin-bottom: .35rem; } .door .lead { margin: 0 0 1.5rem; font-size: 1.15rem; line-height: 1.45; } .door form.card { max-width: none; }
.door form.card > button:only-of-type { width: 100%; } .door a.quiet.button { display: block; text-align: center; margin-top: 0; }
footer { margin-top: 4rem; color: var(--quiet); font-size: .95rem; }
`;

const document = (title: string, kind: string, body: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(title)}</title><style>${style}</style></head><body><main${kind}>${body}</main></body></html>`;

/** @param body finished HTML */
export const frame = (title: string, body: string): string => document(title, '', body);

/** The frame of narrow pages: a single form, or a short text. */
export const signInFrame = (title: string, body: string): string => document(title, ' class="door"', body);
