import { text } from '#extension/i18n/text.ts'
import { useSlow } from '../hooks/use-slow.ts'

/** A loading line that names the server after a while. Every request times out, so it always ends. */
export function Loading() {
  const slow = useSlow(true)
  return (
    <p class="part soft" role="status">
      {text(slow ? 'loading.slow' : 'loading')}
    </p>
  )
}
