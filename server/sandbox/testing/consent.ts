import { unescapeHtml } from '../kit/html.ts'

export type Decision = 'agree' | 'decline'

/**
 * Acts as a seller in a browser: opens the consent page, picks an account and presses a button. `choose` returns the
 * form's field for the account. Returns the address that the browser is sent back to. Throws without a consent page.
 */
export async function grantConsent(
  authorizeUrl: string,
  decision: Decision,
  choose: (html: string) => Record<string, string>,
): Promise<string> {
  const shown = await fetch(authorizeUrl)
  const html = await shown.text()
  const action = /<form method="post" action="([^"]*)">/.exec(html)?.[1]
  if (shown.status !== 200 || !action) throw new Error(`The consent page answered ${shown.status}.`)
  const form = new URLSearchParams({ ...choose(html), decision })
  for (const [, name, value] of html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)) {
    form.set(unescapeHtml(name!), unescapeHtml(value!))
  }
  const answer = await fetch(new URL(action, authorizeUrl), { method: 'POST', body: form, redirect: 'manual' })
  const location = answer.headers.get('location')
  if (!location) throw new Error(`Consenting answered ${answer.status} without a Location.`)
  return location
}
