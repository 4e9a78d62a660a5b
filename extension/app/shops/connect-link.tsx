import type { OAuthSlug } from '#shared/platforms.ts'
import { useAction } from '../hooks/use-request.ts'
import { call, useHost } from '../host.ts'
import { keepPlace } from '../shell/left-place.ts'
import { text } from './room-words.ts'

/**
 * Leads to a platform's sign-in. The web app may start it itself, and gets the seller back; the extension's key may not, so
 * there the server's page does.
 */
export function ConnectLink({ platform, name, words }: { platform: OAuthSlug; name: string; words: string }) {
  const host = useHost()
  const { busy, problem, act } = useAction()
  const label = `${words}, ${name}`
  if (host.kind === 'extension') {
    return (
      <a
        class="button"
        target="_blank"
        rel="noreferrer"
        href={`${host.server}/connect/?to=${platform}`}
        aria-label={label}
      >
        {words}
      </a>
    )
  }
  return (
    <>
      {problem && <span class="bad">{problem}</span>}
      <button
        type="button"
        aria-label={label}
        aria-disabled={busy !== null}
        onClick={() =>
          act(platform, async () => {
            const { connection_url: url } = await call('startConnection', { params: { slug: platform } })
            keepPlace()
            location.assign(`${url}&from=app`)
          })
        }
      >
        {busy ? text('shop.connecting') : words}
      </button>
    </>
  )
}
