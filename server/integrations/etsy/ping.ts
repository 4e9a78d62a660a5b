import { z } from 'zod'
import type { Etsy } from './client.ts'

/** Asks Etsy whether it takes the app's key and shared secret. Throws PlatformError where it does not. */
export async function ping(etsy: Etsy): Promise<void> {
  await etsy({ call: 'the question whether the key is good', path: '/openapi-ping' }, z.unknown())
}
