import { text } from '#extension/i18n/text.ts'
import { Notice } from '../components/notice.tsx'
import { Failure } from '../components/pending.tsx'
import { useAction, useRequest } from '../hooks/use-request.ts'
import { send } from '../host.ts'

/** Offered delays between two requests to a platform, in ms. */
const paces = [1_000, 2_000, 5_000, 10_000] as const

/** Offered minutes between two checks for sales. 0: only when the seller visits the shop. */
const checks = [15, 60, 360, 0] as const

/** The seller's settings. Each change is saved at once. */
export function Settings() {
  const request = useRequest('settings', () => send('popup.settings', { change: null }))
  const { problem, act } = useAction()
  if (request.state === 'loading') return null
  if (request.state === 'failed') return <Failure message={request.message} onRetry={request.again} />
  const settings = request.value
  const change = (change: { pace_ms?: number; notify?: boolean; check_minutes?: number }) =>
    act('settings', async () => {
      await send('popup.settings', { change })
      request.again()
    })
  const pace = paces.findLast((one) => one <= settings.pace_ms) ?? paces[0]
  return (
    <section class="part settings" aria-labelledby="settings">
      <h2 id="settings">{text('settings.title')}</h2>
      {problem && <Notice tone="bad">{problem}</Notice>}
      <label>
        {text('settings.pace')}
        <select value={pace} onChange={(event) => change({ pace_ms: Number(event.currentTarget.value) })}>
          {paces.map((one) => (
            <option key={one} value={one}>
              {text(`settings.pace.${one}`)}
            </option>
          ))}
        </select>
      </label>
      <p class="soft">{text('settings.pace_hint')}</p>
      <label>
        {text('settings.check')}
        <select
          value={checks.find((one) => one === settings.check_minutes) ?? 60}
          onChange={(event) => change({ check_minutes: Number(event.currentTarget.value) })}
        >
          {checks.map((one) => (
            <option key={one} value={one}>
              {text(`settings.check.${one}`)}
            </option>
          ))}
        </select>
      </label>
      <p class="soft">{text('settings.check_hint')}</p>
      <label class="check">
        <input
          type="checkbox"
          checked={settings.notify}
          onChange={(event) => change({ notify: event.currentTarget.checked })}
        />
        {text('settings.notify')}
      </label>
    </section>
  )
}
