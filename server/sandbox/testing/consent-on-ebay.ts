import { type Decision, grantConsent } from './consent.ts'

/** Consents, or declines, as a seller of the sandbox eBay. Returns the address that the browser is sent back to. */
export const consentAs = (authorizeUrl: string, seller: string, decision: Decision = 'agree'): Promise<string> =>
  grantConsent(authorizeUrl, decision, () => ({ seller }))
