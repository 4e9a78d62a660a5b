import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'

/**
 * Says at the top of the first screen that alerts are not mailed before the address is confirmed. Its code is fetched
 * after the screen is there; without a connection it says nothing.
 */
export function EmailNotice() {
  const [Inner, setInner] = useState<ComponentType | null>(null)
  useEffect(() => {
    import('../account/confirm-email.tsx').then(
      ({ ConfirmEmail }) => setInner(() => ConfirmEmail),
      () => {},
    )
  }, [])
  return Inner && <Inner />
}
