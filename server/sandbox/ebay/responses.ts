import { json, type SandboxResponse } from '../kit/http.ts'

/** Whatever a Trading call comes to, its HTTP status is 200. */
export const xml = (body: string): SandboxResponse => ({ status: 200, type: 'text/xml;charset=utf-8', body })

/** An error as eBay's REST APIs word it. */
export function restError(status: number, errorId: number, message: string, headers?: Record<string, string>) {
  const domain = status === 401 ? 'OAuth' : 'ACCESS'
  return json({ errors: [{ errorId, domain, category: 'REQUEST', message, longMessage: message }] }, status, headers)
}
