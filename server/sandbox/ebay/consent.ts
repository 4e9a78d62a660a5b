/**
 * What a seller does in a browser at the sandbox eBay: opens the consent page, chooses who they are, and presses a
 * button. Answers the address that the browser is sent back to. Throws when there is no consent page.
 */
export async function consentAs(
  authorizeUrl: string,
  seller: string,
  decision: 'agree' | 'decline' = 'agree',
): Promise<string> {
  const shown = await fetch(authorizeUrl)
  const html = await shown.text()
  if (shown.status !== 200) throw new Error(`The consent page answered ${shown.status}.`)
  const form = new URLSearchParams({ seller, decision })
  for (const [, name, value] of html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)) {
    form.set(decode(name!), decode(value!))
  }
  const answer = await fetch(new URL('/oauth2/authorize', authorizeUrl), {
    method: 'POST',
    body: form,
    redirect: 'manual',
  })
  const location = answer.headers.get('location')
  if (!location) throw new Error(`Consenting answered ${answer.status} without an address to go back to.`)
  return location
}

const decode = (html: string) => html.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
