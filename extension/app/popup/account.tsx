import type { Overview } from '#extension/messaging/overview.ts'
import { Notice } from '../components/notice.tsx'
import { SubHead } from '../components/sub-head.tsx'
import { useAction } from '../hooks/use-request.ts'
import { host, send } from '../host.ts'
import type { Place } from './place.ts'
import { Settings } from './settings.tsx'
import { text } from './words.ts'

/** The account: who is signed in, settings, and signing out. */
export function Account(props: {
  overview: Overview
  session: NonNullable<Overview['session']>
  go: (place: Place) => void
  onSignedOut: (note: string | null) => Promise<void>
}) {
  const { overview, session } = props
  const { busy, late, problem, act } = useAction()

  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    void act('sign out', async () => {
      // Clear first: if the popup closes now, the worker continues alone.
      localStorage.clear()
      // The next sign-in most likely goes to the same server.
      localStorage.setItem('draft.server', session.server)
      const { keyEnded } = await send('popup.signOut', {})
      await host().disallow(session.server)
      await props.onSignedOut(keyEnded === false ? text('account.key_kept', { name: session.key_name ?? '' }) : null)
    })
  }

  return (
    <>
      <SubHead title={text('account.title')} onBack={() => props.go({ screen: 'home' })} />
      <main class="body">
        <section class="part">
          <dl class="facts">
            <dt>{text('sign_in.server')}</dt>
            <dd>{session.server}</dd>
            {session.who && (
              <>
                <dt>{text('account.who')}</dt>
                <dd>{session.who}</dd>
              </>
            )}
          </dl>
          {!session.who && <p class="soft">{text('account.who_key')}</p>}
          <p class="soft">{text('account.cached', { n: overview.cached })}</p>
        </section>
        <Settings />
        <form class="part boxed" onSubmit={submit} aria-busy={busy !== null}>
          {problem && <Notice tone="bad">{problem}</Notice>}
          {late && <Notice tone="plain">{text('loading.slow')}</Notice>}
          <p>{text('account.sign_out_text')}</p>
          {overview.unsent > 0 && <Notice tone="warn">{text('account.unsent', { n: overview.unsent })}</Notice>}
          {session.can_end_key ? (
            <p class="soft">{text('account.end_key', { name: session.key_name ?? '' })}</p>
          ) : (
            <p class="soft">{text('account.end_key_later')}</p>
          )}
          <button type="submit" class="wide" aria-disabled={busy !== null}>
            {text(busy === null ? 'account.sign_out' : 'account.busy')}
          </button>
        </form>
      </main>
    </>
  )
}
