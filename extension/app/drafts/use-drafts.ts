import { useEffect } from 'preact/hooks'
import type { DraftsOf } from './send-drafts.ts'

/** Sends the drafts of this device when the app opens and when the network returns. */
export function useDrafts(of: DraftsOf, onSent: () => void): void {
  useEffect(() => {
    const send = async () => {
      // With the screen's own code, so that it opens without a network.
      const [{ sendDrafts }] = await Promise.all([import('./send-drafts.ts'), import('./drafts-page.tsx')])
      if (await sendDrafts(of)) onSent()
    }
    // The screen of drafts says why they are still here.
    const look = () => void send().catch(() => null)
    look()
    addEventListener('online', look)
    return () => removeEventListener('online', look)
  }, [of.account])
}
