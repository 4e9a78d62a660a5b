import { useEffect } from 'preact/hooks'
import type { DraftsOf } from '../send-drafts.ts'

/** Sends the drafts of this device when the app opens and when the network returns. */
export function useDrafts(of: DraftsOf, onSent: () => void): void {
  useEffect(() => {
    const look = () =>
      void import('../send-drafts.ts').then(async ({ sendDrafts }) => {
        if (await sendDrafts(of)) onSent()
      })
    look()
    addEventListener('online', look)
    return () => removeEventListener('online', look)
  }, [of.server, of.who])
}
