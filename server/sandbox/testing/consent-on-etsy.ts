import { type Decision, grantConsent } from './consent.ts'

/**
 * Consents, or declines, at the sandbox Etsy as the user of that name: a shop's name, or a user's own where there is no
 * shop. Returns the address that the browser is sent back to. Throws when the page does not offer the name.
 */
export const consentAs = (authorizeUrl: string, name: string, decision: Decision = 'agree'): Promise<string> =>
  grantConsent(authorizeUrl, decision, (html) => {
    const user = new RegExp(`name="user" value="(\\d+)"[^<>"]*> <b>${name}</b>`).exec(html)?.[1]
    if (!user) throw new Error(`The consent page does not offer ${name}.`)
    return { user }
  })
