import { json, type SandboxResponse } from '#server/sandbox/kit/http.ts'

/** Returns an error of the Inventory API. */
export function fault(
  status: number,
  errorId: number,
  message: string,
  parameters?: { name: string; value: string }[],
): SandboxResponse {
  const error = { errorId, domain: 'API_INVENTORY', subdomain: 'Selling', category: 'Request', message }
  return json({ errors: [parameters ? { ...error, parameters } : error] }, status)
}

export const userError = (what: string, parameters?: { name: string; value: string }[]) =>
  fault(400, 25002, `A user error has occurred. ${what}`, parameters)
export const invalidValue = (field: string, why = '') => fault(400, 25709, `Invalid value for ${field}. ${why}`.trim())
export const offerGone = (offerId: string) => fault(404, 25713, `This Offer is not available : ${offerId}.`)
export const noContent: SandboxResponse = { status: 204, type: 'application/json', body: '' }
