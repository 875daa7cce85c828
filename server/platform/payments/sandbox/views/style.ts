import { createHash } from "node:crypto";

/** The complete style sheet, with the site's colours; nothing else is loaded. */
export const STYLE = `
:root { color-scheme: light; --navy: #141b3c; --yellow: #f5c542; --paper: #fbf9f4; --white: #ffffff;
  --ink: #1d2233; --soft: #565d74; --edge: #847d6b; --red: #b3261e; --red-tint: #fbe9e7; --blue-tint: #e8ecf8; }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); line-height: 1.5;
  font-family: system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", Arial, sans-serif; }
header { background: var(--navy); color: var(--white); }
header p { margin: 0 auto; padding: 1rem; max-width: 34rem; font-weight: 600; }
main { margin: 0 auto; padding: 1.5rem 1rem 3rem; max-width: 34rem; }
h1 { margin: 0 0 1rem; color: var(--navy); font: 600 1.75rem/1.2 Georgia, serif; }
h2 { margin: 0 0 .5rem; font-size: 1rem; }
.demo { margin: 0 0 1.5rem; padding: .75rem 1rem; background: var(--blue-tint); border-inline-start: 4px solid var(--navy); }
dl { margin: 0 0 1.5rem; padding: 1rem; background: var(--white); border: 1px solid var(--edge); border-radius: 3px; }
dt { color: var(--soft); font-size: .875rem; }
dd { margin: 0 0 .75rem; }
dd:last-child { margin: 0; }
.amount { color: var(--navy); font-size: 1.5rem; font-weight: 700; }
.field { margin: 0 0 1.25rem; }
label { display: block; color: var(--navy); font-weight: 600; }
.hint { display: block; color: var(--soft); font-size: .875rem; }
.error { display: block; color: var(--red); font-weight: 600; }
input { width: 100%; min-height: 3rem; margin-top: .25rem; padding: .5rem .75rem; color: var(--ink);
  background: var(--white); border: 1px solid var(--edge); border-radius: 3px; font: inherit; }
input[aria-invalid="true"] { background: var(--red-tint); border: 2px solid var(--red); }
.summary { margin: 0 0 1.5rem; padding: 1rem; background: var(--red-tint); border: 2px solid var(--red); border-radius: 3px; }
.summary ul { margin: 0; padding-inline-start: 1.25rem; }
.summary li { padding: .25rem 0; }
.summary a { color: var(--red); }
button { display: block; width: 100%; min-height: 3rem; margin: 0 0 1rem; padding: .5rem 1rem; cursor: pointer;
  color: var(--navy); background: transparent; border: 2px solid var(--navy); border-radius: 3px; font: inherit; font-weight: 600; line-height: 1.25; }
button.act { background: var(--yellow); border-color: var(--yellow); }
button:hover { text-decoration: underline; }
a { color: var(--navy); }
:focus-visible { outline: 3px solid var(--navy); outline-offset: 2px; }
.ordered { margin: 0 0 .5rem; }
.ordered + .act { margin-top: 1rem; }
.kept { color: var(--soft); font-size: .875rem; }
@media (min-width: 600px) { .pair { display: grid; grid-template-columns: 1fr 1fr; gap: 1rem; }
  .pair .field { display: flex; flex-direction: column; }
  .pair input { margin-top: auto; } }
`;

/** Hash for the content security policy, which allows only this style. */
export const STYLE_HASH = `sha256-${createHash("sha256").update(STYLE).digest("base64")}`;
