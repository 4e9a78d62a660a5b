import { Checkbox, Select } from '../components/fields.tsx'
import { Notice } from '../components/notice.tsx'
import { Failure } from '../components/pending.tsx'
import { useAction, useRequest } from '../hooks/use-request.ts'
import { send } from '../host.ts'
import { text } from './words.ts'

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
  return (
    <section class="part settings" aria-labelledby="settings">
      <h2 id="settings">{text('settings.title')}</h2>
      {problem && <Notice tone="bad">{problem}</Notice>}
      <Select
        label={text('settings.pace')}
        value={paces.findLast((one) => one <= settings.pace_ms) ?? paces[0]}
        options={paces.map((one) => [one, text(`settings.pace.${one}`)])}
        onChange={(pace_ms) => change({ pace_ms })}
      />
      <p class="soft">{text('settings.pace_hint')}</p>
      <Select
        label={text('settings.check')}
        value={checks.find((one) => one === settings.check_minutes) ?? 60}
        options={checks.map((one) => [one, text(`settings.check.${one}`)])}
        onChange={(check_minutes) => change({ check_minutes })}
      />
      <p class="soft">{text('settings.check_hint')}</p>
      <Checkbox
        label={text('settings.notify')}
        checked={settings.notify}
        onChange={(checked) => change({ notify: checked })}
      />
    </section>
  )
}
