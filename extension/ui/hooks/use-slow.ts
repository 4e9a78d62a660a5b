import { useEffect, useState } from 'preact/hooks'

/** A seller is told that an answer is awaited before they wonder, in milliseconds. */
const slowMs = 2_500

/** True once something has lasted for so long that it needs a word. */
export function useSlow(active: boolean): boolean {
  const [slow, setSlow] = useState(false)
  useEffect(() => {
    if (!active) return setSlow(false)
    const timer = setTimeout(() => setSlow(true), slowMs)
    return () => clearTimeout(timer)
  }, [active])
  return slow && active
}
