import { text } from '#extension/i18n/text.ts'
import type { Request } from '../hooks/use-request.ts'
import { Loading } from './loading.tsx'
import { Notice } from './notice.tsx'

/** Shows that a request is under way, or why it failed. Nothing once it is answered. */
export function Pending({ of }: { of: Request<unknown> & { again: () => void } }) {
  if (of.state === 'ready') return null
  return of.state === 'loading' ? <Loading /> : <Failure message={of.message} onRetry={of.again} />
}

/** Says why something failed, with a button that tries it again. */
export function Failure(props: { message: string; onRetry: () => void }) {
  return (
    <Notice tone="bad" action={{ label: text('retry'), act: props.onRetry }}>
      {props.message}
    </Notice>
  )
}

/** The end of a list that goes on: a button that reads more of it. */
export function More({ onMore }: { onMore: () => void }) {
  return (
    <p class="part">
      <button type="button" class="wide" onClick={onMore}>
        {text('show_more')}
      </button>
    </p>
  )
}

/** A whole screen that waits for a request. */
export function PendingScreen({ of }: { of: Request<unknown> & { again: () => void } }) {
  return (
    <main class={of.state === 'failed' ? 'center boxed' : 'center'} aria-busy={of.state === 'loading'}>
      <Pending of={of} />
    </main>
  )
}
