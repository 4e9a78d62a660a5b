import { useState } from 'preact/hooks'
import { endOtherSessions, endSession, listSessions } from '#shared/contract/account/sessions.ts'
import { agoText } from '../common/format.ts'
import { useRequest } from '../hooks/use-request.ts'
import { callAccount } from './call-account.ts'
import { useAccountAction } from './use-account-action.tsx'
import { text } from './words.ts'

/** The devices that are signed in, each with its way out. */
export function Sessions() {
  const request = useRequest('sessions', () => callAccount(listSessions, {}))
  const { act, notices } = useAccountAction()
  const [ended, setEnded] = useState<number | null>(null)
  const sessions = request.state === 'ready' ? request.value : []
  return (
    <section class="part" aria-labelledby="sessions">
      <h2 id="sessions">{text('sessions.title')}</h2>
      {notices}
      {request.state === 'failed' && <p class="bad">{request.message}</p>}
      <ul class="rows">
        {sessions.map(({ uid, device, network, is_current, last_used_at, created_at }) => (
          <li key={uid}>
            <div class="grow">
              <p>
                <strong>{device}</strong> {is_current && <span class="good">{text('sessions.current')}</span>}
              </p>
              <p class="soft">
                {[network, text('sessions.used', { when: agoText(Date.parse(last_used_at ?? created_at)) })]
                  .filter(Boolean)
                  .join(' · ')}
              </p>
            </div>
            {!is_current && (
              <button
                type="button"
                aria-label={`${text('sessions.end')}, ${device}`}
                onClick={() =>
                  act(async () => {
                    await callAccount(endSession, { params: { uid } })
                    setEnded(1)
                    request.again()
                  })
                }
              >
                {text('sessions.end')}
              </button>
            )}
          </li>
        ))}
      </ul>
      <p role="status" class="soft">
        {ended !== null && text('sessions.ended', { n: ended })}
      </p>
      {sessions.length > 1 && (
        <button
          type="button"
          onClick={() =>
            act(async () => {
              setEnded((await callAccount(endOtherSessions, {})).ended)
              request.again()
            })
          }
        >
          {text('sessions.end_others')}
        </button>
      )}
    </section>
  )
}
