import type { VerifyWebhook } from './types.ts'

/** Older deliveries may be replayed by somebody who recorded them. */
const toleranceSeconds = 300

export const verifyWebhook: VerifyWebhook = async (secret, headers, body) => {
  const read = (name: string) => String(headers instanceof Headers ? headers.get(name) : headers[name])
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body)
  const timestamp = read('webhook-timestamp')
  if (!(Math.abs(Date.now() / 1_000 - Number(timestamp)) < toleranceSeconds)) {
    throw new Error('the delivery has no timestamp of the last five minutes')
  }
  const signed = new TextEncoder().encode(`${read('webhook-id')}.${timestamp}.${text}`)
  const signatures = read('webhook-signature')
    .split(' ')
    .filter((signature) => signature.startsWith('v1,'))
  for (const each of typeof secret === 'string' ? [secret] : secret) {
    const bytes = bytesOf(each.replace(/^whsec_/, ''))
    const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
    for (const signature of signatures) {
      if (await crypto.subtle.verify('HMAC', key, bytesOf(signature.slice(3)), signed)) return JSON.parse(text)
    }
  }
  throw new Error('the signature does not fit the delivery')
}

/** Returns the bytes of base64; none for other text, which no signature fits. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  } catch {
    return new Uint8Array()
  }
}
