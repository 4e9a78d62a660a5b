import { z } from 'zod'
import type { Etsy } from './client.ts'

/** Checks the app's key and shared secret. Throws PlatformError if Etsy refuses them. */
export async function ping(etsy: Etsy): Promise<void> {
  await etsy({ call: 'the question whether the key is good', path: '/openapi-ping' }, z.unknown())
}
