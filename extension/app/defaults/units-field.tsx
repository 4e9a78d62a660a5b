import { useState } from 'preact/hooks'
import type { System } from '#shared/item/units.ts'
import { sellerSettings } from '../common/own-units.ts'
import { Notice } from '../components/notice.tsx'
import { Failure } from '../components/pending.tsx'
import { useAction, useRequest } from '../hooks/use-request.ts'
import { send } from '../host.ts'
import { text } from './words.ts'

const choices: readonly (System | null)[] = [null, 'us', 'metric']

/** Chooses the units of measurements. A choice is kept at once. */
export function UnitsField() {
  const request = useRequest('units', sellerSettings)
  const [chosen, setChosen] = useState<System | null>()
  const { busy, problem, act } = useAction()
  if (request.state === 'loading') return null
  if (request.state === 'failed') return <Failure message={request.message} onRetry={request.again} />
  const now = chosen === undefined ? (request.value.units ?? null) : chosen
  const keep = (units: System | null) =>
    act('units', async () => {
      setChosen(units)
      try {
        await send('settings.keep', { change: { units } })
      } catch (error) {
        setChosen(now)
        throw error
      }
      await sellerSettings()
    })
  return (
    <section class="part" aria-labelledby="units">
      <h2 id="units">{text('units.title')}</h2>
      <p class="soft">{text('units.text')}</p>
      {problem && <Notice tone="bad">{problem}</Notice>}
      <div role="radiogroup" aria-labelledby="units">
        {choices.map((one) => (
          <label key={one} class="check">
            <input
              type="radio"
              name="units"
              checked={now === one}
              onClick={(event) => busy !== null && event.preventDefault()}
              onChange={() => void keep(one)}
            />
            {text(one === null ? 'units.own' : `units.${one}`)}
          </label>
        ))}
      </div>
    </section>
  )
}
