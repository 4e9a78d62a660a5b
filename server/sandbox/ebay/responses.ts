import { json, type SandboxResponse } from '../kit/http.ts'

/** Returns a Trading answer; its status is 200 for errors too. */
export const xml = (body: string): SandboxResponse => ({ status: 200, type: 'text/xml;charset=utf-8', body })

/** Returns an error in the form of eBay's REST APIs. */
export function restError(status: number, errorId: number, message: string, headers?: Record<string, string>) {
  const domain = status === 401 ? 'OAuth' : 'ACCESS'
  return json({ errors: [{ errorId, domain, category: 'REQUEST', message, longMessage: message }] }, status, headers)
}
