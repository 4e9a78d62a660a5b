import { unescapeHtml } from '#server/integrations/etsy/text.ts'

/**
 * What a seller does in a browser at the sandbox Etsy: opens the consent page, chooses who they are, and presses a
 * button. `name` is a shop's name, or a user's without a shop. Answers the address that the browser is sent back to.
 * Throws when there is no consent page, or nobody of that name on it.
 */
export async function consentAs(
  authorizeUrl: string,
  name: string,
  decision: 'agree' | 'decline' = 'agree',
): Promise<string> {
  const shown = await fetch(authorizeUrl)
  const html = await shown.text()
  if (shown.status !== 200) throw new Error(`The consent page answered ${shown.status}.`)
  const user = new RegExp(`name="user" value="(\\d+)"[^<>"]*> <b>${name}</b>`).exec(html)?.[1]
  if (!user) throw new Error(`The consent page does not offer ${name}.`)
  const form = new URLSearchParams({ user, decision })
  for (const [, field, value] of html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)) {
    form.set(field!, unescapeHtml(value!))
  }
  const answer = await fetch(new URL('/oauth/connect', authorizeUrl), {
    method: 'POST',
    body: form,
    redirect: 'manual',
  })
  const location = answer.headers.get('location')
  if (!location) throw new Error(`Consenting answered ${answer.status} without an address to go back to.`)
  return location
}
