import { useEffect, useState } from 'preact/hooks'

/** Delay before the interface says that it is waiting, in ms. */
const slowMs = 2_500

/** Returns true once `active` has lasted long enough to mention. */
export function useSlow(active: boolean): boolean {
  const [slow, setSlow] = useState(false)
  useEffect(() => {
    if (!active) return setSlow(false)
    const timer = setTimeout(() => setSlow(true), slowMs)
    return () => clearTimeout(timer)
  }, [active])
  return slow && active
}
