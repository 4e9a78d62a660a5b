import { type Decision, giveConsent } from '../kit/consent.ts'

/** Consents, or declines, as a seller of the sandbox eBay. Returns the address that the browser is sent back to. */
export const consentAs = (authorizeUrl: string, seller: string, decision: Decision = 'agree'): Promise<string> =>
  giveConsent(authorizeUrl, decision, () => ({ seller }))
