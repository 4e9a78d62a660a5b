import { escapeHtml } from './html.ts'

interface PageOptions {
  /** The stand-in's name, such as "Sandbox eBay". */
  name: string
  /** Says on every page that this is not the real service. */
  banner: string
  /** A dark color that white text is readable on. */
  accent: string
}

/** Returns the template of a stand-in's pages. They work without scripts and by keyboard. */
export const createPage =
  ({ name, banner, accent }: PageOptions) =>
  (title: string, body: string): string =>
    `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · ${name}</title>
<style>
body{font:17px/1.5 system-ui,sans-serif;margin:0;color:#1c1c1e;background:#f4f2ee}
header{background:${accent};color:#fff;padding:.7rem 1rem}
main{max-width:42rem;margin:1.5rem auto;padding:1.5rem;background:#fff;border-radius:10px;overflow-wrap:anywhere}
h1{font-size:1.5rem;margin-top:0}
fieldset{border:1px solid #8a8a8a;border-radius:8px;margin:0 0 1.2rem}
label{display:block;padding:.35rem 0}
input,select{font:inherit;max-width:100%}
button{font:inherit;padding:.6rem 1.2rem;margin:.2rem .4rem .2rem 0;border-radius:8px;border:1px solid ${accent};cursor:pointer;background:#fff;color:${accent}}
button.primary{background:${accent};color:#fff}
form.inline{display:inline}
li form.inline button{padding:.1rem .7rem;margin:.15rem 0}
a{color:${accent}}
:focus-visible{outline:3px solid #1f6f8b;outline-offset:2px}
img{max-width:100%;height:auto;border-radius:8px}
pre{white-space:pre-wrap}
</style>
</head>
<body>
<header>${escapeHtml(`${name}: ${banner}`)}</header>
<main>
<h1>${escapeHtml(title)}</h1>
${body}
</main>
</body>
</html>`

/** Returns a button that posts a form. `label` is for screen readers where the words alone do not say the object. */
export function postButton(action: string, words: string, rest: { label?: string; primary?: boolean } = {}): string {
  const label = rest.label === undefined ? '' : ` aria-label="${escapeHtml(rest.label)}"`
  const primary = rest.primary ? ' class="primary"' : ''
  return `<form class="inline" method="post" action="${escapeHtml(action)}"><button${primary}${label}>${escapeHtml(words)}</button></form>`
}

/** Returns the pictures of a listing, each with its number. */
export function pictureTags(count: number, addressOf: (number: number) => string): string {
  return Array.from(
    { length: count },
    (_, index) => `<img src="${addressOf(index + 1)}" width="200" height="200" alt="Picture ${index + 1}">`,
  ).join(' ')
}

interface ConsentForm {
  action: string
  /** The name of the choice among accounts. */
  field: string
  accounts: { value: string; name: string; about: string }[]
  /** Fields of the request, which come back with the form. */
  fields: Record<string, string>
  agree: string
  decline: string
}

/** Returns the form in which a seller picks an account and grants access or refuses. */
export function consentForm({ action, field, accounts, fields, agree, decline }: ConsentForm): string {
  const hidden = Object.entries(fields).map(
    ([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`,
  )
  const choices = accounts.map(
    ({ value, name, about }, index) =>
      `<label><input type="radio" name="${field}" value="${escapeHtml(value)}"${index === 0 ? ' checked' : ''} required> <b>${escapeHtml(name)}</b>: ${escapeHtml(about)}</label>`,
  )
  return `<form method="post" action="${action}">
${hidden.join('\n')}
<fieldset><legend>Sign in as</legend>
${choices.join('\n')}
</fieldset>
<button class="primary" name="decision" value="agree">${escapeHtml(agree)}</button>
<button name="decision" value="decline" formnovalidate>${escapeHtml(decline)}</button>
</form>`
}
