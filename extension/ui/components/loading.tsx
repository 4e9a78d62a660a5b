import { text } from '#extension/i18n/text.ts'
import { useSlow } from '../hooks/use-slow.ts'

/** Something is asked for; after a while it says who keeps us waiting. It ends by itself: every request does. */
export function Loading() {
  const slow = useSlow(true)
  return (
    <p class="part soft" role="status">
      {text(slow ? 'loading.slow' : 'home.loading')}
    </p>
  )
}
